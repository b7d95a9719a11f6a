"""A slice's part of a rollout, sliced once: what is sent to the device, what comes back, and what is written there."""

from dataclasses import dataclass
from typing import Final

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32
from diorama.learn.rollout import SHOWN, Rollout

_LOOKED_AT: Final = ("obs", "obs_u8", "masks", "episode_start")


@dataclass(frozen=True, slots=True)
class Sent:
    """A run of rows on the host and where it goes on the device; nothing to do where both are one memory."""

    host: torch.Tensor
    there: torch.Tensor

    def send(self) -> None:
        """Start the copy; the host's memory must stay as it is until it is done."""
        self.there.copy_(self.host, non_blocking=True)


class SliceStorage:
    """Rows of some copies in one rollout.

    Attributes:
        buffers: What the core writes at every step.
        sent: What is sent to the device at every step.
        actions: Where the core reads the decision of every step.
        columns: Arrays on the device, steps × the slice's rows × width, by name.
    """

    def __init__(self, rollout: Rollout, first_copy: int, copies: int) -> None:
        """Cut the views."""
        agents, steps = rollout.shape.spec.agents, rollout.shape.steps
        rows = slice(first_copy * agents, (first_copy + copies) * agents)
        self.rollout = rollout
        self.rows = rows
        self.buffers: list[Buffers] = [rollout.buffers(step, first_copy, copies) for step in range(steps + 1)]
        self.sent = [_sent(rollout, step, rows) for step in range(steps + 1)]
        self.actions: list[I32] = [rollout.host_actions[step, rows].numpy() for step in range(steps)]
        self._answers = [Sent(rollout.actions[step, rows], rollout.host_actions[step, rows]) for step in range(steps)]
        self.columns = {name: rollout.seen[name][:, rows] for name in _LOOKED_AT}
        self.extras = {name: array[:, rows] for name, array in rollout.extras.items()}
        self.chosen, self.log_probs = rollout.actions[:, rows], rollout.log_probs[:, rows]
        self.values = rollout.values[:, rows]

    def show(self, step: int) -> None:
        """Start to bring what the core wrote for a step to the device."""
        for item in self.sent[step]:
            item.send()

    def answer(self, step: int) -> None:
        """Start to bring the actions of a step to where the core reads them."""
        if self.rollout.actions is not self.rollout.host_actions:
            self._answers[step].send()


def _sent(rollout: Rollout, step: int, rows: slice) -> list[Sent]:
    if rollout.device.type == "cpu":
        return []
    pairs = [(rollout.host[name], rollout.seen[name]) for name in SHOWN]
    pairs += [(array, rollout.extras[name]) for name, array in rollout.host_extras.items()]
    found = [Sent(host[step, rows], there[step, rows]) for host, there in pairs]
    return [item for item in found if item.host.numel()]
