"""A small run that tests share, and a cache of programs that no test shares with a user."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from coterie.model.losses import CrossEntropy
from coterie.training import TrainedEnsemble, TrainingData, TrainingSettings, train_ensembles


@pytest.fixture(scope="session", autouse=True)
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep compiled programs in a folder of this test run."""
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COTERIE_COMPILATION_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def settings() -> TrainingSettings:
    """Three epochs of seven batches, the last of which is not full."""
    return TrainingSettings(n_groups=3, hidden_dim=8, max_epochs=3, batch_size=32)


@pytest.fixture(scope="session")
def data() -> TrainingData:
    """Give 200 rows of 12 columns with means far from zero, of which two matter."""
    rng = np.random.default_rng(0)
    columns = (rng.normal(size=(200, 12)) + np.arange(12)).astype(np.float32)
    target = (columns[:, 0] * (columns[:, 1] - 1) > 0).astype(np.int32)
    return TrainingData(columns, target)


@pytest.fixture(scope="session")
def train(settings: TrainingSettings, data: TrainingData) -> Callable[..., list[TrainedEnsemble]]:
    """Train with these settings and data unless told otherwise."""

    def run(seeds=(0,), settings=settings, data=data, **options):
        return train_ensembles(settings, CrossEntropy(2), data, seeds, **options)

    return run


@pytest.fixture(scope="session")
def trained(train: Callable[..., list[TrainedEnsemble]]) -> TrainedEnsemble:
    """The run of seed 0."""
    return train()[0]
