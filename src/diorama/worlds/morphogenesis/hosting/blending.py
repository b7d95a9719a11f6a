"""How a seed meets its host: the operators, and where gradients stop at each stage."""

from dataclasses import dataclass

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import Topology
from diorama.worlds.morphogenesis.contracts.stages import CONTRIBUTING_STAGES, SeedStage
from diorama.worlds.morphogenesis.hosting.blueprints.seed_module import SeedModule
from diorama.worlds.morphogenesis.hosting.gate_network import GateNetwork


@dataclass(slots=True, kw_only=True)
class PlantedSeed:
    """A module in its slot, with what the forward pass must know of it."""

    module: SeedModule
    operator: AlphaAlgorithm
    birth: int
    gate: GateNetwork | None = None
    stage: SeedStage = SeedStage.GERMINATED
    alpha: float = 0.0
    frozen: bool = False


def is_isolated(stage: SeedStage, topology: Topology) -> bool:
    """Say whether gradients end at the seed's input. They never do once it is permanent, for it is host by then."""
    if stage is SeedStage.TRAINING:
        return True
    return topology == "cnn" and stage is not SeedStage.FOSSILIZED


def blend(host: Tensor, seed: PlantedSeed, topology: Topology, override: float | None = None) -> Tensor:
    """Return the features that leave a slot.

    Args:
        host: Features that reach the slot.
        seed: What is planted there.
        topology: Kind of the host; it decides the isolation while blending.
        override: Amplitude in place of alpha, for measurement. Seeds off the output path ignore it.
    """
    if seed.stage is SeedStage.TRAINING:
        return _straight_through(host, seed)
    if seed.stage not in CONTRIBUTING_STAGES:
        return host
    amplitude = seed.alpha if override is None else override
    if amplitude == 0.0:
        return host
    entry = host.detach() if is_isolated(seed.stage, topology) else host
    residual = seed.module.residual(entry)
    match seed.operator:
        case AlphaAlgorithm.ADD:
            return host + amplitude * residual
        case AlphaAlgorithm.MULTIPLY:
            return host * (1.0 + amplitude * torch.tanh(residual))
        case AlphaAlgorithm.GATE:
            if seed.gate is None:
                raise RuntimeError("a seed that blends by gate has none")
            opened: Tensor = seed.gate(entry)
            return host + amplitude * opened * residual


def blend_in_shadow(host: Tensor, seed: PlantedSeed) -> Tensor:
    """Return the features as they would be with an incubated seed at full strength; nothing flows back to the host."""
    entry = host.detach()
    residual = seed.module.residual(entry)
    if seed.operator is AlphaAlgorithm.MULTIPLY:
        return entry * (1.0 + torch.tanh(residual))
    return entry + residual


def _straight_through(host: Tensor, seed: PlantedSeed) -> Tensor:
    entry = host.detach()
    residual = seed.module.residual(entry)
    detour = entry * torch.tanh(residual) if seed.operator is AlphaAlgorithm.MULTIPLY else residual
    # Values that are not finite would leave NaN behind when they are taken away from themselves.
    detour = torch.where(torch.isfinite(detour), detour, 0.0)
    return host + (detour - detour.detach())
