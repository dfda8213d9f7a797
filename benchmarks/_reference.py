"""One fit by the authors' package, in the interpreter that has it; prints its timings as JSON.

Run by ``benchmarks.engine``. It imports nothing of this project: the other environment holds
PyTorch and ``compfs`` alone. What ``compfs`` imports for its image and chemistry data sets is not
needed here, so empty modules stand in for it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import sys
from time import perf_counter
from types import ModuleType
from typing import Any

STARTED = perf_counter()
N_WATCHED = 200
"""Test rows on which the package measures itself after each epoch."""
STAND_INS = (
    "torchvision",
    "torchvision.datasets",
    "torchvision.transforms",
    "rdkit",
    "rdkit.Chem",
)


class StandIn(ModuleType):
    """An empty module: whatever is asked of it is a function that does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *arguments: None


def stand_in(names: tuple[str, ...]) -> None:
    """Put empty modules where the real ones are not installed."""
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            sys.modules[name] = StandIn(name)
            package, _, attribute = name.rpartition(".")
            if package:
                setattr(sys.modules[package], attribute, sys.modules[name])


def peak_memory_mb() -> float:
    """Return the most memory that this process has held."""
    return memory_mb("VmHWM")


def forget_peak_memory() -> None:
    """Let the peak be that of what follows."""
    with open("/proc/self/clear_refs", "w") as switch:
        switch.write("5")


def memory_mb(measure: str = "VmRSS") -> float:
    """Return the memory that this process holds."""
    with contextlib.suppress(OSError), open("/proc/self/status") as status:
        for line in status:
            if line.startswith(measure):
                return float(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def configuration(n_features: int, epochs: int) -> dict[str, Any]:
    """Return the paper's settings for the synthetic tasks, as the package takes them."""
    import torch
    from compfs.metrics import accuracy
    from compfs.models import CompFS
    from compfs.thresholding_functions import make_lambda_threshold

    return {
        "model": CompFS,
        "device": "cpu",
        "model_config": {
            "lr": 0.003,
            "lr_decay": 0.99,
            "batchsize": 50,
            "num_epochs": epochs,
            "loss_func": torch.nn.CrossEntropyLoss(),
            "val_metric": accuracy,
            "in_dim": n_features,
            "h_dim": 20,
            "out_dim": 2,
            "nlearners": 5,
            "threshold_func": make_lambda_threshold(0.7),
            "temp": 0.1,
            "beta_s": 4.5,
            "beta_s_decay": 0.99,
            "beta_d": 1.2,
            "beta_d_decay": 0.99,
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", help="npz file with X, y, X_test and y_test")
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    stand_in(STAND_INS)
    import numpy as np
    import torch
    from compfs.datasets import NumpyDataset
    from compfs.models import TorchModel

    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    import_seconds = perf_counter() - STARTED
    with np.load(options.data) as data:
        train = NumpyDataset(data["X"], data["y"])
        watched = NumpyDataset(data["X_test"][:N_WATCHED], data["y_test"][:N_WATCHED])
        test = NumpyDataset(data["X_test"], data["y_test"])
    ends: list[float] = []
    started = perf_counter()
    trainer = TorchModel(configuration(train[0][0].shape[0], options.epochs))
    train_epoch = trainer.train_epoch

    def timed_epoch(loader: Any) -> float:
        loss = train_epoch(loader)
        ends.append(perf_counter())
        return loss

    trainer.train_epoch = timed_epoch
    with contextlib.redirect_stdout(sys.stderr):
        trainer.train(train, watched)
    fit_seconds = perf_counter() - started
    accuracy = trainer.calculate_val_metric(torch.utils.data.DataLoader(test, batch_size=1000))
    result = {
        "import_seconds": import_seconds,
        "fit_seconds": fit_seconds,
        "accuracy": accuracy / 100,
        "epoch_ends": [end - started for end in ends],
        "peak_memory_mb": peak_memory_mb(),
        "groups": [[int(feature) for feature in group] for group in trainer.get_groups()],
        "versions": {
            "torch": torch.__version__,
            "compfs": importlib.import_module("compfs").__version__,
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
