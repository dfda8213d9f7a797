"""What a search may spend."""

from dataclasses import astuple

from coterie.discovery.efforts import EFFORTS


def test_more_effort_never_spends_less_on_anything():
    fast, standard, thorough = (astuple(EFFORTS[n]) for n in ("fast", "standard", "thorough"))
    assert all(a <= b <= c for a, b, c in zip(fast, standard, thorough, strict=True))


def test_seeds_set_the_models_for_each_structure_and_nothing_else():
    standard = EFFORTS["standard"]
    assert standard.with_seeds(None) == standard
    assert standard.with_seeds(7).n_restarts == 7
    assert standard.with_seeds(7).with_seeds(standard.n_restarts) == standard
