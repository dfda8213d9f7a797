from __future__ import annotations

import subprocess
import sys

import pytest
from sklearn.base import clone, is_classifier

import coterie.baselines
from coterie.baselines import BASELINES, load_baseline
from tests.estimators.estimators_under_test import QUICK_BASELINES


@pytest.mark.parametrize("name", BASELINES)
def test_every_line_leads_to_a_classifier_whose_arguments_have_defaults(name):
    found = load_baseline(name)
    assert is_classifier(clone(found()))
    assert getattr(coterie.baselines, found.__name__) is found
    assert found.__name__ in dir(coterie.baselines)


def test_every_baseline_is_under_the_tests_of_the_contract():
    assert set(QUICK_BASELINES) == set(BASELINES)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"name must be one of.*'lasso'.*got 'laso'"):
        load_baseline("laso")
    with pytest.raises(AttributeError, match="Laso"):
        coterie.baselines.Laso  # noqa: B018


def test_listing_the_baselines_imports_nothing_heavy():
    program = "import sys, coterie.baselines; print({'jax', 'numpy', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr
