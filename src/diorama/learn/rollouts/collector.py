"""`Collector`: fills rollouts, lane by lane, and tells the listener what happened in the order of time."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.contracts.values import F32
from diorama.learn.listening import StepView, TrainingListener
from diorama.learn.native.network import NativeDecider, NativeNetwork
from diorama.learn.native.support import why_torch
from diorama.learn.policies.policy import Policy
from diorama.learn.rollouts.deciding import Decider, TorchDecider
from diorama.learn.rollouts.lane import Acting, Lane, Spent
from diorama.learn.rollouts.rollout import ExtraArray, Rollout, RolloutShape
from diorama.learn.rollouts.source import ExtraArrays, Source
from diorama.learn.settings import TrainerSettings
from diorama.learn.workers import Workers


class Collector:
    """Owns the copies and the storage.

    The copies are split into lanes of a fixed size, each led by one thread at a time.

    Attributes:
        rollout: The rollout gathered last.
        upcoming: The one that is filled next, which is the same.
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    def __init__(self, source: Source, policy: Policy, settings: TrainerSettings, workers: Workers) -> None:
        """Take over the copies of a source that has not been reset."""
        device = torch.device(settings.execution.device)
        shape = rollout_shape(source, policy, settings)
        self.rollout = self.upcoming = Rollout(shape, device)
        self._workers = workers
        self._lanes = _lanes(source, self.rollout, settings.execution.lanes(source.copies))
        self._network = None if why_torch(policy, settings) else NativeNetwork(policy)
        self._deciders = [self._decider(policy) for _ in self._lanes]
        self.env_seconds = self.policy_seconds = 0.0

    def open(self) -> None:
        """Open an episode in every copy."""
        for lane in self._lanes:
            lane.open()

    def collect(self, policy: Policy, acting: Acting) -> None:
        """Gather one rollout; the policy is the one the collector was made with."""
        began = time.perf_counter()
        self.rollout.begin()
        if self._network is not None:
            self._network.load(for_learning=False)
        lanes = zip(self._lanes, self._deciders, strict=True)
        spent = self._workers.run([partial(lane.collect, decider, acting) for lane, decider in lanes])
        self.rollout.share_outcomes()
        self._share_out(time.perf_counter() - began, spent)

    def release(self) -> None:
        """Hear that nobody reads the rollout but the one who learns from it, who reads the same memory."""

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""
        self.rollout.turn_over()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for lane in self._lanes for data in lane.snapshots()]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        if len(snapshots) != self.rollout.shape.copies:
            raise ConfigError(f"{len(snapshots)} snapshots for {self.rollout.shape.copies} copies; train with as many")
        for lane in self._lanes:
            lane.restore(snapshots[lane.first_copy : lane.first_copy + lane.source.copies])

    def close(self) -> None:
        """Do nothing: the threads are the trainer's."""

    def _decider(self, policy: Policy) -> Decider:
        return TorchDecider(policy) if self._network is None else NativeDecider(policy, self._network)

    def _share_out(self, wall: float, spent: list[Spent]) -> None:
        env, policy = sum(item.env for item in spent), sum(item.policy for item in spent)
        self.env_seconds = wall * env / (env + policy)
        self.policy_seconds = wall - self.env_seconds


def tell_steps(rollout: Rollout, listener: TrainingListener) -> None:
    """Tell the listener every step of a rollout."""
    host = {name: array.numpy() for name, array in rollout.host.items()}
    for step in range(1, rollout.shape.steps + 1):
        seen = partial(rollout.observed, step - 1)
        listener.on_step(step_view(host, seen, step, rollout.shape, first_copy=0))


def step_view(
    host: Mapping[str, NDArray[Any]], seen: Callable[[], F32], step: int, shape: RolloutShape, *, first_copy: int
) -> StepView:
    """Return one step of a rollout.

    Args:
        host: Its arrays.
        seen: Returns what its decisions were taken from.
        step: From 1 on.
        shape: Of the rollout.
        first_copy: Place of its first copy in the run.
    """
    return StepView(
        first_copy=first_copy,
        copies=shape.copies,
        agents=shape.spec.agents,
        rewards=host["rewards"][step],
        terminated=host["terminated"][step],
        truncated=host["truncated"][step],
        alive_before=host["alive"][step - 1],
        seen=seen,
        metrics=host["metrics"][step],
        dt=host["dt"][step],
        events=host["events"][step],
    )


def rollout_shape(source: Source | ResidentCore, policy: Policy, settings: TrainerSettings) -> RolloutShape:
    """Return how large the rollouts of a training are."""
    steps = settings.ppo.rollout_steps
    length = (settings.ppo.sequence_length or steps) if policy.memory_width else 1
    return RolloutShape(
        spec=source.spec,
        copies=source.copies,
        steps=steps,
        sequence_length=length,
        memory_width=policy.memory_width,
        extras=_extras(source, policy, settings),
    )


def _extras(source: Source | ResidentCore, policy: Policy, settings: TrainerSettings) -> Mapping[str, ExtraArray]:
    masks = {name: ExtraArray(width=width, dtype=torch.uint8) for name, width in policy.heads.plan.mask_extras.items()}
    targets = {
        item.target: ExtraArray(width=item.width_in(source.spec), dtype=torch.float32)
        for item in settings.policy.auxiliary.values()
    }
    extras = {**masks, **targets}
    if extras and not isinstance(source, ExtraArrays):
        raise ConfigError(
            f"policy: the copies of {source.spec.world!r} offer no extra arrays such as {next(iter(extras))!r}"
        )
    return extras


def _lanes(source: Source, rollout: Rollout, parts: int) -> list[Lane]:
    lanes, first_copy = [], 0
    for part in source.split(parts):
        lanes.append(Lane(part, rollout, first_copy))
        first_copy += part.copies
    return lanes
