"""Both tiers as the platform asks for them; torch is loaded when one is."""

from typing import TYPE_CHECKING

from diorama.contracts.errors import MissingExtra
from diorama.contracts.rounds import PublishEvent, RoundsPlan, RoundTracker
from diorama.contracts.tiers import BatchCore, CoreRequest, Simulation, Tier
from diorama.worlds.morphogenesis.config import MorphogenesisConfig

if TYPE_CHECKING:
    from diorama.worlds.morphogenesis.engine.core import MorphogenesisCore
    from diorama.worlds.morphogenesis.engine.nursery import EngineMaker


def simulate(config: MorphogenesisConfig) -> Simulation:
    """Return one copy of the readable tier."""
    _require_torch()
    from diorama.worlds.morphogenesis.simulation import MorphogenesisSimulation

    return MorphogenesisSimulation(config)


def assemble(config: MorphogenesisConfig, request: CoreRequest) -> "MorphogenesisCore":
    """Return copies of the readable tier, which share their round and its control twins."""
    _require_torch()
    from diorama.worlds.morphogenesis.engine.core import build_core
    from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine

    return build_core(config, request, ReferenceEngine)


def track_rounds(core: BatchCore, plan: RoundsPlan, tell: PublishEvent) -> RoundTracker:
    """Keep the rounds of copies that a policy is trained on."""
    from diorama.worlds.morphogenesis.learning.keeping import track_rounds as keep

    return keep(core, plan, tell)


def engine_maker(tier: str) -> "EngineMaker":
    """Return what builds the hosts of a tier, where rounds are run without a batch; `auto` takes the stacked ones."""
    _require_torch()
    if tier == Tier.REFERENCE:
        from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine

        return ReferenceEngine
    from diorama.worlds.morphogenesis.engine.stacked import StackedEngine

    return StackedEngine


def accelerate(config: MorphogenesisConfig, request: CoreRequest) -> BatchCore:
    """Return copies that are trained as one stacked network."""
    _require_torch()
    from diorama.worlds.morphogenesis.engine.core import build_core
    from diorama.worlds.morphogenesis.engine.stacked import StackedEngine

    return build_core(config, request, StackedEngine)


def _require_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtra.of("morphogenesis", needed_for="a host of morphogenesis") from None
