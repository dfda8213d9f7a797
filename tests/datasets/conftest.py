"""RDKit, for the tests that need it, and a cache that no test shares with a user."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import unavailable


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Send what the data sets cache to a folder of this test run."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COTERIE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def rdkit() -> None:
    """Ask for RDKit; without it, skip or (COTERIE_REQUIRE_DATA=1) fail."""
    if find_spec("rdkit") is None:
        unavailable("the extra 'chem' (RDKit) is not installed")
