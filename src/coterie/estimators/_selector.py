"""What every estimator that finds groups offers, whatever its method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from coterie.estimators._features import Features, names_of_columns, resolve_features
from coterie.estimators._saving import SavingMixin
from coterie.groups import Group, canonical_groups, name_groups

MEASURES = ("strength", "strength_low", "strength_high", "certainty")


class GroupSelectorMixin(SavingMixin, SelectorMixin):
    """A selector of columns whose selection has a structure: groups of features.

    ``fit`` hands what it found to ``_set_groups``; everything below then follows. Groups count
    features. Unless columns share a feature (``features_``), features are the columns of X;
    ``support_``, ``transform`` and ``get_feature_names_out`` always speak of columns.

    Attributes
    ----------
    groups_ : list of tuple of int
        Sorted, non-empty, unique groups, the most important first.
    features_ : Features
        Which columns make up a feature.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.base import BaseEstimator
    >>> class FirstTwo(GroupSelectorMixin, BaseEstimator):
    ...     def fit(self, X, y=None):
    ...         self.n_features_in_ = X.shape[1]
    ...         self._set_groups([(0, 1)], strength=[0.5])
    ...         return self
    >>> selector = FirstTwo().fit(np.ones((3, 4)))
    >>> selector.get_groups(names=True)
    [('x0', 'x1')]
    >>> selector.transform(np.ones((3, 4))).shape
    (3, 2)
    """

    groups_: list[Group]
    features_: Features
    n_features_in_: int

    def get_groups(self, names: bool = False) -> list[tuple[Any, ...]]:
        """Return the groups, the most important first.

        Parameters
        ----------
        names : bool, default=False
            Give the members by name instead of by number.

        Returns
        -------
        list of tuple
        """
        check_is_fitted(self, "groups_")
        return name_groups(self.groups_, self.features_.labels) if names else list(self.groups_)

    @property
    def support_(self) -> NDArray[np.bool_]:
        """Which columns belong to any group, shape (columns,)."""
        return self._get_support_mask()

    def groups_table(self) -> pd.DataFrame:
        """Return one row for each group, the most important first.

        Returns
        -------
        DataFrame
            ``group`` is the position in ``groups_``, ``members`` are names, ``size`` counts
            them. ``strength`` is the loss that comes of leaving the group out, between
            ``strength_low`` and ``strength_high``; ``certainty`` is the share of refits in which
            the group returns. What the method does not measure is NaN.
        """
        named = self.get_groups(names=True)
        listed = pd.DataFrame(
            {
                "group": range(len(named)),
                "members": pd.Series(named, dtype=object),
                "size": pd.Series([len(members) for members in named], dtype=int),
            }
        )
        return pd.concat([listed, self._measures], axis=1)

    def _set_groups(
        self,
        groups: Sequence[Sequence[int]],
        features: Features | None = None,
        **measures: ArrayLike,
    ) -> None:
        """Store the groups in canonical form, ordered by strength.

        Parameters
        ----------
        groups : sequence of sequences of int
            In the method's own order, which decides between equal or unknown strengths. Of equal
            groups the first one counts, empty ones do not.
        features : Features, optional
            By default, every column is a feature.
        **measures : array-like of float, shape (groups,)
            Any of strength, strength_low, strength_high and certainty.
        """
        if features is None:
            features = resolve_features(None, names_of_columns(self))
        self.features_ = features
        first_row: dict[Group, int] = {}
        for row, group in enumerate(groups):
            for canonical in canonical_groups([group]):
                first_row.setdefault(canonical, row)
        table = pd.DataFrame(measures, index=range(len(groups)), columns=MEASURES, dtype=float)
        table = table.loc[list(first_row.values())]
        order = np.argsort(-table["strength"].to_numpy(), kind="stable")
        self.groups_ = [list(first_row)[position] for position in order]
        self._measures = table.iloc[order].reset_index(drop=True)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "groups_")
        return self.features_.columns_of({member for group in self.groups_ for member in group})
