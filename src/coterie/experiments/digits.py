"""Fills a cell of the MNIST table: selected pixels, and how well networks classify by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from coterie.baselines._layers import apply_layers, as_arrays, init_layers, predict_layers
from coterie.baselines._training import Schedule, Step, train_network, weighted_mean
from coterie.datasets import fetch_mnist
from coterie.experiments.cells import Job, Settings
from coterie.experiments.fits import as_lists, make_estimator, noted, timed_fit
from coterie.experiments.methods import methods
from coterie.experiments.tasks import Split
from coterie.groups import Group
from coterie.model.losses import CrossEntropy, Loss
from coterie.model.objective import Batch
from coterie.model.thresholds import TopK
from coterie.training import TrainingData

N_DIGITS = 10
COMPFS = "compfs4"


@cache
def load_digits(n_train: int) -> Split:
    """Return the published split, with so many of its training images."""
    train, test = (fetch_mnist(subset=subset) for subset in ("train", "test"))
    chosen = train.data[:n_train], train.target[:n_train]
    return Split(chosen, (test.data, test.target), None, feature_names=train.feature_names)


def measure_digits(job: Job) -> dict[str, Any]:
    """Select pixels, then train networks on them.

    Returns
    -------
    dict
        ``groups``; ``models``, by what they see ("Union", "Group 1", "CompFS", "own"): ``pixels``,
        ``accuracy`` in percent and ``per_class``; ``fit_seconds``.
    """
    split = load_digits(job.data["n_train"])
    estimator = _make(job)
    seconds = timed_fit(estimator, *split.train)
    groups = estimator.groups_
    union = sorted({pixel for group in groups for pixel in group})
    own = _accuracies(estimator.predict(split.test[0]), split.test[1])
    models = {
        "own": {"pixels": len(union), **own},
        "Union": _judge(union, job, split),
    }
    if job.method == COMPFS:
        for place, group in enumerate(groups, start=1):
            models[f"Group {place}"] = _judge(group, job, split)
        models["CompFS"] = {"pixels": len(union), **_judge_together(groups, job, split)}
    return {
        "groups": as_lists(groups),
        "models": models,
        **noted(estimator),
        "fit_seconds": round(seconds, 3),
    }


def _make(job: Job) -> Any:
    if job.method != COMPFS:
        return make_estimator(job)
    arguments = dict(job.arguments)
    threshold = TopK(arguments.pop("top"))
    return make_estimator(
        replace(job, method="compfs5", arguments={**arguments, "threshold": threshold})
    )


def _judge(pixels: Sequence[int], job: Job, split: Split) -> Settings:
    """Train a plain network on the pixels."""
    data = job.data
    network = methods()["oracle"].estimator(
        groups=[tuple(pixels)],
        hidden_dim=data["hidden_dim"],
        batch_size=data["batch_size"],
        learning_rate=data["learning_rate"],
        max_epochs=data["max_epochs"],
        random_state=job.seed,
    )
    timed_fit(network, *split.train)
    predicted = network.predict(split.test[0])
    return {"pixels": len(pixels), **_accuracies(predicted, split.test[1])}


@dataclass(frozen=True)
class SumObjective:
    """The loss of the sum of networks, each of which sees the pixels of its group alone."""

    loss: Loss
    groups: tuple[Group, ...]

    def __call__(
        self, parameters: Any, constants: None, batch: Batch, step: Step
    ) -> tuple[jax.Array, dict[str, jax.Array]]:
        effects = [
            apply_layers(layers, batch.rows[:, np.array(group)])
            for layers, group in zip(parameters, self.groups, strict=True)
        ]
        outputs = jnp.sum(jnp.stack(effects), axis=0)
        return weighted_mean(self.loss(outputs, batch.target), batch), {}


def _judge_together(groups: Sequence[Group], job: Job, split: Split) -> Settings:
    """Train the composite architecture: the sum of a network for each group."""
    X, y = split.train
    sizes = [job.data["composite_hidden_dim"]] * 2
    rng = np.random.default_rng([job.seed, 1])
    initial = tuple(init_layers(rng, [len(group), *sizes, N_DIGITS]) for group in groups)
    trained, _ = train_network(
        SumObjective(CrossEntropy(N_DIGITS), tuple(groups)),
        initial,
        None,
        TrainingData(X, y.astype(np.int32), None),
        Schedule(job.data["max_epochs"], job.data["batch_size"], job.data["learning_rate"]),
        job.seed,
    )
    outputs = sum(
        predict_layers(as_arrays(layers), split.test[0][:, list(group)])
        for layers, group in zip(trained, groups, strict=True)
    )
    return _accuracies(np.argmax(outputs, axis=1), split.test[1])


def _accuracies(predicted: NDArray[Any], true: NDArray[Any]) -> Settings:
    """Return the accuracy and that of each class, in percent."""
    is_right = predicted == true
    per_class = [round(100 * float(is_right[true == code].mean()), 2) for code in range(N_DIGITS)]
    return {"accuracy": round(100 * float(is_right.mean()), 2), "per_class": per_class}
