"""`EnvShard`: some copies of a rollout, stepped by one thread at a time."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.learn.actors import Actor
from diorama.learn.buffer import (
    RolloutBuffer,
    copy_step_to_device,
    decision_views,
    step_views,
)
from diorama.learn.envs import (
    ExtraArrays,
    HasExpert,
    HasRewardTerms,
    ReceivesPolicyOutputs,
    TrainingEnvs,
    copy_snapshots,
    restore_copies,
)
from diorama.learn.keyed_random import DrawKey, uniforms
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.starts import StoredStarts
from diorama.learn.teachers import Teacher, TeacherViews


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
        asks_teacher: Whether the teacher is asked about every decision.
    """

    seed: int
    update: int
    exploration: tuple[float, ...]
    use_masks: bool
    teacher_share: float = 0.0
    first_row: int = 0
    asks_teacher: bool = False


@dataclass(frozen=True, slots=True)
class ShardSeconds:
    """Seconds a shard spent stepping environments and running the policy; `teacher` is a part of the latter."""

    env: float
    policy: float
    teacher: float = 0.0


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

    def __init__(
        self,
        envs: TrainingEnvs,
        rollout: RolloutBuffer,
        first_copy: int,
        *,
        components: Sequence[str] = (),
        starts: StoredStarts | None = None,
        teacher: Teacher | None = None,
    ) -> None:
        """Write the rows of `envs` into a rollout, from copy `first_copy` on.

        Args:
            envs: Some of the copies.
            rollout: To be filled.
            first_copy: Index of the first of them.
            components: Terms of the rewards that have a value head of their own.
            starts: Opens some episodes in stored states.
            teacher: Is asked about these rows.
        """
        agents, steps = envs.spec.agents, rollout.shape.steps
        self.envs = envs
        self.first_copy = first_copy
        self._rollout = rollout
        self._rows = rows = slice(first_copy * agents, (first_copy + envs.copies) * agents)
        self._buffers = [rollout.buffers(step, first_copy, envs.copies) for step in range(steps + 1)]
        self._steps = [step_views(rollout, step, rows) for step in range(steps + 1)]
        self._decisions = [decision_views(rollout, step, rows) for step in range(steps)]
        self._memory = rollout.memory[rows]
        self.teacher = teacher
        self._teacher_views = self._views_of_teacher()
        self._teacher_seconds = 0.0
        self._final_obs = rollout.host["final_obs"][rows]
        self._final_obs_u8 = rollout.host["final_obs_u8"][rows]
        self._terms = term_columns(envs, components)
        self._sends_policy_outputs = isinstance(envs, ReceivesPolicyOutputs) and envs.wants_policy_outputs
        self._starts = None if starts is None else starts.shard(envs, first_copy)
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
        self._teacher_seconds = 0.0
        truncated: list[_Truncated] = []
        if self._starts is not None:
            self._starts.open_first_episodes(self._buffers[0], self._memory)
            self._copy_extras(0)
        for step in range(steps):
            if self._starts is not None:
                self._starts.keep_states(step, self._buffers[step], self._memory)
            self._act(actor, params, step)
            if self._sends_policy_outputs:
                self._send_policy_outputs(actor, params, step)
            stepping = time.perf_counter()
            self.envs.step(self._decisions[step].numpy_actions, self._buffers[step + 1])
            if self._terms:
                self._store_terms(step)
            env_seconds += time.perf_counter() - stepping
            if self._buffers[step + 1].truncated.any():
                truncated.append(self._truncated_rows(step))
            if self._starts is not None:
                self._starts.open_episodes(step + 1, self._buffers[step + 1], self._memory)
            self._copy_extras(step + 1)
        copy_step_to_device(self._rollout, steps, self._rows)
        last = self._steps[steps]
        last.values.copy_(actor.values(last.obs, last.obs_u8, self._memory, last.starts))
        self._bootstrap_truncated(actor, truncated)
        return ShardSeconds(env_seconds, time.perf_counter() - began - env_seconds, self._teacher_seconds)

    def _act(self, actor: Actor, params: SamplingParams, step: int) -> None:
        inputs, out = self._steps[step], self._decisions[step]
        copy_step_to_device(self._rollout, step, self._rows)
        self._store_memory(step)
        key = DrawKey(seed=params.seed, update=params.update, step=step, row=params.first_row + self._rows.start)
        sampling = ActionSampling(exploration=params.exploration, key=key)
        actor.act(inputs, inputs.masks if params.use_masks else None, self._memory, sampling, out)
        if params.asks_teacher:
            self._ask_teacher(key, step)
        if params.teacher_share:
            self._replace_by_expert(params.teacher_share, key, step)
        out.copy_to_host()

    def _ask_teacher(self, key: DrawKey, step: int) -> None:
        assert self.teacher is not None, "only a shard with a teacher asks one"
        asking = time.perf_counter()
        # The draws after that of the expert's share.
        key = key.at_head(len(self.envs.spec.heads) + 1)
        self.teacher.teach(self.envs, self._buffers[step], self._teacher_views[step], key)
        self._teacher_seconds += time.perf_counter() - asking

    def _views_of_teacher(self) -> list[TeacherViews]:
        teaching = self._rollout.teaching
        if teaching is None:
            return []
        return [
            TeacherViews(
                teaching.choices[step, self._rows],
                None if teaching.probabilities is None else teaching.probabilities[step, self._rows],
            )
            for step in range(self._rollout.shape.steps)
        ]

    def _send_policy_outputs(self, actor: Actor, params: SamplingParams, step: int) -> None:
        assert isinstance(self.envs, ReceivesPolicyOutputs)
        inputs, out = self._steps[step], self._decisions[step]
        masks = inputs.masks if params.use_masks else None
        probabilities = actor.probabilities(inputs, masks, params.exploration, out)
        self.envs.on_policy_outputs(
            PolicyOutputs(
                actions=out.numpy_actions,
                log_probs=out.log_probs.cpu().numpy(),
                values=actor.total_values(inputs.values).cpu().numpy(),
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

    def _store_terms(self, step: int) -> None:
        assert isinstance(self.envs, HasRewardTerms)
        self._rollout.reward_terms[step, self._rows] = torch.from_numpy(self.envs.reward_terms()[:, self._terms])

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


def term_columns(envs: TrainingEnvs, components: Sequence[str]) -> list[int]:
    """Return the columns of the components among the terms of the rewards of these environments.

    Raises:
        ConfigError: The environments do not know the terms of their rewards, or have other terms.
    """
    if not components:
        return []
    names = envs.reward_term_names if isinstance(envs, HasRewardTerms) else ()
    if not names:
        raise ConfigError(
            f"policy.value_components: the terms of the rewards of {envs.spec.world!r} are not known; leave them out",
            code="reward_terms_missing",
            world=envs.spec.world,
        )
    if sorted(names) != sorted(components):
        raise ConfigError(
            f"policy.value_components: the terms are {', '.join(components)}; name all of {', '.join(names)}",
            code="value_components_differ",
            components=tuple(components),
            terms=names,
        )
    return [names.index(name) for name in components]
