"""Any estimator that finds groups, on a table with categories and gaps."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from coterie.estimators._features import Features, resolve_features
from coterie.estimators._selector import MEASURES, GroupSelectorMixin
from coterie.groups import Group
from coterie.io.encoding import TableEncoder
from coterie.io.frames import as_frame


def _inner_has(name: str) -> Any:
    """Offer a method if the inner estimator has it."""

    def check(model: Any) -> bool:
        return hasattr(getattr(model, "estimator_", model.estimator), name)

    return available_if(check)


class TableModel(GroupSelectorMixin, BaseEstimator):
    """Fit an estimator on a data frame of numbers, booleans and categories.

    The table is encoded by a :class:`~coterie.io.encoding.TableEncoder`. All columns of numbers
    that stem from one column of the table share a gate, so groups are groups of columns of the
    table, whatever their type.

    Parameters
    ----------
    estimator : estimator that finds groups
        Such as ``CoterieClassifier()``. Its ``feature_groups``, if set, speak of the columns of the
        table. It is cloned, and stays as it is.
    impute : bool, default=False
        Fill missing values with the median or the most frequent value, and let the estimator see
        where they were. False refuses missing values.

    Attributes
    ----------
    estimator_ : estimator
        Fitted on the encoded columns.
    encoder_ : TableEncoder
    data_notes_ : list of str
        What types were found, and what was encoded and filled.
    groups_ : list of tuple of int
    features_ : Features
    classes_ : ndarray
        Of classifiers.
    feature_names_in_ : ndarray of str
        The columns of the table.
    n_features_in_ : int

    Notes
    -----
    Later tables are read by the names of their columns: order does not matter, and further columns
    are left aside. Categories that no row of training had belong to none of the known ones.

    Examples
    --------
    >>> from coterie import CoterieRegressor
    >>> rng = np.random.default_rng(0)
    >>> table = pd.DataFrame(
    ...     {
    ...         "age": rng.normal(60, 9, 400),
    ...         "site": rng.choice(["A", "B", "C"], 400),
    ...         "dose": rng.normal(size=400),
    ...     }
    ... )
    >>> target = table["dose"] * (table["site"] == "B")
    >>> model = TableModel(CoterieRegressor(effort="fast", random_state=0)).fit(table, target)
    >>> model.get_groups(names=True)
    [('site', 'dose')]
    >>> model.data_notes_
    ['2 numbers, 1 category.', "Column 'site' is a category of 'A', 'B', 'C'."]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "estimator": [HasMethods(["fit", "predict", "get_params"])],
        "impute": ["boolean"],
    }

    estimator_: Any
    encoder_: TableEncoder

    def __init__(self, estimator: Any, impute: bool = False) -> None:
        self.estimator = estimator
        self.impute = impute

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Find the types of the columns, encode them, and fit the estimator.

        Parameters
        ----------
        X : DataFrame of pandas or polars, shape (rows, columns)
        y : array-like, shape (rows,); for real outcomes (rows, outputs) too
        sample_weight : array-like, shape (rows,), optional

        Returns
        -------
        self
        """
        self._validate_params()
        self.encoder_ = TableEncoder(impute=self.impute).fit(X)
        self.feature_names_in_ = self.encoder_.feature_names_in_
        self.n_features_in_ = self.encoder_.n_features_in_
        self.data_notes_ = list(self.encoder_.notes_)
        inner = clone(self.estimator)
        parameters = inner.get_params(deep=False)
        features = resolve_features(
            parameters.get("feature_groups"), [str(name) for name in self.feature_names_in_]
        )
        owner = features.owner[self.encoder_.owner_]
        shares_gates = "feature_groups" in parameters
        if shares_gates:
            inner.set_params(feature_groups=[features.labels[feature] for feature in owner])
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = inner.fit(self.encoder_.transform(X), _values(y), **weights)
        check_is_fitted(self.estimator_, "groups_")
        self._publish(features, None if shares_gates else owner)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the prediction for each row of a table."""
        encoded = self._encode(X)
        return self.estimator_.predict(encoded)

    @_inner_has("predict_proba")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, shape (rows, classes)."""
        encoded = self._encode(X)
        return self.estimator_.predict_proba(encoded)

    @_inner_has("decision_function")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each class, or with two classes the log-odds of ``classes_[1]``."""
        encoded = self._encode(X)
        return self.estimator_.decision_function(encoded)

    @_inner_has("contributions")
    def contributions(self, X: Any) -> NDArray[np.float64]:
        """Return what each group adds to the score of each row."""
        encoded = self._encode(X)
        return self.estimator_.contributions(encoded)

    @_inner_has("score")
    def score(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> float:
        """Return the estimator's own score: accuracy of classes, or R² of real outcomes."""
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        encoded = self._encode(X)
        return self.estimator_.score(encoded, _values(y), **weights)

    def transform(self, X: Any) -> pd.DataFrame:
        """Return the columns of a table that belong to any group, as they are."""
        check_is_fitted(self, "groups_")
        return self.encoder_.select(X).loc[:, self.support_]

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes that are told apart."""
        return self.estimator_.classes_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.regressor_tags = inner.regressor_tags
        tags.target_tags = inner.target_tags
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = self.impute
        return tags

    def _publish(self, features: Features, owner: NDArray[np.intp] | None) -> None:
        """Take over the groups; ``owner`` is needed if they count the encoded columns."""
        groups: list[Group] = self.estimator_.groups_
        if owner is not None:
            groups = [tuple(int(owner[column]) for column in group) for group in groups]
        table = self.estimator_.groups_table()
        self._set_groups(groups, features, **{name: table[name] for name in MEASURES})

    def _encode(self, X: Any) -> pd.DataFrame:
        check_is_fitted(self, "groups_")
        return self.encoder_.transform(X)


def _values(y: Any) -> Any:
    """Return a target as the estimators take it, whatever kind of column it comes in."""
    if type(y).__module__.partition(".")[0] == "polars":
        y = as_frame(y.to_frame() if hasattr(y, "to_frame") else y).squeeze(axis=1)
    if isinstance(y, pd.Series):
        return y.infer_objects().to_numpy()
    return y
