"""Which modules of the rows go into the vector of parameters, and where each of them is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from torch import nn

from diorama.worlds.morphogenesis.engine.stacked.parameters import Member, Parameters
from diorama.worlds.morphogenesis.hosting.attention import CausalSelfAttention
from diorama.worlds.morphogenesis.hosting.blending import PlantedSeed
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost

Kind = Literal["module", "gate"]
Owner = tuple[int, str]
"""A seed by its row and slot."""

Structure = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """The vector, and the members in it.

    Attributes:
        parameters: Hosts first, in the order of the rows.
        places: Member of each module and gate of a seed.
        structures: By member; those that are equal can run together.
    """

    parameters: Parameters
    places: Mapping[tuple[Kind, Owner], int]
    structures: Sequence[Structure]


def enroll(growing: Sequence[GrowingHost], rows: Sequence[int], is_wanted: Callable[[PlantedSeed], bool]) -> Membership:
    """Lay hosts of some rows and their wanted seeds side by side; modules without parameters are left out."""
    members = [Member(module=growing[row].host, optimizer=growing[row].optimizers.of(None), owner=row) for row in rows]
    places: dict[tuple[Kind, Owner], int] = {}
    for row in rows:
        for slot_id, seed in growing[row].seeds.items():
            for kind, module in _modules(seed) if is_wanted(seed) else ():
                places[kind, (row, slot_id)] = len(members)
                optimizer = growing[row].optimizers.of(slot_id)
                member = Member(module=module, optimizer=optimizer, owner=(row, slot_id), moves=not seed.frozen)
                members.append(member)
    return Membership(
        parameters=Parameters(members),
        places=places,
        structures=[_structure(member.module) for member in members],
    )


def _modules(seed: PlantedSeed) -> Iterator[tuple[Kind, nn.Module]]:
    if any(True for _ in seed.module.parameters()):
        yield "module", seed.module
    if seed.gate is not None:
        yield "gate", seed.gate


def _structure(module: nn.Module) -> Structure:
    layers = tuple(module.modules())
    windows = tuple(layer.window for layer in layers if isinstance(layer, CausalSelfAttention))
    return tuple(type(layer) for layer in layers), tuple(tensor.shape for tensor in module.parameters()), windows
