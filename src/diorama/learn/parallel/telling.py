"""Brings what happened in the copies of every process to the listener of the leader."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import torch

from diorama.learn.listening import TrainingListener
from diorama.learn.parallel.team import Team
from diorama.learn.rollouts.collector import step_view
from diorama.learn.rollouts.rollout import Rollout

# Wide types first: every array then begins where its type may.
_TOLD: Final = ("events", "rewards", "metrics", "dt", "terminated", "truncated", "alive")


def tell_together(team: Team, rollout: Rollout, listener: TrainingListener) -> None:
    """Tell the leader's listener every step of the rollouts of all processes, copies in the order of the ranks.

    Observations stay where they are: the views have none.
    """
    told = {name: rollout.host[name] for name in _TOLD}
    parts = team.bring(torch.cat([array.reshape(-1).view(torch.uint8) for array in told.values()]))
    arrays = [{name: array.numpy() for name, array in _unpacked(part, told)} for part in parts]
    shape = rollout.shape
    blind = np.zeros((shape.rows, 0), np.float32)
    for step in range(1, shape.steps + 1):
        for rank, host in enumerate(arrays):
            listener.on_step(step_view(host, lambda: blind, step, shape, first_copy=rank * shape.copies))


def _unpacked(packed: torch.Tensor, like: dict[str, torch.Tensor]) -> Iterator[tuple[str, torch.Tensor]]:
    start = 0
    for name, array in like.items():
        size = array.numel() * array.element_size()
        yield name, packed[start : start + size].view(array.dtype).view(array.shape)
        start += size


def count_together(team: Team, *counts: int) -> list[int]:
    """Return sums over all processes."""
    totals = torch.tensor(counts)
    team.add_up(totals)
    numbers: list[int] = totals.tolist()
    return numbers
