"""Proposes structures: what the terms of the screen suggest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from coterie.discovery.screen import Term
from coterie.discovery.structures import Structure

SHARES = (0.0, 0.01, 0.03, 0.1, 0.3)
"""Terms below such a share of the strongest one's are left out of a proposal's edges."""
FIRST_TERMS = (8, 16)
"""How many of the clearest terms are proposed by themselves."""
MOST_WHOLE = 12
"""Features of which one group is worth trying."""


def propose(terms: Sequence[Term]) -> list[Structure]:
    """Return structures that the terms suggest, by how much of them is taken for interaction.

    Where terms are many, the clearest of them alone are proposed too: starting from few features
    saves taking all the others away one by one.
    """
    if not terms:
        return [Structure(())]
    most = max(term.share for term in terms)
    features = {feature for term in terms for feature in term.features}
    proposals = []
    for share in SHARES:
        strong = [term.features for term in terms if term.share >= share * most]
        proposals.append(Structure.of([*strong, *((f,) for f in features)]))
        edges = {edge for group in strong for edge in combinations(group, 2)}
        proposals.append(Structure.of([(f,) for f in features]).with_edges(edges))
    proposals.append(Structure.of([(f,) for f in features]))
    if len(features) <= MOST_WHOLE:
        proposals.append(Structure.of([features]))
    for n_first in FIRST_TERMS:
        if n_first < len(terms):
            clearest = [term.features for term in terms[:n_first]]
            proposals.append(Structure.of(clearest))
            proposals.append(Structure.of({(f,) for group in clearest for f in group}))
    return list(dict.fromkeys(proposals))
