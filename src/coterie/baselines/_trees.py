"""Trees as arrays: which features they split on, how well each predicts, and predicting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

LEAF = -1


@dataclass(frozen=True)
class Tree:
    """A binary tree. At a node, rows with ``column <= threshold`` go left.

    ``left`` and ``right`` are ``LEAF`` at leaves. ``value`` has shape (nodes, outputs) and
    ``decrease`` (nodes,) is by how much a split lowers the impurity, 0 at leaves.
    """

    column: NDArray[Any]
    threshold: NDArray[Any]
    left: NDArray[Any]
    right: NDArray[Any]
    value: NDArray[Any]
    decrease: NDArray[Any]

    def outputs(self, columns: NDArray[Any]) -> NDArray[np.float64]:
        """Return the value of each row's leaf, shape (rows, outputs).

        Examples
        --------
        >>> stump = Tree(*map(np.array, ([0, 0, 0], [1.5, 0, 0], [1, -1, -1], [2, -1, -1],
        ...                              [[0.0], [3.0], [4.0]], [1.0, 0, 0])))
        >>> stump.outputs(np.array([[1.0], [2.0]]))
        array([[3.],
               [4.]])
        """
        node = np.zeros(len(columns), dtype=np.intp)
        rows = np.flatnonzero(self.left[node] != LEAF)
        while len(rows):
            at = node[rows]
            goes_left = columns[rows, self.column[at]] <= self.threshold[at]
            node[rows] = np.where(goes_left, self.left[at], self.right[at])
            rows = rows[self.left[node[rows]] != LEAF]
        return self.value[node]

    def importances(self, owner: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the share of each feature in the decrease of the impurity, shape (features,)."""
        splits = self.left != LEAF
        features = owner[self.column[splits].astype(np.intp)]
        total = np.bincount(features, self.decrease[splits], int(owner.max()) + 1)
        return np.asarray(total / max(float(total.sum()), np.finfo(np.float64).tiny))


def pack(trees: Sequence[Tree]) -> dict[str, NDArray[Any]]:
    """Lay trees end to end in plain arrays, the form in which an estimator keeps them."""
    fields = ("column", "threshold", "left", "right", "value", "decrease")
    arrays = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in fields}
    return {**arrays, "size": np.array([len(tree.column) for tree in trees])}


def unpack(arrays: dict[str, NDArray[Any]]) -> list[Tree]:
    """Take the trees apart again."""
    ends = np.cumsum(arrays["size"])
    return [
        Tree(**{name: array[end - size : end] for name, array in arrays.items() if name != "size"})
        for size, end in zip(arrays["size"], ends, strict=True)
    ]


def ranking_quality(
    target: NDArray[Any], scores: NDArray[Any], weights: NDArray[Any] | None
) -> float:
    """Return the area under the ROC curve, averaged over the classes against the others.

    ``scores`` has shape (rows, classes), or (rows, 1) for the score of class 1.

    Examples
    --------
    >>> ranking_quality(np.array([0, 1, 1]), np.array([[0.1], [0.7], [0.8]]), None)
    1.0
    """
    codes = [1] if scores.shape[1] == 1 else range(scores.shape[1])
    areas = [
        roc_auc_score(target == code, scores[:, place], sample_weight=weights)
        for place, code in enumerate(codes)
        if 0 < (target == code).sum() < len(target)
    ]
    return float(np.mean(areas)) if areas else 0.5


def main_features(importances: NDArray[np.float64], threshold: float, most: int) -> tuple[int, ...]:
    """Return the features of more than a threshold's importance, at most so many.

    Examples
    --------
    >>> main_features(np.array([0.05, 0.6, 0.35]), threshold=0.1, most=10)
    (1, 2)
    """
    likely = np.argsort(-importances, kind="stable")[:most]
    return tuple(sorted(int(feature) for feature in likely if importances[feature] > threshold))
