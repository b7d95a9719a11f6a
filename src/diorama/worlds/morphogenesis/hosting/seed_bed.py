"""What a slot asks of the engine that holds the modules; the lifecycle itself never touches a tensor."""

from collections.abc import Callable
from typing import Protocol

from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import LifecyclePayload
from diorama.worlds.morphogenesis.contracts.stages import SeedStage

LifecycleListener = Callable[[LifecyclePayload], None]
"""Receives each lifecycle event of a slot, in order, after the change has happened."""


class SeedBed(Protocol):
    """The modules of one host row, by slot id."""

    def plant(self, slot_id: str, blueprint: BlueprintAction, operator: AlphaAlgorithm, birth: int) -> int:
        """Create a module and return its number of parameters. `birth` counts the seeds of this slot, from 0."""
        ...

    def set_stage(self, slot_id: str, stage: SeedStage) -> int:
        """Note the stage of an attached seed; return its parameters, with those of a gate created by it."""
        ...

    def set_alpha(self, slot_id: str, alpha: float, *, frozen: bool) -> None:
        """Note the alpha that is in force from now on, and whether the seed stops learning."""
        ...

    def detach(self, slot_id: str) -> None:
        """Release module, gate and optimizer state."""
        ...
