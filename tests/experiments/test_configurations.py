from __future__ import annotations

import inspect

import pytest

from coterie.experiments import Options, load_experiment
from coterie.experiments.configurations import arguments_of, data_of, read_family
from coterie.experiments.methods import LISTED, methods
from coterie.experiments.published import read_published
from coterie.experiments.tasks import FAMILIES

TABLES = {"synthetic": "table-synthetic-all", "chemistry": "table-chemistry-all"}


@pytest.mark.parametrize("family", TABLES)
def test_every_entry_is_an_argument_of_the_methods_estimator(family):
    for job in load_experiment(TABLES[family]).jobs(Options(n_seeds=1)):
        estimator = methods()[job.method].estimator()
        assert set(job.arguments) <= set(inspect.signature(type(estimator)).parameters)


@pytest.mark.parametrize("family", TABLES)
def test_every_section_is_a_method_and_its_tasks_are_the_familys(family):
    contents = read_family(family)
    named = set(contents) - {"tasks", "data", "quick"}
    assert named <= set(LISTED)
    for name in named:
        own = {key for key, value in contents[name].items() if isinstance(value, dict)}
        assert own <= set(FAMILIES[family])


def test_a_task_may_have_settings_of_its_own():
    assert arguments_of("synthetic", "group_lasso", "Syn1")["reg"] == 0.1
    assert arguments_of("synthetic", "group_lasso", "Syn2")["reg"] == 0.04
    assert arguments_of("chemistry", "supervised_cae", "Chem3")["n_select"] == 4


def test_the_paper_settings_of_the_synthetic_tasks():
    settings = arguments_of("synthetic", "compfs5", "Syn4")
    paper = {"beta": 4.5, "beta_ensemble": 1.0, "beta_overlap": 1.2, "batch_size": 50}
    assert paper.items() <= settings.items()
    assert data_of("synthetic", "compfs5")["n_features"] == 500


def test_a_quick_run_has_fewer_rows_and_epochs():
    full, quick = (arguments_of("synthetic", "stg", "Syn1", quick=quick) for quick in (False, True))
    assert quick["max_epochs"] < full["max_epochs"]
    assert data_of("synthetic", "stg", quick=True)["n_train"] < 20000


def test_each_published_row_belongs_to_a_method():
    titles = {method.title for method in LISTED.values()}
    assert {row["model"] for row in read_published("recovery")} <= titles
