"""What leaves a slot: the features of every lane, with what its seed makes of them."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from diorama.worlds.morphogenesis.engine.stacked.lanes import Bank, Blend, PassPlan
from diorama.worlds.morphogenesis.engine.stacked.stack import Tensors


@dataclass(frozen=True, slots=True)
class SeedMath:
    """How the seeds of a topology compute.

    Attributes:
        residual: What each seed adds, from a module that shows the structure, features and parameters.
        gate: How far each gate is open, from features and parameters, shaped to multiply features.
    """

    residual: Callable[[nn.Module, Tensor, Tensors], Tensor]
    gate: Callable[[Tensor, Tensors], Tensor]


def graft(math: SeedMath, features: Tensor, plan: PassPlan, slot_id: str) -> Tensor:
    """Return the features that leave a slot."""
    slot = plan.slots.get(slot_id)
    if slot is None:
        return features
    opened = None if slot.gates is None else _opened(math, features, slot.gates)
    grown = [_blend(math, features.index_select(0, blend.bank.lanes), blend, opened) for blend in slot.blends]
    return torch.cat([features.index_select(0, slot.others), *grown]).index_select(0, slot.order)


def _opened(math: SeedMath, features: Tensor, bank: Bank) -> Tensor:
    """Return how far every lane's gate is open; lanes without one are."""
    entry = _entry(features.index_select(0, bank.lanes), bank)
    gates = math.gate(entry, bank.stack.stack.tensors(bank.members, learns=bank.learns))
    return gates.new_ones(len(features), *gates.shape[1:]).index_copy(0, bank.lanes, gates)


def _entry(host: Tensor, bank: Bank) -> Tensor:
    if isinstance(bank.is_isolated, Tensor):
        return torch.where(_by_member(bank.is_isolated, host), host.detach(), host)
    return host.detach() if bank.is_isolated else host


def _blend(math: SeedMath, host: Tensor, blend: Blend, opened: Tensor | None) -> Tensor:
    bank = blend.bank
    entry = _entry(host, bank)
    grown = math.residual(bank.stack.module, entry, bank.stack.stack.tensors(bank.members, learns=bank.learns))
    if blend.is_straight:
        detour = _choose(blend.multiplies, host, lambda: entry * torch.tanh(grown), lambda: grown)
        # Values that are not finite would leave NaN behind when they are taken away from themselves.
        detour = torch.where(torch.isfinite(detour), detour, 0.0)
        return host + (detour - detour.detach())
    amplitude = _by_member(blend.amplitudes, host)
    if opened is not None:
        amplitude = amplitude * opened.index_select(0, bank.lanes)
    return _choose(
        blend.multiplies,
        host,
        lambda: host * (1.0 + amplitude * torch.tanh(grown)),
        lambda: host + amplitude * grown,
    )


def _choose(flags: Tensor | bool, like: Tensor, yes: Callable[[], Tensor], no: Callable[[], Tensor]) -> Tensor:
    if isinstance(flags, Tensor):
        return torch.where(_by_member(flags, like), yes(), no())
    return yes() if flags else no()


def _by_member(values: Tensor, features: Tensor) -> Tensor:
    return values.view(-1, *(1,) * (features.dim() - 1))
