"""`DeviceCollector`: steps slices of copies while the device decides for others."""

import time
from copy import deepcopy
from functools import partial

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.learn.buffer import RolloutShape
from diorama.learn.collector import SamplingParams, rollout_shape
from diorama.learn.cuda.rollouts import ResidentRollout, SentRollout
from diorama.learn.cuda.slice import Slice
from diorama.learn.cuda.storage import HostStorage, ResidentStorage, SliceStorage
from diorama.learn.envs import TrainingEnvs
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import ExecutionSettings, TrainerSettings
from diorama.learn.workers import Workers


class ActorWeights:
    """A copy of a policy that changes only when it is told to.

    Attributes:
        policy: The copy.
    """

    def __init__(self, policy: Policy) -> None:
        """Copy the policy as it stands."""
        self.policy = deepcopy(policy)
        self._pairs: list[tuple[torch.Tensor, torch.Tensor]] = [
            *zip(self.policy.parameters(), policy.parameters(), strict=True),
            *zip(self.policy.buffers(), policy.buffers(), strict=True),
        ]

    @torch.no_grad()
    def refresh(self) -> None:
        """Take over the weights as they stand."""
        for mine, learned in self._pairs:
            mine.copy_(learned)


class DeviceCollector:
    """Owns the copies and the storage.

    Every slice is led by a thread of its own, unless there are fewer: it asks the device for decisions, sleeps until
    they are there, and steps. Sources that step with threads of their own share them, so that the cores of one slice
    go on with the next without a pause, and stay awake meanwhile. A single thread goes round the slices instead.

    Attributes:
        rollout: The rollout gathered last.
        upcoming: The one that is filled next; the same where there is but one.
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    def __init__(self, source: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> None:
        """Take over the copies of a source that has not been reset."""
        execution = settings.execution
        self._turn = 0
        self._turns_over = not execution.overlap
        storages = _storages(source, rollout_shape(source, policy, settings), execution)
        self._leaders = Workers(min(len(storages), execution.threads or len(storages)))
        self._slices = [Slice(parts, graphs=execution.graphs) for parts in storages]
        self._rollouts = [part.rollout for part in storages[0]]
        self.rollout = self.upcoming = self._rollouts[0]
        self.env_seconds = self.policy_seconds = 0.0

    def open(self) -> None:
        """Open an episode in every copy."""
        for part in self._slices:
            part.open()

    def collect(self, policy: Policy, acting: SamplingParams) -> None:
        """Gather one rollout."""
        began = time.perf_counter()
        self.rollout = rollout = self.upcoming
        with self._slices[0].awake():
            if self._leaders.threads == 1:
                self._go_round(policy, acting)
            else:
                self._leaders.run([partial(self._lead, part, policy, acting) for part in self._slices])
        for part in self._slices:
            part.settle()
        rollout.share_outcomes()
        if not self._turns_over:
            self._change_over()
        wall = time.perf_counter() - began
        stepping = sum(part.env_seconds for part in self._slices) / min(self._leaders.threads, len(self._slices))
        self.env_seconds = min(wall, stepping)
        self.policy_seconds = wall - self.env_seconds

    def release(self) -> None:
        """Hear that nobody reads the host's rows of the rollout gathered last any more; the device has its own."""
        if self._turns_over:
            self.rollout.turn_over()

    def turn_over(self) -> None:
        """Do nothing: what is learned from lies apart, and the host's rows were turned over before."""

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
            part.restore(snapshots)

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

    def _go_round(self, policy: Policy, acting: SamplingParams) -> None:
        for part in self._slices:
            with part.at_work():
                part.begin(self._turn, policy, acting)
        for step in range(self.upcoming.shape.steps):
            for part in self._slices:
                with part.at_work():
                    part.advance(step)

    def _lead(self, part: Slice, policy: Policy, acting: SamplingParams) -> None:
        with part.at_work():
            part.begin(self._turn, policy, acting)
            for step in range(self.upcoming.shape.steps):
                part.advance(step)


def _storages(
    source: TrainingEnvs | ResidentCore, shape: RolloutShape, execution: ExecutionSettings
) -> list[list[SliceStorage]]:
    """Return the storages of every slice, one in each of the rollouts that are filled in turn."""
    device = torch.device(execution.device)
    if isinstance(source, ResidentCore):
        # The device steps them all at once, and there is nothing on the host to do meanwhile.
        resident = ResidentRollout(shape, device)
        turns = [resident, ResidentRollout(shape, device, beside=resident)] if execution.overlap else [resident]
        return [[ResidentStorage(source, rollout) for rollout in turns]]
    # One is gathered while another is learned from, or at least turned over before it is: even on the CPU.
    sent = SentRollout(shape, device)
    rollouts = [sent, SentRollout(shape, device, beside=sent)] if execution.overlap else [sent]
    found: list[list[SliceStorage]] = []
    first_copy = 0
    for part in source.split(execution.lanes(source.copies)):
        found.append([HostStorage(part, rollout, first_copy) for rollout in rollouts])
        first_copy += part.copies
    return found
