"""What tests of several packages share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import jax
import pytest

COMPILATION = "/jax/core/compile/backend_compile_duration"


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
