"""The paper's method: Composite Feature Selection with deep ensembles."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils._param_validation import StrOptions

from coterie.estimators._compfs import CompFS
from coterie.estimators._targets import Classes, RealValues, class_weights
from coterie.model.thresholds import Threshold


class CompFSClassifier(ClassifierMixin, CompFS):
    r"""Composite Feature Selection for two or more classes.

    An ensemble of :math:`N` learners, each of which sees the columns through stochastic gates of
    its own with probabilities :math:`\pi_i`, is trained by

    .. math:: \sum_i \big[\ell_Y(y, \hat y_i) + \beta \langle \pi_i \rangle^2\big]
        + \beta_E \, \ell_Y(y, \hat y) + \beta_R \sum_{i<j} \pi_i \cdot \pi_j .

    The features whose gates stay open in a learner are a group. The arguments are the paper's
    hyperparameters, and so are their defaults; ``n_groups=1`` is the paper's CompFS(1).

    Parameters
    ----------
    n_groups : int, default=5
        Learners, and so the most groups that can be found.
    hidden_dim : int, default=20
        Width of the two hidden layers of each learner.
    beta : float, default=4.5
        Weight of the penalty on the size of groups; the square root of the number of features
        multiplies it.
    beta_ensemble : float, default=1.0
        Weight of the ensemble's loss.
    beta_overlap : float, default=1.2
        Weight of the penalty on features that groups share, scaled as ``beta``.
    temperature : float, default=0.1
        How far the gates in training are from being either open or shut.
    threshold : float or Threshold, default=0.7
        The gate probability from which on a feature is in the group, or a rule such as ``TopK``.
    max_epochs : int, default=35
    batch_size : int, default=50
    learning_rate : float, default=0.003
    lr_decay, penalty_decay : float, default=0.99
        What the learning rate and both penalties are multiplied by after an epoch.
    gate_noise : {"sample", "batch"} or int, default="sample"
        Draw gates for each row, for each mini-batch, or for so many rows together.
    stop_gradient : bool, default=True
        Whether only the ensemble's loss trains gates and encoders, as in the authors' code. With
        False every loss does, as in the paper's text.
    standardize : bool, default=False
        Bring the columns to mean 0 and variance 1 first.
    validation_fraction : float, optional
        Share of the rows of each class to hold out, the same rows for every ``random_state``.
    early_stopping : bool or int, default=False
        Stop when the loss on the held-out rows has not improved for so many epochs (True: 10).
    class_weight : dict, "balanced" or None, default=None
    feature_groups : dict, list of lists or list of labels, optional
        Columns that are one feature, such as the columns of an encoded category, and so share a
        gate: ``{"colour": ["red", "blue"]}``, ``[["red", "blue"]]``, or a label for each column.
        Columns are named or counted. ``groups_`` then counts features, in the order of their first
        columns, while ``support_``, ``transform`` and ``n_features_in_`` stay with the columns.
    random_state : int, RandomState, Generator or None, default=None
        None draws a fresh seed at each fit.
    device : optional
        Where to train: a JAX device or its platform's name, such as "gpu".
    verbose : int, default=0
        Report each epoch through ``logging``, at level INFO, if above 0.
    callbacks : list of Callback, optional
        Called at the end of each epoch.

    Attributes
    ----------
    groups_ : list of tuple of int
        The groups found, sorted, non-empty, unique, the strongest first.
    gate_probabilities_ : ndarray of float, shape (n_groups, features)
        0 for features that are constant.
    classes_ : ndarray
    threshold_ : Threshold
        The rule in force, see ``set_threshold``.
    history_ : list of dict
        A record of each epoch.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of str
        Only if X has column names that are all strings.
    features_ : Features
        Labels of the features, and the feature that owns each column.
    ensemble_ : TrainedEnsemble

    Notes
    -----
    The strength of a group, by which ``groups_`` is ordered, is the mean log-loss without its
    features minus that with them: on the held-out rows, or on the training rows if
    ``validation_fraction`` is None, which flatters groups that fit noise.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 6))
    >>> y = np.where(X[:, 1] + X[:, 4] > 0, "high", "low")
    >>> model = CompFSClassifier(n_groups=1, beta=0.5, learning_rate=0.03, random_state=0).fit(X, y)
    >>> model.groups_
    [(1, 4)]
    >>> model.get_groups(names=True)
    [('x1', 'x4')]
    >>> model.transform(X).shape
    (400, 2)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **CompFS._parameter_constraints,
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }
    _takes_real_values = False

    def __init__(
        self,
        n_groups: int = 5,
        *,
        hidden_dim: int = 20,
        beta: float = 4.5,
        beta_ensemble: float = 1.0,
        beta_overlap: float = 1.2,
        temperature: float = 0.1,
        threshold: float | Threshold = 0.7,
        max_epochs: int = 35,
        batch_size: int = 50,
        learning_rate: float = 0.003,
        lr_decay: float = 0.99,
        penalty_decay: float = 0.99,
        gate_noise: str | int = "sample",
        stop_gradient: bool = True,
        standardize: bool = False,
        validation_fraction: float | None = None,
        early_stopping: bool | int = False,
        class_weight: dict[Any, float] | str | None = None,
        feature_groups: Any = None,
        random_state: Any = None,
        device: Any = None,
        verbose: int = 0,
        callbacks: Any = None,
    ) -> None:
        super().__init__(
            n_groups,
            hidden_dim=hidden_dim,
            beta=beta,
            beta_ensemble=beta_ensemble,
            beta_overlap=beta_overlap,
            temperature=temperature,
            threshold=threshold,
            max_epochs=max_epochs,
            batch_size=batch_size,
            learning_rate=learning_rate,
            lr_decay=lr_decay,
            penalty_decay=penalty_decay,
            gate_noise=gate_noise,
            stop_gradient=stop_gradient,
            standardize=standardize,
            validation_fraction=validation_fraction,
            early_stopping=early_stopping,
            feature_groups=feature_groups,
            random_state=random_state,
            device=device,
            verbose=verbose,
            callbacks=callbacks,
        )
        self.class_weight = class_weight

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return unnormalised log-probabilities, shape (rows, classes).

        With two classes it is the log-odds of ``classes_[1]``, shape (rows,).
        """
        outputs = self._outputs(X)
        return outputs[:, 1] - outputs[:, 0] if outputs.shape[1] == 2 else outputs

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, shape (rows, classes)."""
        return softmax(self._outputs(X), axis=1)

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> Classes:
        target = Classes.of(y)
        self.classes_ = target.labels
        return target

    def _weigh(self, y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[Any] | None:
        return class_weights(self.class_weight, y, weights)


class CompFSRegressor(RegressorMixin, CompFS):
    """Composite Feature Selection for one or several real outcomes.

    The method of :class:`CompFSClassifier` with the squared error in place of the log-loss.
    Outcomes are brought to mean 0 and variance 1 for the training, so that penalties mean the same
    in any unit; losses in ``history_`` and strengths are in units of the outcomes' variance.

    Parameters
    ----------
    n_groups, hidden_dim, beta, beta_ensemble, beta_overlap, temperature, threshold, max_epochs, \
batch_size, learning_rate, lr_decay, penalty_decay, gate_noise, stop_gradient, standardize, \
validation_fraction, early_stopping, feature_groups, random_state, device, verbose, callbacks
        As in :class:`CompFSClassifier`, with the same defaults.

    Attributes
    ----------
    groups_, gate_probabilities_, history_, n_features_in_, feature_names_in_, features_, ensemble_
        As in :class:`CompFSClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(400, 6))
    >>> y = 100.0 + 5.0 * (X[:, 1] + X[:, 4])
    >>> model = CompFSRegressor(n_groups=1, beta=0.5, learning_rate=0.03, random_state=0).fit(X, y)
    >>> model.groups_
    [(1, 4)]
    """

    _takes_real_values = True

    def _make_target(self, y: NDArray[Any], weights: NDArray[Any] | None) -> RealValues:
        return RealValues.of(y, weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
