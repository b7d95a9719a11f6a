"""Both tiers as the platform asks for them; torch is loaded when one is."""

from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import MissingExtra, TierUnavailable
from diorama.contracts.tiers import BatchCore, CoreRequest, Simulation, Tier
from diorama.worlds.morphogenesis.config import MorphogenesisConfig

NO_STACKED_ENGINE: Final = "the stacked engine of 'morphogenesis' is not part of this build; use the reference tier"

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


def engine_maker(tier: str) -> "EngineMaker":
    """Return what builds the hosts of a tier, for whoever runs rounds without a batch; `auto` takes the best there is.

    Raises:
        TierUnavailable: The tier cannot run here.
    """
    _require_torch()
    if tier == Tier.FAST:
        raise TierUnavailable(NO_STACKED_ENGINE)
    from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine

    return ReferenceEngine


def accelerate(config: MorphogenesisConfig, request: CoreRequest) -> BatchCore:
    """Return copies that are trained as one stacked network.

    Raises:
        TierUnavailable: There is no such engine here, or not on that device.
    """
    raise TierUnavailable(NO_STACKED_ENGINE)


def _require_torch() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtra.of("morphogenesis", needed_for="the hosts of morphogenesis") from None
