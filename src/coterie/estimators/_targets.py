"""What is predicted: classes or real values, on the way into a model and out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

from coterie.model.losses import CrossEntropy, Loss, SquaredError


class Target(Protocol):
    """The way between the user's ``y`` and the model's target and outputs."""

    @property
    def loss(self) -> Loss:
        """The loss of a model of this target."""
        ...

    def encode(self, y: Any) -> NDArray[Any]:
        """Return ``y`` as the loss takes it."""
        ...

    def decode(self, outputs: NDArray[Any]) -> NDArray[Any]:
        """Return the prediction that outputs of shape (rows, outputs) mean, as in ``y``."""
        ...

    def strata(self, target: NDArray[Any]) -> NDArray[Any]:
        """Return what a split of the encoded rows has to balance, shape (rows,)."""
        ...

    def constant_outputs(
        self, target: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[np.float32]:
        """Return the best outputs that are the same for all rows, shape (outputs,)."""
        ...


@dataclass(frozen=True)
class Classes:
    """Class labels, modelled by one unnormalised log-probability each.

    Examples
    --------
    >>> classes = Classes.of(np.array(["no", "yes", "no"]))
    >>> classes.encode(np.array(["yes", "no"]))
    array([1, 0], dtype=int32)
    """

    labels: NDArray[Any]

    @classmethod
    def of(cls, y: NDArray[Any]) -> Classes:
        """Take the classes from the labels of the training rows, of which there must be two."""
        check_classification_targets(y)
        labels = np.unique(y)
        if len(labels) < 2:
            raise ValueError(
                "y must hold at least two classes, got one class only: "
                f"{labels.tolist()[0]!r}. (Rows of weight zero do not count.)"
            )
        return cls(labels)

    @property
    def loss(self) -> CrossEntropy:
        """Minus the log-likelihood of the class."""
        return CrossEntropy(len(self.labels))

    def encode(self, y: Any) -> NDArray[np.int32]:
        """Return the position of each row's class, shape (rows,)."""
        y = column_or_1d(y)
        positions = np.searchsorted(self.labels, y).clip(max=len(self.labels) - 1)
        unknown = self.labels[positions] != y
        if unknown.any():
            raise ValueError(
                f"y holds the class {y[unknown].tolist()[0]!r}, which the training rows lack; "
                f"known classes: {self.labels.tolist()}."
            )
        return positions.astype(np.int32)

    def decode(self, outputs: NDArray[Any]) -> NDArray[Any]:
        """Return the likeliest class of each row."""
        return self.labels[outputs.argmax(axis=1)]

    def strata(self, target: NDArray[Any]) -> NDArray[Any]:
        """Balance the classes."""
        return target

    def constant_outputs(
        self, target: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[np.float32]:
        """Return the logarithms of the classes' shares."""
        counts = np.bincount(target, weights=weights, minlength=len(self.labels))
        shares = np.maximum(counts / counts.sum(), np.finfo(np.float32).tiny)
        return np.log(shares).astype(np.float32)


@dataclass(frozen=True)
class RealValues:
    """Real outcomes, modelled with mean 0 and variance 1.

    The penalties then weigh the same against the loss whatever unit the outcomes come in.

    Attributes
    ----------
    mean, scale : ndarray, shape (outputs,)
    is_vector : bool
        Whether ``y`` is of shape (rows,), and predictions are to be.
    """

    mean: NDArray[np.float64]
    scale: NDArray[np.float64]
    is_vector: bool

    @classmethod
    def of(cls, y: NDArray[Any], weights: NDArray[Any] | None) -> RealValues:
        """Take mean and scale from the outcomes of the training rows."""
        columns = y.reshape(len(y), -1).astype(np.float64)
        mean = np.average(columns, axis=0, weights=weights)
        deviation = np.sqrt(np.average((columns - mean) ** 2, axis=0, weights=weights))
        is_constant = deviation <= 1e-12 * np.abs(mean)
        return cls(mean, np.where(is_constant, 1.0, deviation), y.ndim == 1)

    @property
    def loss(self) -> SquaredError:
        """The squared error, averaged over the outputs."""
        return SquaredError(len(self.mean))

    def encode(self, y: Any) -> NDArray[np.float32]:
        """Return the standardised outcomes, shape (rows, outputs)."""
        columns = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        if columns.shape[1] != len(self.mean):
            raise ValueError(
                f"y has {columns.shape[1]} outputs, the training rows have {len(self.mean)}."
            )
        return ((columns - self.mean) / self.scale).astype(np.float32)

    def decode(self, outputs: NDArray[Any]) -> NDArray[np.float64]:
        """Return outcomes in the unit of ``y``."""
        values = outputs.astype(np.float64) * self.scale + self.mean
        return values[:, 0] if self.is_vector else values

    def strata(self, target: NDArray[Any]) -> NDArray[Any]:
        """Have nothing to balance."""
        return np.zeros(len(target), dtype=np.int32)

    def constant_outputs(
        self, target: NDArray[Any], weights: NDArray[Any] | None
    ) -> NDArray[np.float32]:
        """Return the mean of the standardised outcomes."""
        return np.zeros(len(self.mean), dtype=np.float32)


def class_weights(
    class_weight: dict[Any, float] | str | None, y: NDArray[Any], weights: NDArray[Any] | None
) -> NDArray[Any] | None:
    """Return the weights of rows times those of their classes; None for equal ones."""
    if class_weight is None:
        return weights
    of_classes = compute_sample_weight(class_weight, y)
    return of_classes if weights is None else of_classes * weights
