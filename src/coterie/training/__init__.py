"""The training of models: one loop, its settings, history and callbacks."""

from coterie.training.callbacks import Callback, Checkpoint, EarlyStopping, Progress
from coterie.training.ensembles import train_ensembles
from coterie.training.settings import TrainingData, TrainingSettings
from coterie.training.trained import TrainedEnsemble, predict_outputs

__all__ = [
    "Callback",
    "Checkpoint",
    "EarlyStopping",
    "Progress",
    "TrainedEnsemble",
    "TrainingData",
    "TrainingSettings",
    "predict_outputs",
    "train_ensembles",
]
