"""What a run of the experiments is asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """How many seeds, and whether to hurry.

    Parameters
    ----------
    n_seeds : int, optional
        At most so many seeds of each method; by default as many runs as the paper has.
    quick : bool
        Fewer rows and epochs, as the settings' ``[quick]`` says: to see that all works, not for
        numbers.
    """

    n_seeds: int | None = None
    quick: bool = False

    def runs(self, n_full: int) -> int:
        """Return how many seeds to run of a method with ``n_full`` runs.

        Examples
        --------
        >>> Options(n_seeds=2).runs(10), Options().runs(10)
        (2, 10)
        """
        return n_full if self.n_seeds is None else min(self.n_seeds, n_full)
