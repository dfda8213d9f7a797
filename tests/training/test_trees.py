"""Trees of arrays by name."""

import numpy as np

from coterie.model.objective import Ensemble, init_ensemble
from coterie.training.trees import flatten, unflatten


def test_names_are_paths_and_lead_back_to_the_tree():
    ensemble = init_ensemble(np.random.default_rng(0), 2, 3, 3, 4, 2)
    arrays = flatten(ensemble)
    assert set(arrays) == {
        "logits",
        *(
            f"{layer}.{part}"
            for layer in ("first", "second", "individual", "ensemble")
            for part in ("weight", "bias")
        ),
    }
    again = unflatten(ensemble, arrays)
    assert isinstance(again, Ensemble)
    assert (again.second.weight == np.asarray(ensemble.second.weight)).all()
