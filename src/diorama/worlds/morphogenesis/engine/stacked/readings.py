"""Gradient readings of all rows from stacked gradients, taken off the device in one piece each."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.seed_stacks import Owner, SeedStack
from diorama.worlds.morphogenesis.engine.stacked.stack import Stack
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading, read_gradients
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost


def read_rows(
    growing: Sequence[GrowingHost],
    rows: Sequence[int],
    hosts: tuple[Stack, Tensor],
    seeds: Sequence[tuple[SeedStack, Tensor]],
) -> tuple[list[float], list[dict[str, GradientReading]]]:
    """Judge the gradients of every row before they are clipped.

    Returns:
        The norm of each host's whole gradient, and the readings of its seeds by slot.
    """
    host_norms = [math.sqrt(sum(norm * norm for norm in norms)) for norms in _norms(*hosts)]
    norm_of_row = dict(zip(rows, host_norms, strict=True))
    host_params = hosts[0].values.shape[1]
    norms: dict[Owner, list[float]] = {}
    params: dict[Owner, int] = {}
    is_finite: dict[Owner, bool] = {}
    for seed_stack, gradient in seeds:
        values = seed_stack.stack.values
        finite = torch.isfinite(values).all(dim=1).tolist()
        for owner, own, all_finite in zip(seed_stack.owners, _norms(seed_stack.stack, gradient), finite, strict=True):
            norms.setdefault(owner, []).extend(own)
            params[owner] = params.get(owner, 0) + values.shape[1]
            is_finite[owner] = is_finite.get(owner, True) and all_finite

    def reading(row: int, slot_id: str) -> GradientReading:
        if (row, slot_id) not in norms:
            return _unread(growing[row], slot_id)
        return read_gradients(
            norms[row, slot_id],
            seed_params=params[row, slot_id],
            host_norm=norm_of_row[row],
            host_params=host_params,
            parameters_finite=is_finite[row, slot_id],
        )

    return host_norms, [{slot_id: reading(row, slot_id) for slot_id in growing[row].seeds} for row in rows]


def _norms(stack: Stack, gradient: Tensor) -> list[list[float]]:
    tensors = stack.by_name(gradient).values()
    norms = [
        torch.linalg.vector_norm(tensor.reshape(len(tensor), -1), dim=1, dtype=torch.float64) for tensor in tensors
    ]
    table: list[list[float]] = torch.stack(norms, dim=1).tolist()
    return table


def _unread(growing: GrowingHost, slot_id: str) -> GradientReading:
    parameters = growing.seeds[slot_id].module.parameters()
    return read_gradients(
        (),
        seed_params=0,
        host_norm=0.0,
        host_params=growing.host.param_count,
        parameters_finite=all(bool(torch.isfinite(parameter).all()) for parameter in parameters),
    )
