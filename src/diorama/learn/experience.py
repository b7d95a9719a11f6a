"""`Experience`: a flattened rollout with advantages, returns and weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Protocol

import torch

from diorama.learn.buffer import RolloutBuffer
from diorama.learn.gae import GaeParams, Outcomes, VtraceCorrection, compute_advantages
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.head_plan import HeadPlan
from diorama.learn.policies.heads import had_choice, is_valid
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.ppo import PpoSettings, RatioKind


def sequence_count(steps: int, rows: int, length: int) -> int:
    """Return the number of sequences of a rollout."""
    return steps // length * rows


def sequence_decisions(sequences: torch.Tensor, *, rows: int, length: int) -> torch.Tensor:
    """Return the decisions of sequences, length × sequences, as indices into a rollout flattened time-major."""
    if length == 1:
        return sequences[None]
    chunks = torch.div(sequences, rows, rounding_mode="floor")
    first = chunks * (length * rows) + sequences % rows
    return first[None] + torch.arange(length, device=sequences.device)[:, None] * rows


class SequenceSubset(Protocol):
    """Some sequences of a rollout, whose entries it selects from arrays."""

    @property
    def sequences(self) -> int:
        """Number of sequences."""

    def select_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of these sequences from an array with one entry per sequence."""

    def select_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of their decisions, time-major, from an array with one entry per decision."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive sequences of length 1, selected without a copy."""

    first: int
    sequences: int

    def select_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)

    def select_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)


@dataclass(frozen=True, slots=True)
class SampleIndices:
    """Any sequences, selected by index.

    Attributes:
        sequence_ids: Indices of the sequences.
        decision_ids: Indices of their decisions, time-major.
    """

    sequence_ids: torch.Tensor
    decision_ids: torch.Tensor

    @property
    def sequences(self) -> int:
        """Number of sequences."""
        return len(self.sequence_ids)

    def select_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return a copy."""
        return array.index_select(0, self.sequence_ids)

    def select_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return a copy."""
        return array.index_select(0, self.decision_ids)


def index_sequences(sequences: torch.Tensor, *, rows: int, length: int) -> SampleIndices:
    """Return the subset of these sequences."""
    return SampleIndices(sequences, sequence_decisions(sequences, rows=rows, length=length).reshape(-1))


def blocks(total: int, size: int) -> list[Block]:
    """Split `total` decisions into blocks of one size; the last may be smaller."""
    return [Block(first, min(size, total - first)) for first in range(0, total, size)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutTargets:
    """Targets and weights of the loss, one row per decision.

    Attributes:
        log_probs: Of the behavior policy, per head.
        values: Of the behavior policy.
        advantages: Of the actions.
        returns: Targets of the critic.
        policy_weights: Weights in the policy loss and the entropy.
        value_weights: Weights in the value loss.
        head_weights: Weights of the heads if ratios are per head: 1 where a head mattered and had a choice.
        value_targets: Decisions × components: returns that each output of the critic learns, where it has several.
        old_values: Likewise, its outputs under the behavior policy.
    """

    log_probs: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    policy_weights: torch.Tensor
    value_weights: torch.Tensor
    head_weights: torch.Tensor
    value_targets: torch.Tensor | None = None
    old_values: torch.Tensor | None = None

    def map(self, select: Callable[[torch.Tensor], torch.Tensor]) -> "RolloutTargets":
        """Return the targets with a function applied to every array."""
        arrays = {item.name: getattr(self, item.name) for item in fields(self)}
        return RolloutTargets(**{name: select(array) for name, array in arrays.items() if array is not None})


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInputs:
    """Observations and actions of a rollout, flattened time-major.

    Attributes:
        masks: Valid options; None if masks are not used.
        extras: Extra arrays by name.
        memory: Recurrent state at the start of each sequence, sequences × memory width.
        starts: Non-zero where the observation is the first of an episode.
        length: Decisions per sequence.
        rows: Rows of the rollout.
    """

    obs: torch.Tensor
    obs_u8: torch.Tensor
    masks: torch.Tensor | None
    extras: Mapping[str, torch.Tensor]
    actions: torch.Tensor
    memory: torch.Tensor
    starts: torch.Tensor
    length: int
    rows: int

    def select(self, subset: SequenceSubset) -> "PolicyInputs":
        """Return the inputs of some sequences."""
        return PolicyInputs(
            obs=subset.select_decisions(self.obs),
            obs_u8=subset.select_decisions(self.obs_u8),
            masks=None if self.masks is None else subset.select_decisions(self.masks),
            extras={name: subset.select_decisions(array) for name, array in self.extras.items()},
            actions=subset.select_decisions(self.actions),
            memory=subset.select_sequences(self.memory),
            starts=subset.select_decisions(self.starts),
            length=self.length,
            rows=subset.sequences,
        )

    def split(self, order: torch.Tensor, size: int) -> list[SequenceSubset]:
        """Split the sequences, taken in this order, into subsets of one size."""
        return [index_sequences(part, rows=self.rows, length=self.length) for part in torch.split(order, size)]

    def chunks(self, size: int) -> list[SequenceSubset]:
        """Split all sequences into subsets of one size."""
        if self.length == 1:
            return [*blocks(self.sequences, size)]
        return self.split(torch.arange(self.sequences, device=self.obs.device), size)

    @property
    def sequences(self) -> int:
        """Number of sequences."""
        return len(self.memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class TeachingTargets:
    """What a teacher says of the decisions of a rollout, one row per decision.

    Attributes:
        choices: Decisions × heads, int32.
        probabilities: Decisions × options of all heads, given the choices; None for a teacher that only chooses.
        head_weights: 1 where the row was alive, the head mattered and had a choice, and the teacher's is valid; else 0.
    """

    choices: torch.Tensor
    probabilities: torch.Tensor | None
    head_weights: torch.Tensor

    def select(self, subset: SequenceSubset) -> "TeachingTargets":
        """Return the targets of some sequences."""
        return TeachingTargets(
            choices=subset.select_decisions(self.choices),
            probabilities=None if self.probabilities is None else subset.select_decisions(self.probabilities),
            head_weights=subset.select_decisions(self.head_weights),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """A rollout prepared for learning.

    Attributes:
        outcomes: Rewards, values and episode ends, time-major, from which advantages can be computed again.
        teaching: What the teacher says of the decisions; None where none was asked.
    """

    inputs: PolicyInputs
    targets: RolloutTargets
    outcomes: Outcomes
    teaching: TeachingTargets | None = None

    def with_vtrace(self, params: GaeParams, correction: VtraceCorrection, values: torch.Tensor) -> "Experience":
        """Return it with advantages and returns of the current policy; `values` is steps × rows."""
        outcomes = replace(self.outcomes, values=torch.cat([values, self.outcomes.values[-1:]]))
        advantages = compute_advantages(outcomes, params, correction)
        targets = replace(self.targets, advantages=advantages.view(-1), returns=(advantages + values).view(-1))
        return replace(self, targets=targets)


def build_experience(
    rollout: RolloutBuffer,
    plan: HeadPlan,
    settings: PpoSettings,
    scaler: RewardScaler,
    component_weights: torch.Tensor | None = None,
) -> Experience:
    """Return a rollout with its advantages, returns and weights; updates the reward scaler.

    With components of the value function, their advantages are computed one by one and summed with these weights.
    """
    inputs = _inputs(rollout, settings)
    alive = rollout.alive_mask()
    terminated, truncated = rollout.outcome("terminated"), rollout.outcome("truncated")
    failed = terminated
    if settings.truncation_ends:
        terminated, truncated = terminated | truncated, torch.zeros_like(truncated)
    ended = (terminated | truncated) != 0
    counted = alive if scaler.counts_failures else alive * (failed == 0)
    dt = rollout.ticks()
    rewards = scaler(rollout.outcome("rewards"), ended, counted, dt)
    if component_weights is None:
        rewards = _drop_gains_before_failure(rewards, failed != 0, ended, settings.failing_rewards)
    else:
        rewards = scaler.divide(rollout.reward_terms.to(rewards.device))
    outcomes = Outcomes(
        rewards=rewards,
        values=rollout.values,
        terminated=terminated,
        truncated=truncated,
        bootstrap=rollout.bootstrap,
        dt=dt,
    )
    advantages = compute_advantages(outcomes, GaeParams(gamma=settings.gamma, gae_lambda=settings.gae_lambda))
    values = rollout.values[:-1]
    value_targets = old_values = None
    if component_weights is not None:
        value_targets, old_values = (advantages + values).flatten(0, 1), values.flatten(0, 1)
        advantages, values = advantages @ component_weights, values @ component_weights
        outcomes = outcomes.weighted(component_weights)
    head_weights = _head_weights(inputs, plan, settings)
    forced = (head_weights.sum(dim=1) == 0).to(torch.float32)
    episode_start = rollout.inputs["episode_start"][:-1] != 0
    has_return = alive + awaits_episode_end(alive, ended, episode_start)
    if rollout.unlearned is not None:
        alive, has_return = alive * ~rollout.unlearned, has_return * ~rollout.unlearned
    return Experience(
        inputs=inputs,
        outcomes=outcomes,
        teaching=_teaching(rollout, inputs, plan),
        targets=RolloutTargets(
            log_probs=rollout.log_probs.flatten(0, 1),
            values=values.reshape(-1),
            advantages=advantages.view(-1),
            returns=(advantages + values).view(-1),
            policy_weights=alive.view(-1)
            * (~rollout.by_expert).view(-1)
            * (1.0 - forced * (1.0 - settings.forced_policy_weight))
            * _weights_before_failure(failed, settings).view(-1),
            value_weights=has_return.view(-1) * (1.0 - forced * (1.0 - settings.forced_value_weight)),
            head_weights=head_weights,
            value_targets=value_targets,
            old_values=old_values,
        ),
    )


def awaits_episode_end(alive: torch.Tensor, ended: torch.Tensor, episode_start: torch.Tensor) -> torch.Tensor:
    """Return 1 where a row is no longer alive and the rollout contains the end of its episode, steps × rows, float32.

    Such a row may still receive a reward at the end, so the critic must learn its value: the last action of the row is
    bootstrapped from it. Rows of opponents and empty seats are not alive either, but their episodes never end. A row
    that starts an episode without being alive does not count.
    """
    found = torch.zeros_like(alive)
    awaits = torch.zeros_like(alive[0])
    for step in reversed(range(len(alive))):
        awaits = (1.0 - alive[step]) * torch.maximum(awaits, ended[step].to(awaits.dtype))
        awaits = torch.where(episode_start[step], 0.0, awaits)
        found[step] = awaits
    return found


def _inputs(rollout: RolloutBuffer, settings: PpoSettings) -> PolicyInputs:
    arrays, shape = rollout.inputs, rollout.shape
    use_masks = settings.use_action_mask and shape.spec.has_mask
    return PolicyInputs(
        obs=arrays["obs"][:-1].flatten(0, 1),
        obs_u8=arrays["obs_u8"][:-1].flatten(0, 1),
        masks=arrays["masks"][:-1].flatten(0, 1) if use_masks else None,
        extras={name: array[:-1].flatten(0, 1) for name, array in rollout.extras.items()},
        actions=rollout.actions.flatten(0, 1),
        memory=rollout.chunk_memory.flatten(0, 1),
        starts=arrays["episode_start"][:-1].flatten(),
        length=shape.sequence_length,
        rows=shape.rows,
    )


def _teaching(rollout: RolloutBuffer, inputs: PolicyInputs, plan: HeadPlan) -> TeachingTargets | None:
    if rollout.teaching is None or not rollout.is_taught:
        return None
    choices, probabilities = rollout.teaching.choices.flatten(0, 1), rollout.teaching.probabilities
    weights = had_choice(plan, inputs.masks, inputs.extras, choices)
    weights *= is_valid(plan, inputs.masks, inputs.extras, choices)
    weights *= rollout.alive_mask().view(-1, 1)
    return TeachingTargets(
        choices=choices,
        probabilities=None if probabilities is None else probabilities.flatten(0, 1),
        head_weights=weights,
    )


def _drop_gains_before_failure(
    rewards: torch.Tensor, failed: torch.Tensor, ended: torch.Tensor, steps: int
) -> torch.Tensor:
    """Return the rewards, with positive ones set to 0 in the last `steps` decisions before a failure."""
    if not steps:
        return rewards
    result = rewards.clone()
    left = torch.zeros(rewards.shape[1], dtype=torch.int64, device=rewards.device)
    for step in reversed(range(len(rewards))):
        left = torch.where(ended[step], 0, left)
        result[step] = torch.where(left > 0, rewards[step].clamp(max=0.0), rewards[step])
        left = torch.where(failed[step], steps, (left - 1).clamp(min=0))
    return result


def _weights_before_failure(terminated: torch.Tensor, settings: PpoSettings) -> torch.Tensor:
    """Return `failing_policy_weight` in the last `failing_steps` decisions before a failure, else 1; steps × rows."""
    weights = torch.ones(terminated.shape, device=terminated.device)
    if settings.failing_policy_weight == 1.0 or not settings.failing_steps:
        return weights
    left = torch.zeros(terminated.shape[1], dtype=torch.int64, device=terminated.device)
    for step in reversed(range(len(terminated))):
        left = torch.where(terminated[step] != 0, settings.failing_steps, left)
        weights[step] = torch.where(left > 0, settings.failing_policy_weight, 1.0)
        left = (left - 1).clamp(min=0)
    return weights


def _head_weights(inputs: PolicyInputs, plan: HeadPlan, settings: PpoSettings) -> torch.Tensor:
    needs_forced = settings.forced_policy_weight != 1.0 or settings.forced_value_weight != 1.0
    if needs_forced or settings.ratio is RatioKind.PER_HEAD:
        return had_choice(plan, inputs.masks, inputs.extras, inputs.actions)
    return torch.ones(inputs.actions.shape, device=inputs.actions.device)


def prepare_rollout(
    rollout: RolloutBuffer, policy: Policy, settings: TrainerSettings, scaler: RewardScaler
) -> Experience:
    """Return a rollout with its advantages, returns and weights; updates the scales of rewards and values."""
    weights = policy.component_weights if policy.components else None
    experience = build_experience(rollout, policy.heads.plan, settings.ppo, scaler, weights)
    scale_values(experience, policy, settings)
    return experience


def scale_values(experience: Experience, policy: Policy, settings: TrainerSettings) -> None:
    """Update the critic's scale with the returns of an experience, if values are normalized."""
    if settings.normalization.values:
        targets = experience.targets
        policy.value_scale.update(targets.returns, targets.value_weights, policy.value_head)
