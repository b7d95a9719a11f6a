"""`DeviceCollector`: fills rollouts slice by slice, so that copies of one step while the device decides for others."""

import time
from collections.abc import Sequence
from functools import partial

import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.collector import rollout_shape
from diorama.learn.device.slice import Slice
from diorama.learn.lane import Acting
from diorama.learn.policies.policy import Policy
from diorama.learn.rollout import Rollout
from diorama.learn.settings import TrainerSettings
from diorama.learn.source import Source
from diorama.learn.workers import Workers


class DeviceCollector:
    """Owns the copies and the storage.

    Every slice is led by a thread of its own, unless there are fewer: it asks the device for decisions, sleeps until
    they are there, and steps. Sources that step with threads of their own share them, so that the cores of one slice
    go on with the next without a pause. A single thread goes round the slices instead.

    Attributes:
        rollout: The rollout gathered last.
        upcoming: The one that is filled next; the same where there is but one.
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    def __init__(self, source: Source, policy: Policy, settings: TrainerSettings) -> None:
        """Take over the copies of a source that has not been reset."""
        execution = settings.execution
        device = torch.device(execution.device)
        shape = rollout_shape(source, policy, settings)
        self._rollouts = [Rollout(shape, device) for _ in range(1 + execution.overlap)]
        for other in self._rollouts[1:]:
            other.memory = self._rollouts[0].memory
        self._turn = 0
        self._turns_over = not execution.overlap
        parts = execution.lanes(source.copies)
        self._leaders = Workers(min(parts, execution.threads or parts))
        self._slices = _slices(source, self._rollouts, parts, graphs=execution.graphs)
        self.rollout = self.upcoming = self._rollouts[0]
        self.env_seconds = self.policy_seconds = 0.0

    def open(self) -> None:
        """Open an episode in every copy."""
        for part in self._slices:
            part.open()

    def collect(self, policy: Policy, acting: Acting) -> None:
        """Gather one rollout."""
        began = time.perf_counter()
        self.rollout = rollout = self.upcoming
        if self._leaders.threads == 1:
            self._go_round(policy, acting)
        else:
            self._leaders.run([partial(self._lead, part, policy, acting) for part in self._slices])
        for part in self._slices:
            part.settle()
        rollout.send_outcomes()
        if not self._turns_over:
            self._change_over()
        wall = time.perf_counter() - began
        stepping = sum(part.env_seconds for part in self._slices) / min(self._leaders.threads, len(self._slices))
        self.env_seconds = min(wall, stepping)
        self.policy_seconds = wall - self.env_seconds

    def release(self) -> None:
        """Hear that nobody reads the host's rows of the rollout gathered last any more; the device has its own."""
        if self._turns_over and self.rollout.device.type != "cpu":
            self.rollout.turn_over()

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""
        if self._turns_over and self.rollout.device.type == "cpu":
            self.rollout.turn_over()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for part in self._slices for data in part.snapshots()]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        if len(snapshots) != self.rollout.shape.copies:
            raise ConfigError(f"{len(snapshots)} snapshots for {self.rollout.shape.copies} copies; train with as many")
        self._turn = 0
        self.upcoming = self._rollouts[0]
        for part in self._slices:
            part.adopt(0)
            part.restore(snapshots[part.first_copy : part.first_copy + part.source.copies])

    def close(self) -> None:
        """End the threads."""
        self._leaders.close()

    def _change_over(self) -> None:
        """Let the other rollout go on where this one ends."""
        self._turn = 1 - self._turn
        self.upcoming = self._rollouts[self._turn]
        self.rollout.turn_over(self.upcoming)
        for part in self._slices:
            part.adopt(self._turn)

    def _go_round(self, policy: Policy, acting: Acting) -> None:
        for part in self._slices:
            part.begin(self._turn, policy, acting)
        for step in range(self.upcoming.shape.steps):
            for part in self._slices:
                part.advance(step)

    def _lead(self, part: Slice, policy: Policy, acting: Acting) -> None:
        part.begin(self._turn, policy, acting)
        for step in range(self.upcoming.shape.steps):
            part.advance(step)


def _slices(source: Source, rollouts: Sequence[Rollout], parts: int, *, graphs: bool) -> list[Slice]:
    slices, first_copy = [], 0
    for part in source.split(parts):
        slices.append(Slice(part, rollouts, first_copy, graphs=graphs))
        first_copy += part.copies
    return slices
