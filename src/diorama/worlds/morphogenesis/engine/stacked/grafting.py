"""What leaves a slot: the features of every lane, with what its seed makes of them."""

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.lanes import SeedMath, SlotPlan
from diorama.worlds.morphogenesis.engine.stacked.picking import Picked, named


def graft(math: SeedMath, features: Tensor, slot: SlotPlan | None, picked: Picked) -> Tensor:
    """Return the features that leave a slot: what reaches it, plus what the seeds there add."""
    if slot is None:
        return features
    host = features.index_select(0, slot.lanes)
    entry = _without_way_back(host, slot.is_isolated)
    grown = slot.residuals(entry, picked)
    if slot.multiplies is not False:
        scaled = _without_way_back(host, slot.is_straight) * torch.tanh(grown)
        grown = scaled if slot.multiplies is True else torch.where(_by_seed(slot.multiplies, host), scaled, grown)
    return features.index_add(0, slot.lanes, _shown(math, slot, entry, grown, picked))


def _shown(math: SeedMath, slot: SlotPlan, entry: Tensor, grown: Tensor, picked: Picked) -> Tensor:
    if slot.is_straight is True:
        return _traceless(grown)
    amplitudes = _by_seed(slot.amplitudes, grown)
    if slot.gates is not None:
        gates = math.gate(entry.index_select(0, slot.gates.places), named(picked, slot.gates.wishes))
        opened = gates.new_ones(len(grown), *gates.shape[1:]).index_copy(0, slot.gates.places, gates)
        amplitudes = amplitudes * opened
    if slot.is_straight is False:
        return amplitudes * grown
    return torch.where(_by_seed(slot.is_straight, grown), _traceless(grown), amplitudes * grown)


def _traceless(grown: Tensor) -> Tensor:
    """Return zeros that gradients flow through as if they were the values."""
    # Values that are not finite would leave NaN behind when they are taken away from themselves.
    finite = torch.where(torch.isfinite(grown), grown, 0.0)
    return finite - finite.detach()


def _without_way_back(features: Tensor, where: Tensor | bool) -> Tensor:
    if isinstance(where, Tensor):
        return torch.where(_by_seed(where, features), features.detach(), features)
    return features.detach() if where else features


def _by_seed(values: Tensor, features: Tensor) -> Tensor:
    return values.view(-1, *(1,) * (features.dim() - 1))
