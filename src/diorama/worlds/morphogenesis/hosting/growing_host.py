"""One host with what is planted in it: the seed bed of the readable tier."""

import math
from collections.abc import Callable, Mapping
from functools import partial

import torch
from numpy.random import Generator
from torch import Tensor, nn

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed, blend, blend_in_shadow
from diorama.worlds.morphogenesis.hosting.blueprints import CATALOGUE
from diorama.worlds.morphogenesis.hosting.gate_network import GateNetwork
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, read_gradients
from diorama.worlds.morphogenesis.hosting.hosts import Host
from diorama.worlds.morphogenesis.hosting.initialization import count_parameters
from diorama.worlds.morphogenesis.hosting.loss import mean_loss
from diorama.worlds.morphogenesis.hosting.optimizers import HostOptimizers, OptimizerPlan, gradient_norms
from diorama.worlds.morphogenesis.streams import Stream

SeedDraws = Callable[[Stream, int, int], Generator]
"""Opens the stream of a purpose, a slot index and a birth number."""


class GrowingHost:
    """A host, its seeds and their optimizers."""

    def __init__(
        self,
        host: Host,
        slots: SlotConfig,
        plan: OptimizerPlan,
        draws: SeedDraws,
        *,
        gain: float = 0.0,
        incubation: Incubation = "straight_through",
    ) -> None:
        """Start without seeds. `gain` is the first residual gain of a convolutional seed."""
        self.host = host
        self.seeds: dict[str, PlantedSeed] = {}
        self.optimizers = HostOptimizers(host, plan)
        self._slots = slots
        self._draws = draws
        self._gain = gain
        self._incubation: Incubation = incubation
        self._channels = host.segment_channels

    def reset(self, host_draws: Generator, draws: SeedDraws) -> None:
        """Begin an episode: fresh host weights in place, no seeds, no momentum."""
        for slot_id in tuple(self.seeds):
            self.detach(slot_id)
        self.host.initialize(host_draws)
        self.optimizers.forget_momentum()
        self._draws = draws

    def forward(self, inputs: Tensor, overrides: Mapping[str, float] | None = None) -> Tensor:
        """Return logits; overrides are amplitudes by slot id."""
        logits: Tensor = self.host(inputs, lambda slot_id, features: self._graft(slot_id, features, overrides))
        return logits

    def incubate(self, inputs: Tensor, targets: Tensor) -> None:
        """Give each seed in TRAINING the gradient of a second pass with it, where seeds are incubated in the shadow.

        The host is neither changed nor given a gradient: its statistics rest, and so do all other seeds.
        """
        if self._incubation != "shadow":
            return
        learners = [slot_id for slot_id, seed in self.seeds.items() if seed.stage is SeedStage.TRAINING]
        self.train(False)
        for learner in learners:
            logits = self.host(inputs, partial(self._graft, shadow=learner))
            parameters = list(self.seeds[learner].module.parameters())
            gradients = torch.autograd.grad(mean_loss(logits, targets), parameters)
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient
        self.train()

    def _graft(
        self,
        slot_id: str,
        features: Tensor,
        overrides: Mapping[str, float] | None = None,
        *,
        shadow: str | None = None,
    ) -> Tensor:
        if slot_id not in self.seeds:
            return features
        seed = self.seeds[slot_id]
        if slot_id == shadow:
            return blend_in_shadow(features, seed)
        if seed.stage is SeedStage.TRAINING and self._incubation == "shadow":
            return features
        override = None if overrides is None else overrides.get(slot_id)
        return blend(features, seed, self.host.topology, override)

    def train(self, is_training: bool = True) -> None:
        """Switch batch norm and dropout between training and inference."""
        self.host.train(is_training)

    def step(self) -> None:
        """Apply the gradients to everything that may move."""
        self.optimizers.step(frozen=frozenset(slot_id for slot_id, seed in self.seeds.items() if seed.frozen))

    def plant(self, slot_id: str, blueprint: BlueprintAction, operator: AlphaAlgorithm, birth: int) -> int:
        """Create a module with the weights of its own stream."""
        draws = self._draws("seed_init", self._slots.index_for_slot_id(slot_id), birth)
        spec = CATALOGUE.get(self.host.topology, blueprint.blueprint_id)
        module = spec.plant(self._channels[slot_id], draws, block_size=self.host.block_size, gain=self._gain)
        module.to(next(self.host.parameters()).device)
        self.seeds[slot_id] = PlantedSeed(module=module, operator=operator, birth=birth)
        self.optimizers.add(slot_id, module)
        return count_parameters(module)

    def set_stage(self, slot_id: str, stage: SeedStage) -> int:
        """Note the stage; a gated seed gets its gate when it starts to blend."""
        seed = self.seeds[slot_id]
        seed.stage = stage
        if stage is SeedStage.BLENDING and seed.operator is AlphaAlgorithm.GATE and seed.gate is None:
            draws = self._draws("gate_init", self._slots.index_for_slot_id(slot_id), seed.birth)
            seed.gate = GateNetwork.create(self._channels[slot_id], self.host.topology, draws)
            seed.gate.to(next(self.host.parameters()).device)
            self.optimizers.add(slot_id, seed.gate)
        elif stage is SeedStage.FOSSILIZED:
            self.optimizers.adopt(slot_id)
        return sum(count_parameters(module) for module in _modules(seed))

    def set_alpha(self, slot_id: str, alpha: float, *, frozen: bool) -> None:
        """Note alpha and whether the seed stops learning."""
        self.seeds[slot_id].alpha = alpha
        self.seeds[slot_id].frozen = frozen

    def detach(self, slot_id: str) -> None:
        """Release module, gate and optimizer state."""
        self.optimizers.release(slot_id)
        del self.seeds[slot_id]

    def gradient_readings(self) -> dict[str, GradientReading]:
        """Judge the gradients of the last backward pass, before they are clipped, by slot id."""
        host_norm = self.host_gradient_norm()
        host_params = self.host.param_count
        return {
            slot_id: read_gradients(
                gradient_norms(_modules(seed)),
                seed_params=sum(count_parameters(module) for module in _modules(seed)),
                host_norm=host_norm,
                host_params=host_params,
                parameters_finite=all(map(_is_finite, _modules(seed))),
            )
            for slot_id, seed in self.seeds.items()
        }

    def host_gradient_norm(self) -> float:
        """Return the norm of the host's whole gradient."""
        return math.sqrt(sum(norm * norm for norm in gradient_norms([self.host])))


def _modules(seed: PlantedSeed) -> tuple[nn.Module, ...]:
    return (seed.module,) if seed.gate is None else (seed.module, seed.gate)


def _is_finite(module: nn.Module) -> bool:
    return all(bool(torch.isfinite(parameter).all()) for parameter in module.parameters())
