"""Chooses the tier that runs: the fast one where it loads and proves itself, else the readable one."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers, buffer_shapes
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, TierUnavailable
from diorama.contracts.tiers import BatchCore, CoreRequest, Tier
from diorama.contracts.world import World
from diorama.engine.reference_core import ReferenceCore

AUTO = "auto"
_SELF_CHECK_SEED = 1


def build_core(
    world: World[WorldConfig], config: WorldConfig, tier: str, request: CoreRequest
) -> tuple[Tier, str | None, BatchCore]:
    """Build a core of the wanted tier.

    Returns:
        The tier that was built, why `auto` fell back to the reference if it did, and the core.

    Raises:
        TierUnavailable: When a tier was asked for by name and cannot run.
    """
    if tier not in (AUTO, *Tier):
        raise ConfigError(f"tier {tier!r} does not exist; use auto, reference or fast")
    if tier == Tier.REFERENCE:
        return Tier.REFERENCE, None, _reference(world, config, request)
    try:
        core = world.accelerate(config, request)
        if tier == AUTO:
            _check_first_step(world)
    except TierUnavailable as unavailable:
        if tier == Tier.FAST:
            raise
        return Tier.REFERENCE, str(unavailable), _reference(world, config, request)
    return Tier.FAST, None, core


def _reference(world: World[WorldConfig], config: WorldConfig, request: CoreRequest) -> BatchCore:
    request.require_cpu(f"the reference tier of {world.id!r}")
    if world.assemble is not None:
        return world.assemble(config, request)
    return ReferenceCore.build(world, config, copies=request.copies, seed=request.seed)


@cache
def _check_first_step(world: World[WorldConfig]) -> None:
    """Compare one step of both tiers in the default configuration, once per process and world."""
    config = world.config_type()
    spec = world.describe(config)
    request = CoreRequest(copies=1, seed=_SELF_CHECK_SEED, threads=1, device="cpu")
    noop = np.tile(np.array(spec.noop, np.int32), (spec.agents, 1))
    written = []
    for core in (_reference(world, config, request), world.accelerate(config, request)):
        buffers = Buffers.allocate(spec, 1)
        core.reset([0], [_SELF_CHECK_SEED], buffers)
        core.step(noop, buffers)
        written.append(buffers)
    for name in buffer_shapes(spec, 1):
        reference, fast = (getattr(buffers, name) for buffers in written)
        if not _agree(reference, fast, world.tolerance):
            raise TierUnavailable(
                f"the fast tier of {world.id!r} differs from the reference in {name!r} on its first step"
            )


def _agree(reference: NDArray[np.generic], fast: NDArray[np.generic], tolerance: float) -> bool:
    if tolerance and reference.dtype == np.float32:
        return np.allclose(reference, fast, rtol=tolerance, atol=tolerance)
    return reference.tobytes() == fast.tobytes()
