"""What the estimators with stochastic gates share."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from coterie.baselines._base import COMMON, Baseline
from coterie.baselines._gates import (
    ClippedGate,
    Gate,
    GatedNetwork,
    GatedObjective,
    Gates,
    init_gated_network,
)
from coterie.baselines._layers import as_arrays, init_layers, predict_layers
from coterie.baselines._training import Schedule, padded_width, train_network
from coterie.estimators._rows import Problem
from coterie.estimators._validation import integer_seed
from coterie.groups import Group
from coterie.training import TrainingData
from coterie.training.padding import pad_to, padded_size
from coterie.training.trained import widen


class GatedClassifier(Baseline):
    """Learners with gates, trained by one loss; the features that a learner opens are a group."""

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **COMMON,
        "reg": [Interval(Real, 0, None, closed="left")],
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "threshold": [Interval(Real, 0, 1, closed="right")],
        "hidden_dim": [Interval(Integral, 1, None, closed="left")],
        "max_epochs": [Interval(Integral, 1, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "lr_decay": [Interval(Real, 0, None, closed="neither")],
        "weight_decay": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
    }
    reg: float
    sigma: float
    threshold: float
    hidden_dim: int
    max_epochs: int
    batch_size: int
    learning_rate: float
    lr_decay: float
    weight_decay: float
    random_state: Any

    def _n_learners(self) -> int:
        raise NotImplementedError

    def _gate(self) -> Gate:
        return ClippedGate(self.sigma)

    def _reg_of_mean(self, n_features: int) -> float:
        """Return what the mean cost of the features' gates is multiplied by."""
        return self.reg

    def _joint_sizes(self, n_outputs: int) -> list[int]:
        """Return the sizes of the layers on the learners' codes."""
        raise NotImplementedError

    def _find_groups(self, problem: Problem) -> list[Group]:
        data = problem.training
        seed = integer_seed(self.random_state)
        may_open = np.zeros(len(self._features), dtype=bool)
        may_open[self._features.owner[~self._is_constant]] = True
        reg = self._reg_of_mean(int(may_open.sum()))
        width, n_gates = padded_width(data), padded_size(len(may_open))
        trained, self.history_ = train_network(
            GatedObjective(self._target.loss, self._gate(), reg, self.weight_decay),
            self._initial(seed, data, width, n_gates),
            Gates(
                pad_to(may_open.astype(np.float32), (n_gates,)),
                pad_to(self._features.owner.astype(np.int32), (width,)),
            ),
            data,
            Schedule(self.max_epochs, self.batch_size, self.learning_rate, self.lr_decay),
            seed,
        )
        self.gates_ = self._gate().at_rest(trained.centres[:, : len(may_open)]) * may_open
        self._mask = self.gates_ >= self.threshold
        self._keep_network(trained, data.columns.shape[1])
        size = self.gates_.sum(axis=1)
        groups = [tuple(np.flatnonzero(mask).tolist()) for mask in self._mask]
        return [groups[learner] for learner in np.argsort(-size, kind="stable")]

    def _initial(self, seed: int, data: TrainingData, width: int, n_gates: int) -> GatedNetwork:
        rng = np.random.default_rng([seed, 0])
        n_columns = data.columns.shape[1]
        joint = init_layers(rng, self._joint_sizes(self._target.loss.n_outputs))
        network = init_gated_network(
            rng, self._n_learners(), len(self._features), n_columns, self.hidden_dim, joint
        )
        centres = pad_to(network.centres, (self._n_learners(), n_gates))
        return network._replace(centres=centres, first=widen(network.first, width))

    def _keep_network(self, trained: GatedNetwork, n_columns: int) -> None:
        """Keep plain arrays, without the padding."""
        gates = (self.gates_ * self._mask)[:, self._features.owner]
        first = trained.first.weight[:, :, :n_columns] * gates[:, None, :]
        self._encoders = {
            "first": np.asarray(first, np.float32),
            "first_bias": np.asarray(trained.first.bias),
            "second": np.asarray(trained.second.weight),
            "second_bias": np.asarray(trained.second.bias),
        }
        self._joint = as_arrays(trained.joint)

    def _scores(self, columns: NDArray[np.float32]) -> NDArray[np.float64]:
        kept = self._encoders
        used = np.flatnonzero(kept["first"].any(axis=(0, 1)))
        rows = columns[:, used].astype(np.float64)
        codes = []
        for learner in range(self._n_learners()):
            layers = [
                (kept["first"][learner][:, used].T, kept["first_bias"][learner]),
                (kept["second"][learner].T, kept["second_bias"][learner]),
            ]
            codes.append(np.maximum(predict_layers(layers, rows), 0.0))
        return predict_layers(self._joint, np.hstack(codes))
