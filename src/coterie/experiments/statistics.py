"""Means with their spread, and whether two of them agree."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from scipy import stats

ALLOWED_WITHOUT_SPREAD = 0.02
"""How far apart two means without spread may be, as a share of the measure's range."""


class Spread(NamedTuple):
    """The mean over ``n`` runs and their standard deviation."""

    mean: float
    sd: float
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise the values of runs.

        Examples
        --------
        >>> Spread.of([0.5, 1.0])
        Spread(mean=0.75, sd=0.3535533905932738, n=2)
        """
        return cls(fmean(values), stdev(values) if len(values) > 1 else 0.0, len(values))

    def text(self, digits: int = 2) -> str:
        """Write it as the paper does."""
        return f"{self.mean:.{digits}f} ± {self.sd:.{digits}f}"

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the mean by Student's t; NaN for a single run.

        Examples
        --------
        >>> low, high = Spread(0.9, 0.1, 10).interval()
        >>> round(low, 3), round(high, 3)
        (0.828, 0.972)
        """
        if self.n < 2:
            return float("nan"), float("nan")
        half = self.sd / np.sqrt(self.n) * stats.t.ppf((1 + level) / 2, self.n - 1)
        return float(self.mean - half), float(self.mean + half)


def allowed_difference(ours: Spread, published: Spread, scale: float = 1.0) -> float:
    """Return two standard errors of the difference of the means.

    Where neither spreads it is 0.02 of ``scale``, the range of the measure. A single run of ours is
    taken to spread as the published ones do.

    Examples
    --------
    >>> round(allowed_difference(Spread(0.9, 0.1, 10), Spread(0.8, 0.2, 10)), 3)
    0.141
    >>> allowed_difference(Spread(100.0, 0.0, 10), Spread(99.0, 0.0, 10), scale=100.0)
    2.0
    """
    if ours.sd == 0 and published.sd == 0:
        return ALLOWED_WITHOUT_SPREAD * scale
    own = ours.sd if ours.n > 1 else published.sd
    return 2 * float(np.sqrt(own**2 / ours.n + published.sd**2 / published.n))


def verdict(
    ours: Spread, published: Spread, *, scale: float = 1.0, more_is_better: bool = True
) -> str:
    """Say how a mean relates to the published one: "agrees", "better" or "WORSE".

    Examples
    --------
    >>> verdict(Spread(1.0, 0.0, 10), Spread(0.9, 0.2, 10))
    'agrees'
    >>> verdict(Spread(0.5, 0.0, 10), Spread(0.9, 0.2, 10))
    'WORSE'
    """
    gain = ours.mean - published.mean if more_is_better else published.mean - ours.mean
    if abs(gain) <= allowed_difference(ours, published, scale) + 1e-9:
        return "agrees"
    return "better" if gain > 0 else "WORSE"
