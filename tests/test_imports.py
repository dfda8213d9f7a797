"""Imports point one way down, and importing what is light pulls in nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import coterie

SOURCE = Path(coterie.__file__).parent

LAYERS = [
    "cli",
    "study",
    "report",
    "experiments",
    "baselines",
    "plots",
    "estimators",
    "discovery",
    "training",
    "model",
    "datasets",
    "io",
    "metrics",
    "groups",
]

OPTIONAL = {
    "anndata",
    "bed_reader",
    "matplotlib",
    "playwright",
    "polars",
    "pyarrow",
    "rdkit",
    "torch",
    "zstandard",
}

MODULES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def imported_modules(code: str, package: str) -> list[str]:
    """Return the full names of what a file of that package imports, wherever in the file."""
    names = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1]
            origin = ".".join([*base, node.module or ""]).strip(".") if node.level else node.module
            names += [f"{origin}.{alias.name}" for alias in node.names]
    return names


def layer(name: str) -> str | None:
    """Return the layer of ``coterie.x.y``; None for other projects and for the version."""
    project, _, inside = name.partition(".")
    if project != "coterie" or inside in ("", "__version__"):
        return None
    return coterie.PUBLIC.get(inside, name).split(".")[1]


def climbs(code: str, package: str) -> list[str]:
    """Return the imports of a file that point upwards."""
    own = LAYERS.index(layer(package))
    layers = ((name, layer(name)) for name in imported_modules(code, package))
    return [name for name, target in layers if target and LAYERS.index(target) < own]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path):
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    package = ".".join(parts if len(parts) == 2 else parts[:-1])
    assert climbs(path.read_text(), package) == []


@pytest.mark.parametrize(
    ("code", "package"),
    [
        ("import coterie.cli.main", "coterie.model"),
        ("from coterie import estimators", "coterie.training"),
        ("from coterie import CompFSClassifier", "coterie.training"),
        ("from ..training import loop", "coterie.model"),
        ("def late():\n    from coterie.metrics import jaccard", "coterie.groups"),
    ],
)
def test_an_import_that_points_up_is_seen(code, package):
    assert len(climbs(code, package)) == 1


@pytest.mark.parametrize(
    ("code", "package"),
    [
        ("import numpy\nfrom coterie import __version__", "coterie.groups"),
        ("from coterie.groups import Group", "coterie.metrics"),
        ("from . import columns\nfrom .columns import Gaussian", "coterie.datasets"),
        ("from coterie import CompFSClassifier", "coterie.cli"),
    ],
)
def test_an_import_that_points_down_is_fine(code, package):
    assert climbs(code, package) == []


def newly_imported(statement: str) -> set[str]:
    """Return the projects outside the standard library that a statement brings in."""
    program = (
        f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    projects = {name.partition(".")[0] for name in done.stdout.split()}
    known = {"coterie", *sys.stdlib_module_names}
    return {name for name in projects if name not in known and "cython" not in name}


def test_importing_coterie_imports_nothing_else():
    assert newly_imported("import coterie") == set()


def test_groups_and_metrics_need_numpy_only():
    assert newly_imported("import coterie.groups, coterie.metrics") <= {"numpy"}


def test_data_sets_and_commands_import_without_the_optional_packages():
    program = f"""
import sys

OPTIONAL = {OPTIONAL}

class Missing:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in OPTIONAL:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing)
import coterie.datasets, coterie.cli.main, coterie.io.tables, coterie.io.encoding, coterie.io.models
import coterie.plots, coterie.report
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", coterie.PUBLIC)
def test_public_names_are_there(name):
    assert getattr(coterie, name).__name__ == name
    assert name in dir(coterie)
    assert name in coterie.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        coterie.no_such_name  # noqa: B018
