"""`Collector`: fills rollout buffers, one shard of environments per thread."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.contracts.spec import WorldSpec
from diorama.learn.actors import Actor, TorchActor
from diorama.learn.buffer import (
    ExtraArray,
    RolloutBuffer,
    RolloutShape,
    TeachingShape,
)
from diorama.learn.envs import (
    ExtraArrays,
    TrainingEnvs,
)
from diorama.learn.native import NativeActor, NativeNetwork, why_torch
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import EnvShard, SamplingParams, ShardSeconds
from diorama.learn.starts import StoredStarts
from diorama.learn.teachers import TeacherMaker, stack_memories
from diorama.learn.workers import Workers

if TYPE_CHECKING:
    from diorama.learn.selfplay.league import League


class RolloutCollector(ABC):
    """Steps environments with a policy and fills rollout buffers.

    Attributes:
        rollout: The last rollout.
        upcoming: The buffer that the next `collect` fills; another one than `rollout` only if collecting overlaps
            learning.
        env_seconds: Part of the last rollout's wall time that went into stepping environments.
        policy_seconds: The rest of its wall time.
        teacher_seconds: Part of that in which the teacher was asked.
        starts: Lets some episodes begin in stored states; None where all begin in ordinary ones.
    """

    rollout: RolloutBuffer
    upcoming: RolloutBuffer
    starts: StoredStarts | None = None
    env_seconds: float = 0.0
    policy_seconds: float = 0.0
    teacher_seconds: float = 0.0

    @abstractmethod
    def reset(self) -> None:
        """Start an episode in every copy."""

    @abstractmethod
    def collect(self, policy: Policy, params: SamplingParams) -> None:
        """Fill one rollout."""

    @abstractmethod
    def carry_last_step(self) -> None:
        """Start the next rollout where the last one ended; call it after learning from the last one."""

    @abstractmethod
    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""

    @abstractmethod
    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot.

        Raises:
            ConfigError: There are more or fewer snapshots than copies.
        """

    def teacher_memories(self) -> torch.Tensor | None:
        """Return what the teacher remembers of each row; None without a teacher."""
        return None

    def load_teacher_memories(self, memories: torch.Tensor) -> None:  # noqa: B027 - only some have a teacher
        """Have the teacher go on from its memories."""

    def close(self) -> None:  # noqa: B027 - optional, like `gymnasium.Env.close`
        """Release threads and processes of the collector, if it has any."""

    def _check_snapshots(self, snapshots: list[bytes]) -> None:
        copies = self.rollout.shape.copies
        if len(snapshots) != copies:
            raise ConfigError(
                f"the checkpoint has {len(snapshots)} copies, the training has {copies}; use the same number of copies",
                code="snapshot_count_mismatch",
                snapshots=len(snapshots),
                copies=copies,
            )

    def _split_wall_time(self, wall: float, seconds: list[ShardSeconds]) -> None:
        env, policy = sum(item.env for item in seconds), sum(item.policy for item in seconds)
        self.teacher_seconds = wall * sum(item.teacher for item in seconds) / (env + policy)
        self.env_seconds = wall * env / (env + policy)
        self.policy_seconds = wall - self.env_seconds


@runtime_checkable
class RemoteEnvs(Protocol):
    """Copies in other processes, which collect rollouts themselves."""

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def join_league(self, league: "League") -> None:
        """Let the copies play matches of this league; call it before `collector`."""

    def collector(self, policy: Policy, settings: TrainerSettings) -> RolloutCollector:
        """Return the collector of their rollouts."""


class Collector(RolloutCollector):
    """Collects rollouts on the host, one shard of copies per thread."""

    def __init__(
        self,
        envs: TrainingEnvs,
        policy: Policy,
        settings: TrainerSettings,
        workers: Workers,
        teacher: TeacherMaker | None = None,
    ) -> None:
        """Split environments that have not been reset into shards; `workers` stay the caller's."""
        device = torch.device(settings.execution.device)
        shape = rollout_shape(envs, policy, settings)
        if teacher is not None:
            shape = replace(shape, teaching=TeachingShape(teacher.has_probabilities))
        self.rollout = self.upcoming = RolloutBuffer(shape, device)
        self.starts = None if settings.starts is None else StoredStarts(settings.starts, self.rollout)
        self._workers = workers
        parts = settings.execution.env_shards(envs.copies)
        self._shards = _split(envs, self.rollout, parts, policy, self.starts, teacher)
        self._network = None if why_torch(policy, settings) else NativeNetwork(policy)
        self._actors = [self._actor(policy) for _ in self._shards]

    def reset(self) -> None:
        """Start an episode in every copy."""
        for shard in self._shards:
            shard.reset()

    def collect(self, policy: Policy, params: SamplingParams) -> None:
        """Fill one rollout; `policy` is the one the collector was made with."""
        began = time.perf_counter()
        self.rollout.reset()
        self.rollout.is_taught = params.asks_teacher
        if self._network is not None:
            self._network.load(for_learning=False)
        shards = zip(self._shards, self._actors, strict=True)
        seconds = self._workers.run([partial(shard.collect, actor, params) for shard, actor in shards])
        self.rollout.sync_outcomes()
        self._split_wall_time(time.perf_counter() - began, seconds)

    def carry_last_step(self) -> None:
        """Start the next rollout where the last one ended; call it after learning from the last one."""
        self.rollout.carry_last_step()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for shard in self._shards for data in shard.snapshots()]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._check_snapshots(snapshots)
        for shard in self._shards:
            shard.restore(snapshots[shard.first_copy : shard.first_copy + shard.envs.copies])

    def teacher_memories(self) -> torch.Tensor | None:
        """Return what the teacher remembers of each row; None without a teacher."""
        memories = [shard.teacher.memories() for shard in self._shards if shard.teacher is not None]
        return stack_memories(memories) if memories else None

    def load_teacher_memories(self, memories: torch.Tensor) -> None:
        """Have the teacher go on from its memories."""
        agents = self.rollout.shape.spec.agents
        for shard in self._shards:
            if shard.teacher is not None:
                first = shard.first_copy * agents
                shard.teacher.load_memories(memories[first : first + shard.envs.copies * agents])

    def _actor(self, policy: Policy) -> Actor:
        return TorchActor(policy) if self._network is None else NativeActor(policy, self._network)


def rollout_shape(envs: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> RolloutShape:
    """Return the sizes of the rollouts of a training."""
    steps = settings.ppo.rollout_steps
    length = (settings.ppo.sequence_length or steps) if policy.memory_width else 1
    return RolloutShape(
        spec=envs.spec,
        copies=envs.copies,
        steps=steps,
        sequence_length=length,
        memory_width=policy.memory_width,
        extras=_extras(envs, policy, settings),
        learns_from_dt=settings.ppo.is_per_tick,
        components=len(policy.components),
    )


def _extras(envs: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> Mapping[str, ExtraArray]:
    masks = {name: ExtraArray(width=width, dtype=torch.uint8) for name, width in policy.heads.plan.mask_extras.items()}
    targets = {
        item.target: ExtraArray(width=item.width_in(envs.spec), dtype=torch.float32)
        for item in settings.policy.auxiliary.values()
    }
    extras = {**masks, **targets}
    if extras and not isinstance(envs, ExtraArrays):
        name = next(iter(extras))
        raise ConfigError(
            f"policy: the world {envs.spec.world!r} has no extra arrays, but the policy reads {name!r}",
            code="extra_arrays_missing",
            world=envs.spec.world,
            extra=name,
        )
    return extras


def _split(
    envs: TrainingEnvs,
    rollout: RolloutBuffer,
    parts: int,
    policy: Policy,
    starts: StoredStarts | None,
    teacher: TeacherMaker | None,
) -> list[EnvShard]:
    shards, first_copy = [], 0
    for part in envs.split(parts):
        asked = None if teacher is None else teacher.make(part.spec, part.copies * part.spec.agents)
        shards.append(EnvShard(part, rollout, first_copy, components=policy.components, starts=starts, teacher=asked))
        first_copy += part.copies
    return shards
