"""Structures: which groups there are and how they are joined, and the moves between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from coterie.groups import Group, canonical_groups

Edge = tuple[int, int]


@dataclass(frozen=True)
class Structure:
    """Groups of features, none inside another, and the aggregator that joins them.

    Examples
    --------
    >>> Structure.of([(0, 1), (1,), (2, 3)], "or")
    Structure(groups=((0, 1), (2, 3)), aggregator='or')
    """

    groups: tuple[Group, ...]
    aggregator: str = "sum"

    @classmethod
    def of(cls, groups: Iterable[Iterable[int]], aggregator: str = "sum") -> Structure:
        """Sort the groups and absorb those that lie inside another."""
        canonical = canonical_groups(groups)
        kept = [g for g in canonical if not any(set(g) < set(other) for other in canonical)]
        return cls(tuple(sorted(kept)), aggregator)

    @property
    def features(self) -> tuple[int, ...]:
        """The features of all groups."""
        return tuple(sorted({member for group in self.groups for member in group}))

    @property
    def edges(self) -> list[Edge]:
        """The pairs of features that share a group."""
        return sorted({edge for group in self.groups for edge in combinations(group, 2)})

    @property
    def penalty(self) -> float:
        """The paper's rule: the sum of squared sizes, and half of every overlap."""
        sizes = sum(len(group) ** 2 for group in self.groups)
        shared = sum(len(set(a) & set(b)) for a, b in combinations(self.groups, 2))
        return sizes + 0.5 * shared

    def joined_by(self, aggregator: str) -> Structure:
        """Return the same groups under another aggregator."""
        return Structure(self.groups, aggregator)

    def with_groups(self, groups: Iterable[Iterable[int]]) -> Structure:
        """Return other groups under the same aggregator."""
        return Structure.of(groups, self.aggregator)

    def without(self, features: Iterable[int]) -> Structure:
        """Drop features from all groups."""
        dropped = set(features)
        return self.with_groups(set(group) - dropped for group in self.groups)

    def with_singles(self, features: Iterable[int]) -> Structure:
        """Add groups of one feature each."""
        return self.with_groups([*self.groups, *((feature,) for feature in features)])

    def without_edges(self, edges: Iterable[Edge]) -> Structure:
        """Let no group hold both ends of any of the edges: maximal cliques of what is left."""
        removed = {frozenset(edge) for edge in edges}
        parts: list[Group] = []
        for group in self.groups:
            inside = [edge for edge in combinations(group, 2) if frozenset(edge) not in removed]
            parts += cliques(group, inside)
        return self.with_groups(parts)

    def with_edges(self, edges: Iterable[Edge]) -> Structure:
        """Join features: maximal cliques of the graph with more edges."""
        return self.with_groups(cliques(self.features, [*self.edges, *edges]))

    def swapped(self, old: int, new: int) -> Structure:
        """Put a feature in the place of another."""
        return self.with_groups(
            {new if member == old else member for member in group} for group in self.groups
        )

    def merged(self, first: Group, second: Group) -> Structure:
        """Make one group of two."""
        others = [group for group in self.groups if group not in (first, second)]
        return self.with_groups([*others, set(first) | set(second)])

    def shattered(self, group: Group) -> Structure:
        """Replace a group by its parts that lack one member each."""
        others = [other for other in self.groups if other != group]
        return self.with_groups([*others, *combinations(group, len(group) - 1)])

    def whole(self) -> Structure:
        """Put all features into one group."""
        return self.with_groups([self.features])


def cliques(nodes: Iterable[int], edges: Iterable[Edge]) -> list[Group]:
    """Return the maximal cliques of a graph (Bron and Kerbosch, with a pivot).

    Examples
    --------
    >>> cliques([0, 1, 2, 3], [(0, 1), (0, 2), (1, 2)])
    [(0, 1, 2), (3,)]
    """
    neighbours: dict[int, set[int]] = {node: set() for node in nodes}
    for a, b in edges:
        neighbours[a].add(b)
        neighbours[b].add(a)

    def grow(clique: set[int], open_: set[int], seen: set[int]) -> Iterator[Group]:
        if not open_ and not seen:
            yield tuple(sorted(clique))
            return
        pivot = max(open_ | seen, key=lambda node: len(neighbours[node] & open_))
        for node in sorted(open_ - neighbours[pivot]):
            yield from grow(clique | {node}, open_ & neighbours[node], seen & neighbours[node])
            open_ = open_ - {node}
            seen = seen | {node}

    return sorted(grow(set(), set(neighbours), set())) if neighbours else []
