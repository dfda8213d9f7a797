"""The smallest models that pictures can be drawn of."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator

from coterie.estimators._selector import GroupSelectorMixin


class Found(GroupSelectorMixin, BaseEstimator):
    """A model that has found given groups."""

    def __init__(self, groups, names):
        self.groups = groups
        self.names = names

    def fit(self, X=None, y=None, **measures):
        self.n_features_in_ = len(self.names)
        self.feature_names_in_ = np.array(self.names, dtype=object)
        self._set_groups(self.groups, **measures)
        return self


class Additive(Found):
    """One that says what each group contributes: the product of its columns."""

    aggregator_ = "sum"
    base_value_ = 1.0
    effort = "standard"

    def contributions(self, X):
        values = np.asarray(X, dtype=float)
        return np.stack([values[:, list(group)].prod(axis=1) for group in self.groups_], axis=1)

    def predict(self, X):
        return self.base_value_ + self.contributions(X).sum(axis=1)


def found(groups, n_features=6, **measures):
    return Found(groups, [f"x{i}" for i in range(n_features)]).fit(**measures)


def additive(groups, names, **measures):
    return Additive(groups, list(names)).fit(**measures)


class Labelled(Additive):
    """One whose contributions are log-odds, or log-probabilities of several classes."""

    def __init__(self, groups, names, classes):
        super().__init__(groups, names)
        self.classes = classes

    def fit(self, X=None, y=None, **measures):
        self.classes_ = np.array(self.classes, dtype=object)
        if len(self.classes) > 2:
            self.base_value_ = np.arange(len(self.classes), dtype=float)
        return super().fit(**measures)

    def contributions(self, X):
        effects = super().contributions(X)
        if len(self.classes) == 2:
            return effects
        return effects[:, :, None] * np.linspace(-1, 1, len(self.classes))

    def predict_proba(self, X):
        score = self.base_value_ + self.contributions(X).sum(axis=1)
        if len(self.classes) == 2:
            score = np.stack([np.zeros(len(score)), score], axis=1)
        powers = np.exp(score - score.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def labelled(groups, names, classes=("no", "yes"), **measures):
    return Labelled(groups, list(names), list(classes)).fit(**measures)
