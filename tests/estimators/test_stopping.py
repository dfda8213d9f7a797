"""A search that is stopped keeps what it had found, whenever it is stopped."""

import numpy as np
import pytest

from coterie import CoterieClassifier, load

X = np.random.default_rng(0).normal(size=(300, 4))
Y = X[:, 0] * X[:, 1] > 0.3


class StopAfter:
    """Asks to stop at the given question before a training."""

    def __init__(self, questions):
        self.questions = questions

    def on_epoch_end(self, record, state):
        return False

    def stops_now(self):
        self.questions -= 1
        return self.questions < 0


@pytest.mark.filterwarnings("ignore:The search was stopped")
@pytest.mark.parametrize("questions", [0, 1, 3])
def test_a_callback_can_stop_between_trainings(questions, tmp_path):
    callbacks = [StopAfter(questions)]
    model = CoterieClassifier(effort="fast", random_state=0, callbacks=callbacks).fit(X, Y)
    assert not model.is_complete_
    assert model.groups_ in ([], [(0, 1)])
    assert not load(model.save(tmp_path / "model.safetensors")).is_complete_


def test_the_warning_names_what_may_have_stopped_the_search():
    model = CoterieClassifier(effort="fast", random_state=0, callbacks=[StopAfter(0)])
    with pytest.warns(UserWarning, match=r"before its end \(a callback\)"):
        model.fit(X, Y)


def test_no_time_at_all_finds_nothing():
    model = CoterieClassifier(effort="fast", random_state=0, time_limit=1e-9)
    with pytest.warns(UserWarning, match="stopped before its end"):
        model.fit(X, Y)
    assert model.groups_ == []
    assert len(np.unique(model.predict(X))) == 1


def test_a_whole_search_says_so():
    model = CoterieClassifier(effort="fast", random_state=0).fit(X, Y)
    assert model.is_complete_
