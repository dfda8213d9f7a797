"""How much work a search may do: three named settings, the same for all data."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Effort:
    """What a search spends.

    Attributes
    ----------
    n_restarts : int
        Models trained for each structure and fold.
    steps : float
        Multiplies the steps of each training.
    pair_work : float
        Multiplications that the screen of pairs may take before it looks at part of the rows.
    product_work : float
        Multiplications that the screen of triples and of quadruples may take.
    rounds : int
        Rounds on the residual.
    gates : int
        Seeds of the gated ensemble where the screen is silent; 0 for none.
    n_refits : int
        Fast searches on bootstrap rows, for certainty; 0 resamples the held-out rows instead.
    """

    n_restarts: int
    steps: float
    pair_work: float
    product_work: float
    rounds: int
    gates: int
    n_refits: int

    def with_seeds(self, n_seeds: int | None) -> Effort:
        """Train so many models for each structure, if a number is given."""
        return self if n_seeds is None else replace(self, n_restarts=n_seeds)


EFFORTS = {
    "fast": Effort(1, 0.7, 1e11, 1e10, 1, 0, 0),
    "standard": Effort(2, 1.0, 2e11, 4e10, 3, 2, 0),
    "thorough": Effort(4, 2.0, 4e12, 4e11, 6, 8, 10),
}
