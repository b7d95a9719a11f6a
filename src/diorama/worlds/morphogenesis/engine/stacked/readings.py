"""Gradient readings of all rows from the gradient of the vector, taken off the device in one piece each."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.parameters import Parameters
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, read_gradients
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost


def read_rows(
    growing: Sequence[GrowingHost], rows: Sequence[int], parameters: Parameters, gradient: Tensor
) -> tuple[list[float], list[dict[str, GradientReading]]]:
    """Judge the gradients of every row before they are clipped.

    Args:
        growing: All rows.
        rows: Those that train. A host belongs to its row in the vector, a seed or a gate to its row and slot.
        parameters: The vector.
        gradient: Of the vector.

    Returns:
        The norm of each host's whole gradient, and the readings of its seeds by slot.
    """
    norms = _norms_by_owner(parameters, gradient)
    is_finite, params = _finite_by_owner(parameters), _sizes_by_owner(parameters)
    host_norms = {row: math.sqrt(sum(norm * norm for norm in norms[row])) for row in rows}

    def reading(row: int, slot_id: str) -> GradientReading:
        if (row, slot_id) not in norms:
            return _unread(growing[row], slot_id)
        return read_gradients(
            norms[row, slot_id],
            seed_params=params[row, slot_id],
            host_norm=host_norms[row],
            host_params=params[row],
            parameters_finite=is_finite[row, slot_id],
        )

    read = [{slot_id: reading(row, slot_id) for slot_id in growing[row].seeds} for row in rows]
    return list(host_norms.values()), read


def _norms_by_owner(parameters: Parameters, gradient: Tensor) -> dict[object, list[float]]:
    exact: list[float] = torch.stack(torch._foreach_norm(parameters.split(gradient.double()))).tolist()
    left = iter(exact)
    norms: dict[object, list[float]] = {}
    for member, own in zip(parameters.members, parameters.spans, strict=True):
        norms.setdefault(member.owner, []).extend(next(left) for _ in own)
    return norms


def _finite_by_owner(parameters: Parameters) -> dict[object, bool]:
    finite = torch.isfinite(parameters.values.detach())
    each: list[bool] = torch.stack([own.all() for own in finite.split(parameters.member_sizes)]).tolist()
    found: dict[object, bool] = {}
    for member, own in zip(parameters.members, each, strict=True):
        found[member.owner] = found.get(member.owner, True) and own
    return found


def _sizes_by_owner(parameters: Parameters) -> dict[object, int]:
    sizes: dict[object, int] = {}
    for member, size in zip(parameters.members, parameters.member_sizes, strict=True):
        sizes[member.owner] = sizes.get(member.owner, 0) + size
    return sizes


def _unread(growing: GrowingHost, slot_id: str) -> GradientReading:
    parameters = growing.seeds[slot_id].module.parameters()
    return read_gradients(
        (),
        seed_params=0,
        host_norm=0.0,
        host_params=growing.host.param_count,
        parameters_finite=all(bool(torch.isfinite(parameter).all()) for parameter in parameters),
    )
