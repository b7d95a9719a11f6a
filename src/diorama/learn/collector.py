"""`Collector`: fills rollout buffers, one shard of environments per thread."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.resident import ResidentCore
from diorama.contracts.spec import WorldSpec
from diorama.contracts.thoughts import PolicyOutputs
from diorama.learn.actors import Actor, TorchActor
from diorama.learn.buffer import ExtraArray, RolloutBuffer, RolloutShape, decision_views, show_step, step_views
from diorama.learn.envs import Advised, ExtraArrays, ReceivesPolicyOutputs, TrainingEnvs, copy_snapshots, restore_copies
from diorama.learn.keyed_random import DrawKey, uniforms
from diorama.learn.native import NativeActor, NativeNetwork, why_torch
from diorama.learn.policies.distributions import Drawing
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.workers import Workers

if TYPE_CHECKING:
    from diorama.learn.selfplay.league import Arena


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How a rollout is acted: the run's seed, the update's number, shares of exploration, the use of masks.

    Attributes:
        teacher_share: Share of decisions that the world's own controller takes.
        first_row: Rows of the run that others act for before the first one here.
    """

    seed: int
    update: int
    exploration: tuple[float, ...]
    use_masks: bool
    teacher_share: float = 0.0
    first_row: int = 0


@dataclass(frozen=True, slots=True)
class ShardSeconds:
    """Seconds a lane spent on stepping and on choosing."""

    env: float
    policy: float


class RolloutCollector(Protocol):
    """Owns the copies and the storage.

    Attributes:
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    env_seconds: float
    policy_seconds: float

    @property
    def rollout(self) -> RolloutBuffer:
        """The rollout gathered last."""

    @property
    def upcoming(self) -> RolloutBuffer:
        """The one that is filled next."""

    def open(self) -> None:
        """Open an episode in every copy."""

    def collect(self, policy: Policy, acting: SamplingParams) -> None:
        """Gather one rollout."""

    def release(self) -> None:
        """Hear that nobody reads the rollout but the one who learns from it."""

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""

    def close(self) -> None:
        """End whatever was started."""


@runtime_checkable
class RemoteEnvs(Protocol):
    """Copies that are not at hand: somebody acts for them where they are."""

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""

    @property
    def copies(self) -> int:
        """Number of copies."""

    def attend(self, arena: "Arena") -> None:
        """Let the copies play matches, whose results go to this arena; call it before somebody gathers."""

    def collector(self, policy: Policy, settings: TrainerSettings) -> RolloutCollector:
        """Return who gathers their rollouts."""


@dataclass(frozen=True, slots=True)
class _CutOff:
    """Rows whose episode one step cut off: what they saw last, and what they remembered."""

    step: int
    places: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor
    memory: torch.Tensor


class EnvShard:
    """Copies `first_copy` and on of a rollout.

    Lanes share nothing but the policy, which stands still while they run, so they never wait for one another.
    """

    def __init__(self, source: TrainingEnvs, rollout: RolloutBuffer, first_copy: int) -> None:
        """Prepare the views of every step; nothing is opened yet."""
        agents, steps = source.spec.agents, rollout.shape.steps
        self.source = source
        self.first_copy = first_copy
        self._rollout = rollout
        self._rows = rows = slice(first_copy * agents, (first_copy + source.copies) * agents)
        self._buffers = [rollout.buffers(step, first_copy, source.copies) for step in range(steps + 1)]
        self._shown = [step_views(rollout, step, rows) for step in range(steps + 1)]
        self._written = [decision_views(rollout, step, rows) for step in range(steps)]
        self._memory = rollout.memory[rows]
        self._final_obs = rollout.host["final_obs"][rows]
        self._final_obs_u8 = rollout.host["final_obs_u8"][rows]
        self._is_heard = isinstance(source, ReceivesPolicyOutputs) and source.wants_policy_outputs
        self.source.adopt(self._buffers[0])

    def open(self) -> None:
        """Open an episode in every copy."""
        self.source.reset()
        self._copy_extras(0)

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot; the memory and the flags of the rollout are the caller's."""
        self.source.adopt(self._buffers[0])
        restore_copies(self.source, snapshots)
        self._copy_extras(0)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self.source)

    @torch.inference_mode()
    def collect(self, actor: Actor, acting: SamplingParams) -> ShardSeconds:
        """Fill the lane's rows of the rollout: decide, step, and value what comes after."""
        steps = self._rollout.shape.steps
        began, env = time.perf_counter(), 0.0
        cut_off: list[_CutOff] = []
        for step in range(steps):
            self._decide(actor, acting, step)
            if self._is_heard:
                self._explain(actor, acting, step)
            stepping = time.perf_counter()
            self.source.step(self._written[step].sent, self._buffers[step + 1])
            env += time.perf_counter() - stepping
            self._copy_extras(step + 1)
            if self._buffers[step + 1].truncated.any():
                cut_off.append(self._keep_cut_off(step))
        show_step(self._rollout, steps, self._rows)
        last = self._shown[steps]
        last.values.copy_(actor.appraise(last.obs, last.obs_u8, self._memory, last.starts))
        self._value_cut_off(actor, cut_off)
        return ShardSeconds(env, time.perf_counter() - began - env)

    def _decide(self, actor: Actor, acting: SamplingParams, step: int) -> None:
        shown, written = self._shown[step], self._written[step]
        show_step(self._rollout, step, self._rows)
        self._keep_memory(step)
        key = DrawKey(seed=acting.seed, update=acting.update, step=step, row=acting.first_row + self._rows.start)
        drawing = Drawing(exploration=acting.exploration, key=key)
        actor.decide(shown, shown.masks if acting.use_masks else None, self._memory, drawing, written)
        if acting.teacher_share:
            self._hand_over(acting.teacher_share, key, step)
        written.send()

    def _explain(self, actor: Actor, acting: SamplingParams, step: int) -> None:
        """Tell the copies how sure the policy was."""
        assert isinstance(self.source, ReceivesPolicyOutputs)
        shown, written = self._shown[step], self._written[step]
        masks = shown.masks if acting.use_masks else None
        probabilities = actor.likelihoods(shown, masks, acting.exploration, written)
        self.source.on_policy_outputs(
            PolicyOutputs(
                actions=written.sent,
                log_probs=written.log_probs.cpu().numpy(),
                values=shown.values.cpu().numpy(),
                probabilities=None if probabilities is None else probabilities.cpu().numpy(),
            )
        )

    def _hand_over(self, share: float, key: DrawKey, step: int) -> None:
        """Let the world's controller take its share of the decisions."""
        assert isinstance(self.source, Advised)
        actions, device = self._written[step].actions, self._rollout.device
        rows, heads = actions.shape
        # One draw more than there are heads: whose decision it is.
        is_led = uniforms(key.at_head(heads), rows, 1, device)[:, 0] < share
        self._rollout.led[step, self._rows] = is_led
        actions[is_led] = torch.from_numpy(self.source.advise()).to(device)[is_led]

    def _keep_memory(self, step: int) -> None:
        shape = self._rollout.shape
        if shape.memory_width and step % shape.sequence_length == 0:
            self._rollout.chunk_memory[step // shape.sequence_length, self._rows] = self._memory

    def _copy_extras(self, step: int) -> None:
        if self._rollout.host_extras:
            assert isinstance(self.source, ExtraArrays)
            for name, array in self._rollout.host_extras.items():
                array[step, self._rows] = torch.from_numpy(self.source.extra(name))

    def _keep_cut_off(self, step: int) -> _CutOff:
        device = self._rollout.device
        places = torch.from_numpy(self._buffers[step + 1].truncated.nonzero()[0])
        return _CutOff(
            step=step,
            places=places.to(device),
            obs=self._final_obs[places].to(device),
            obs_u8=self._final_obs_u8[places].to(device),
            memory=self._memory[places.to(device)],
        )

    def _value_cut_off(self, actor: Actor, cut_off: list[_CutOff]) -> None:
        if not cut_off:
            return
        memory = torch.cat([item.memory for item in cut_off])
        starts = torch.zeros(1, len(memory), dtype=torch.uint8, device=memory.device)
        obs = torch.cat([item.obs for item in cut_off])
        obs_u8 = torch.cat([item.obs_u8 for item in cut_off])
        values = torch.split(actor.appraise(obs, obs_u8, memory, starts), [len(item.places) for item in cut_off])
        for item, value in zip(cut_off, values, strict=True):
            self._rollout.bootstrap[item.step, self._rows][item.places] = value


class Collector:
    """Owns the copies and the storage.

    The copies are split into lanes of a fixed size, each led by one thread at a time.

    Attributes:
        rollout: The rollout gathered last.
        upcoming: The one that is filled next, which is the same.
        env_seconds: Of the last rollout, the share of its wall time that went into stepping.
        policy_seconds: The rest of it.
    """

    def __init__(self, source: TrainingEnvs, policy: Policy, settings: TrainerSettings, workers: Workers) -> None:
        """Take over the copies of a source that has not been reset."""
        device = torch.device(settings.execution.device)
        shape = rollout_shape(source, policy, settings)
        self.rollout = self.upcoming = RolloutBuffer(shape, device)
        self._workers = workers
        self._shards = _shards(source, self.rollout, settings.execution.lanes(source.copies))
        self._network = None if why_torch(policy, settings) else NativeNetwork(policy)
        self._actors = [self._actor(policy) for _ in self._shards]
        self.env_seconds = self.policy_seconds = 0.0

    def open(self) -> None:
        """Open an episode in every copy."""
        for shard in self._shards:
            shard.open()

    def collect(self, policy: Policy, acting: SamplingParams) -> None:
        """Gather one rollout; the policy is the one the collector was made with."""
        began = time.perf_counter()
        self.rollout.begin()
        if self._network is not None:
            self._network.load(for_learning=False)
        shards = zip(self._shards, self._actors, strict=True)
        spent = self._workers.run([partial(shard.collect, actor, acting) for shard, actor in shards])
        self.rollout.share_outcomes()
        self._share_out(time.perf_counter() - began, spent)

    def release(self) -> None:
        """Hear that nobody reads the rollout but the one who learns from it, who reads the same memory."""

    def turn_over(self) -> None:
        """Make the end of a rollout that has been learned from the beginning of the next."""
        self.rollout.turn_over()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy, in order."""
        return [data for shard in self._shards for data in shard.snapshots()]

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot."""
        if len(snapshots) != self.rollout.shape.copies:
            raise ConfigError(f"{len(snapshots)} snapshots for {self.rollout.shape.copies} copies; train with as many")
        for shard in self._shards:
            shard.restore(snapshots[shard.first_copy : shard.first_copy + shard.source.copies])

    def close(self) -> None:
        """Do nothing: the threads are the trainer's."""

    def _actor(self, policy: Policy) -> Actor:
        return TorchActor(policy) if self._network is None else NativeActor(policy, self._network)

    def _share_out(self, wall: float, spent: list[ShardSeconds]) -> None:
        env, policy = sum(item.env for item in spent), sum(item.policy for item in spent)
        self.env_seconds = wall * env / (env + policy)
        self.policy_seconds = wall - self.env_seconds


def rollout_shape(source: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> RolloutShape:
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


def _extras(source: TrainingEnvs | ResidentCore, policy: Policy, settings: TrainerSettings) -> Mapping[str, ExtraArray]:
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


def _shards(source: TrainingEnvs, rollout: RolloutBuffer, parts: int) -> list[EnvShard]:
    shards, first_copy = [], 0
    for part in source.split(parts):
        shards.append(EnvShard(part, rollout, first_copy))
        first_copy += part.copies
    return shards
