"""The published data, for the tests that need them, and a cache that no test shares with a user."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Send what the data sets cache to a folder of this test run."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COTERIE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def published() -> Callable[[str], Path]:
    """Return the path of a published file; without it, skip or (COTERIE_REQUIRE_DATA=1) fail."""

    def find(name: str) -> Path:
        path = Path(os.environ.get("COTERIE_DATA", ""), name)
        if not path.is_file():
            _unavailable(f"{name} is not in COTERIE_DATA")
        return path

    return find


@pytest.fixture(scope="session")
def rdkit() -> None:
    """Ask for RDKit; without it, skip or (COTERIE_REQUIRE_DATA=1) fail."""
    if find_spec("rdkit") is None:
        _unavailable("the extra 'chem' (RDKit) is not installed")


def _unavailable(reason: str) -> None:
    if os.environ.get("COTERIE_REQUIRE_DATA") == "1":
        pytest.fail(f"COTERIE_REQUIRE_DATA is 1, but {reason}")
    pytest.skip(reason)
