"""How programs are compiled, and where compiled programs are kept."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import jax

from coterie.io.files import cache_folder

SWITCH = "COTERIE_COMPILATION_CACHE"
"""Environment variable: ``off`` keeps compiled programs in memory only; a path moves them."""

_CPU_OPTIONS: dict[str, str | bool | int] = {
    "xla_cpu_experimental_ynn_fusion_type": "LIBRARY_FUSION_TYPE_INDIVIDUAL_DOT",
    "xla_cpu_prefer_vector_width": 512,
}
"""Products of matrices stay apart from the reductions after them, since fused they run slower, and
vectors are as wide as the machine has them."""

_logger = logging.getLogger(__name__)


def keep_compiled_programs() -> None:
    """Turn on JAX's persistent compilation cache in a per-user folder.

    Does nothing where the user has chosen a folder through JAX itself, where the environment
    variable ``COTERIE_COMPILATION_CACHE`` is ``off``, or where the folder can't be written.
    """
    choice = os.environ.get(SWITCH, "")
    if choice.lower() == "off" or jax.config.values["jax_compilation_cache_dir"]:
        return
    folder = Path(choice) if choice else cache_folder() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        _logger.info("Compiled programs are not kept: %s can't be written.", folder)
        return
    jax.config.update("jax_compilation_cache_dir", str(folder))
    jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)


def program_for(
    build: Callable[[Any], Callable[..., Any]],
    settings: Hashable,
    arguments: tuple[Any, ...],
    device: jax.Device,
    donated: tuple[int, ...] = (),
) -> Callable[..., Any]:
    """Give the compiled ``build(settings)`` for the shapes of ``arguments``.

    It is compiled once a process for each settings, set of shapes and device.
    """
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), arguments)
    leaves, structure = jax.tree.flatten(shapes)
    return _compiled(build, settings, tuple(leaves), structure, device, donated)


@lru_cache(maxsize=512)
def _compiled(
    build: Callable[[Any], Callable[..., Any]],
    settings: Hashable,
    leaves: tuple[jax.ShapeDtypeStruct, ...],
    structure: Any,
    device: jax.Device,
    donated: tuple[int, ...],
) -> Callable[..., Any]:
    arguments = jax.tree.unflatten(structure, leaves)
    lowered = jax.jit(build(settings), donate_argnums=donated).lower(*arguments)
    return _compile(lowered, device)


def _compile(lowered: Any, device: jax.Device) -> Callable[..., Any]:
    """Compile; on a CPU, with options that speed up small products where XLA knows them."""
    if device.platform == "cpu":
        try:
            return cast(Callable[..., Any], lowered.compile(compiler_options=dict(_CPU_OPTIONS)))
        except jax.errors.JaxRuntimeError as error:
            _logger.info("Compiling without the CPU options: %s", error)
    return cast(Callable[..., Any], lowered.compile())


def resolve_device(device: str | jax.Device | None) -> jax.Device:
    """Find a device by JAX's name of its platform; the first one by default."""
    if not isinstance(device, str):
        return jax.devices()[0] if device is None else device
    try:
        return jax.devices(device)[0]
    except RuntimeError as error:
        known = ", ".join(sorted({d.platform for d in jax.devices()}))
        raise ValueError(f"device: {device!r} is not available here; JAX has {known}.") from error
