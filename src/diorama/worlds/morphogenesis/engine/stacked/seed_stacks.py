"""Modules of seeds in many hosts, stacked where slot and structure are the same; gates in stacks of their own."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from torch import nn

from diorama.worlds.morphogenesis.engine.stacked.stack import Member, Stack
from diorama.worlds.morphogenesis.hosting.attention import CausalSelfAttention
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

Part = Literal["module", "gate"]
Owner = tuple[int, str]
"""A seed by its row and slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedStack:
    """Modules or gates of one structure in one slot, with the seeds they belong to."""

    part: Part
    owners: tuple[Owner, ...]
    seeds: tuple[PlantedSeed, ...]
    module: nn.Module
    stack: Stack


@dataclass(frozen=True, slots=True)
class Place:
    """Where a module or a gate is stacked."""

    stack: SeedStack
    member: int


Structure = tuple[str, tuple[int | None, ...]]
"""A printed module, which names all its layers and their sizes, and the windows of its attention, which it does not."""

Places = Mapping[tuple[Part, Owner], Place]


def stack_seeds(
    growing: Sequence[GrowingHost], rows: Iterable[int], is_wanted: Callable[[PlantedSeed], bool]
) -> list[SeedStack]:
    """Stack the wanted seeds of some rows; modules without parameters change nothing and are left out."""
    alike: dict[tuple[Part, str, Structure], list[tuple[Owner, PlantedSeed, nn.Module]]] = {}
    for row in rows:
        for slot_id, seed in growing[row].seeds.items():
            for part, module in _modules(seed):
                if is_wanted(seed) and any(True for _ in module.parameters()):
                    key = (part, slot_id, _structure(module))
                    alike.setdefault(key, []).append(((row, slot_id), seed, module))
    return [
        SeedStack(
            part=part,
            owners=tuple(owner for owner, _, _ in found),
            seeds=tuple(seed for _, seed, _ in found),
            module=found[0][2],
            stack=Stack([Member(module, growing[row].optimizers.of(slot_id)) for (row, _), _, module in found]),
        )
        for (part, slot_id, _), found in alike.items()
    ]


def places_of(stacks: Iterable[SeedStack]) -> Places:
    """Return where each module and gate is stacked."""
    return {(stack.part, owner): Place(stack, member) for stack in stacks for member, owner in enumerate(stack.owners)}


def _modules(seed: PlantedSeed) -> list[tuple[Part, nn.Module]]:
    return [("module", seed.module)] if seed.gate is None else [("module", seed.module), ("gate", seed.gate)]


def _structure(module: nn.Module) -> Structure:
    windows = (layer.window for layer in module.modules() if isinstance(layer, CausalSelfAttention))
    return str(module), tuple(windows)
