"""What tests of several packages share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jax
import pytest
from hypothesis import settings

settings.register_profile("unhurried", deadline=None)  # the machines are noisy
settings.load_profile("unhurried")

COMPILATION = "/jax/core/compile/backend_compile_duration"

if os.environ.get(
    "COTERIE_DATA"
):  # tests work in folders of their own: a relative path would not follow
    os.environ["COTERIE_DATA"] = str(Path(os.environ["COTERIE_DATA"]).resolve())


@pytest.fixture(scope="session")
def count_compilations() -> Callable[..., Iterator[list[str]]]:
    """Collect the names of what is compiled, or loaded from a cache, within a block."""

    @contextmanager
    def counting() -> Iterator[list[str]]:
        seen: list[str] = []

        def listen(event: str, duration: float, **about: str) -> None:
            if event == COMPILATION:
                seen.append(about.get("fun_name", event))

        jax.monitoring.register_event_duration_secs_listener(listen)
        try:
            yield seen
        finally:
            jax.monitoring.unregister_event_duration_listener(listen)

    return counting


@pytest.fixture(scope="session")
def published() -> Callable[[str], Path]:
    """Return the path of a published file; without it, skip or (COTERIE_REQUIRE_DATA=1) fail."""

    def find(name: str) -> Path:
        path = Path(os.environ.get("COTERIE_DATA", ""), name)
        if not path.is_file():
            unavailable(f"{name} is not in COTERIE_DATA")
        return path

    return find


def unavailable(reason: str) -> None:
    """Skip a test or, where everything is required, fail it."""
    if os.environ.get("COTERIE_REQUIRE_DATA") == "1":
        pytest.fail(f"COTERIE_REQUIRE_DATA is 1, but {reason}")
    pytest.skip(reason)
