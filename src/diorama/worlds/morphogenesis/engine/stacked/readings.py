"""Gradient readings of all rows from the gradient of the vector: taken on the device, judged when they have left it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.parameters import Parameters
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, read_gradients
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost


def measure_gradients(parameters: Parameters, gradient: Tensor) -> Tensor:
    """Return what rows are judged by: the norm of every parameter's gradient, then whether each member is finite."""
    norms = torch.stack(torch._foreach_norm(parameters.split(gradient.double())))
    finite = torch.isfinite(parameters.values.detach()).split(parameters.member_sizes)
    return torch.cat([norms, torch.stack([own.all() for own in finite]).double()])


@dataclass(frozen=True, slots=True, kw_only=True)
class GradientMeasures:
    """What was measured, by owner: a host belongs to its row, a seed with its gate to its row and slot."""

    norms: dict[object, list[float]]
    is_finite: dict[object, bool]
    params: dict[object, int]

    @classmethod
    def of(cls, parameters: Parameters, measured: Sequence[float]) -> Self:
        """Sort the numbers of `measure_gradients` by owner."""
        left = iter(measured)
        norms: dict[object, list[float]] = {}
        for member, own in zip(parameters.members, parameters.spans, strict=True):
            norms.setdefault(member.owner, []).extend(next(left) for _ in own)
        is_finite: dict[object, bool] = {}
        params: dict[object, int] = {}
        for member, size, flag in zip(parameters.members, parameters.member_sizes, left, strict=True):
            is_finite[member.owner] = is_finite.get(member.owner, True) and flag != 0.0
            params[member.owner] = params.get(member.owner, 0) + size
        return cls(norms=norms, is_finite=is_finite, params=params)

    def host_norm(self, row: int) -> float:
        """Return the norm of a host's whole gradient."""
        return math.sqrt(sum(norm * norm for norm in self.norms[row]))

    def read_row(self, row: int, growing: GrowingHost) -> dict[str, GradientReading]:
        """Judge the gradients of a row's seeds before they are clipped."""
        return {slot_id: self._reading(row, slot_id, growing) for slot_id in growing.seeds}

    def _reading(self, row: int, slot_id: str, growing: GrowingHost) -> GradientReading:
        owner = (row, slot_id)
        if owner not in self.norms:
            return _unread(growing, slot_id)
        return read_gradients(
            self.norms[owner],
            seed_params=self.params[owner],
            host_norm=self.host_norm(row),
            host_params=self.params[row],
            parameters_finite=self.is_finite[owner],
        )


def _unread(growing: GrowingHost, slot_id: str) -> GradientReading:
    parameters = growing.seeds[slot_id].module.parameters()
    return read_gradients(
        (),
        seed_params=0,
        host_norm=0.0,
        host_params=growing.host.param_count,
        parameters_finite=all(bool(torch.isfinite(parameter).all()) for parameter in parameters),
    )
