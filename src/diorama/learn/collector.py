"""`Collector`: fills rollout buffers, one shard of environments per thread."""

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.resident import ResidentCore
from diorama.contracts.spec import WorldSpec
from diorama.learn.actors import Actor, TorchActor
from diorama.learn.buffer import (
    ExtraArray,
    RolloutBuffer,
    RolloutShape,
    copy_step_to_device,
    decision_views,
    step_views,
)
from diorama.learn.envs import (
    ExtraArrays,
    HasExpert,
    ReceivesPolicyOutputs,
    TrainingEnvs,
    copy_snapshots,
    restore_copies,
)
from diorama.learn.keyed_random import DrawKey, uniforms
from diorama.learn.native import NativeActor, NativeNetwork, why_torch
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.workers import Workers

if TYPE_CHECKING:
    from diorama.learn.selfplay.league import League


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How actions of one rollout are sampled.

    Attributes:
        seed: Of the run.
        update: Number of the update; random draws depend on it.
        exploration: Share of uniform choice among valid options, per head.
        use_masks: Whether invalid options are excluded.
        teacher_share: Share of actions that the world's expert chooses.
        first_row: Index of the first row here among the rows of all processes; random draws depend on it.
    """

    seed: int
    update: int
    exploration: tuple[float, ...]
    use_masks: bool
    teacher_share: float = 0.0
    first_row: int = 0


@dataclass(frozen=True, slots=True)
class ShardSeconds:
    """Seconds a shard spent stepping environments and running the policy."""

    env: float
    policy: float


class RolloutCollector(ABC):
    """Steps environments with a policy and fills rollout buffers.

    Attributes:
        rollout: The last rollout.
        upcoming: The buffer that the next `collect` fills; another one than `rollout` only if collecting overlaps
            learning.
        env_seconds: Part of the last rollout's wall time that went into stepping environments.
        policy_seconds: The rest of its wall time.
    """

    rollout: RolloutBuffer
    upcoming: RolloutBuffer
    env_seconds: float = 0.0
    policy_seconds: float = 0.0

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


@dataclass(frozen=True, slots=True)
class _Truncated:
    """Rows whose episode was truncated at a step, with their final observation and recurrent state."""

    step: int
    rows: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor
    memory: torch.Tensor


class EnvShard:
    """Some copies of a rollout, stepped by one thread at a time.

    Shards share only the policy, which does not change while they run, so no shard waits for another.
    """

    def __init__(self, envs: TrainingEnvs, rollout: RolloutBuffer, first_copy: int) -> None:
        """Write the rows of `envs` into a rollout, from copy `first_copy` on."""
        agents, steps = envs.spec.agents, rollout.shape.steps
        self.envs = envs
        self.first_copy = first_copy
        self._rollout = rollout
        self._rows = rows = slice(first_copy * agents, (first_copy + envs.copies) * agents)
        self._buffers = [rollout.buffers(step, first_copy, envs.copies) for step in range(steps + 1)]
        self._steps = [step_views(rollout, step, rows) for step in range(steps + 1)]
        self._decisions = [decision_views(rollout, step, rows) for step in range(steps)]
        self._memory = rollout.memory[rows]
        self._final_obs = rollout.host["final_obs"][rows]
        self._final_obs_u8 = rollout.host["final_obs_u8"][rows]
        self._sends_policy_outputs = isinstance(envs, ReceivesPolicyOutputs) and envs.wants_policy_outputs
        self.envs.adopt(self._buffers[0])

    def reset(self) -> None:
        """Start an episode in every copy."""
        self.envs.reset()
        self._copy_extras(0)

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot; the caller restores `episode_start` and the recurrent state."""
        self.envs.adopt(self._buffers[0])
        restore_copies(self.envs, snapshots)
        self._copy_extras(0)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self.envs)

    @torch.inference_mode()
    def collect(self, actor: Actor, params: SamplingParams) -> ShardSeconds:
        """Fill the rows of this shard, with values of the last and of truncated observations."""
        steps = self._rollout.shape.steps
        began, env_seconds = time.perf_counter(), 0.0
        truncated: list[_Truncated] = []
        for step in range(steps):
            self._act(actor, params, step)
            if self._sends_policy_outputs:
                self._send_policy_outputs(actor, params, step)
            stepping = time.perf_counter()
            self.envs.step(self._decisions[step].numpy_actions, self._buffers[step + 1])
            env_seconds += time.perf_counter() - stepping
            self._copy_extras(step + 1)
            if self._buffers[step + 1].truncated.any():
                truncated.append(self._truncated_rows(step))
        copy_step_to_device(self._rollout, steps, self._rows)
        last = self._steps[steps]
        last.values.copy_(actor.values(last.obs, last.obs_u8, self._memory, last.starts))
        self._bootstrap_truncated(actor, truncated)
        return ShardSeconds(env_seconds, time.perf_counter() - began - env_seconds)

    def _act(self, actor: Actor, params: SamplingParams, step: int) -> None:
        inputs, out = self._steps[step], self._decisions[step]
        copy_step_to_device(self._rollout, step, self._rows)
        self._store_memory(step)
        key = DrawKey(seed=params.seed, update=params.update, step=step, row=params.first_row + self._rows.start)
        sampling = ActionSampling(exploration=params.exploration, key=key)
        actor.act(inputs, inputs.masks if params.use_masks else None, self._memory, sampling, out)
        if params.teacher_share:
            self._replace_by_expert(params.teacher_share, key, step)
        out.copy_to_host()

    def _send_policy_outputs(self, actor: Actor, params: SamplingParams, step: int) -> None:
        assert isinstance(self.envs, ReceivesPolicyOutputs)
        inputs, out = self._steps[step], self._decisions[step]
        masks = inputs.masks if params.use_masks else None
        probabilities = actor.probabilities(inputs, masks, params.exploration, out)
        self.envs.on_policy_outputs(
            PolicyOutputs(
                actions=out.numpy_actions,
                log_probs=out.log_probs.cpu().numpy(),
                values=inputs.values.cpu().numpy(),
                probabilities=None if probabilities is None else probabilities.cpu().numpy(),
            )
        )

    def _replace_by_expert(self, share: float, key: DrawKey, step: int) -> None:
        assert isinstance(self.envs, HasExpert)
        actions, device = self._decisions[step].actions, self._rollout.device
        rows, heads = actions.shape
        # The draw after those of the heads: whether the expert chooses the action of the row.
        by_expert = uniforms(key.at_head(heads), rows, 1, device)[:, 0] < share
        self._rollout.by_expert[step, self._rows] = by_expert
        actions[by_expert] = torch.from_numpy(self.envs.expert_actions()).to(device)[by_expert]

    def _store_memory(self, step: int) -> None:
        shape = self._rollout.shape
        if shape.memory_width and step % shape.sequence_length == 0:
            self._rollout.chunk_memory[step // shape.sequence_length, self._rows] = self._memory

    def _copy_extras(self, step: int) -> None:
        if self._rollout.host_extras:
            assert isinstance(self.envs, ExtraArrays)
            for name, array in self._rollout.host_extras.items():
                array[step, self._rows] = torch.from_numpy(self.envs.extra(name))

    def _truncated_rows(self, step: int) -> _Truncated:
        device = self._rollout.device
        rows = torch.from_numpy(self._buffers[step + 1].truncated.nonzero()[0])
        return _Truncated(
            step=step,
            rows=rows.to(device),
            obs=self._final_obs[rows].to(device),
            obs_u8=self._final_obs_u8[rows].to(device),
            memory=self._memory[rows.to(device)],
        )

    def _bootstrap_truncated(self, actor: Actor, truncated: list[_Truncated]) -> None:
        if not truncated:
            return
        memory = torch.cat([item.memory for item in truncated])
        starts = torch.zeros(1, len(memory), dtype=torch.uint8, device=memory.device)
        obs = torch.cat([item.obs for item in truncated])
        obs_u8 = torch.cat([item.obs_u8 for item in truncated])
        values = torch.split(actor.values(obs, obs_u8, memory, starts), [len(item.rows) for item in truncated])
        for item, value in zip(truncated, values, strict=True):
            self._rollout.bootstrap[item.step, self._rows][item.rows] = value


class Collector(RolloutCollector):
    """Collects rollouts on the host, one shard of copies per thread."""

    def __init__(self, envs: TrainingEnvs, policy: Policy, settings: TrainerSettings, workers: Workers) -> None:
        """Split environments that have not been reset into shards; `workers` stay the caller's."""
        device = torch.device(settings.execution.device)
        self.rollout = self.upcoming = RolloutBuffer(rollout_shape(envs, policy, settings), device)
        self._workers = workers
        self._shards = _split(envs, self.rollout, settings.execution.env_shards(envs.copies))
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


def _split(envs: TrainingEnvs, rollout: RolloutBuffer, parts: int) -> list[EnvShard]:
    shards, first_copy = [], 0
    for part in envs.split(parts):
        shards.append(EnvShard(part, rollout, first_copy))
        first_copy += part.copies
    return shards
