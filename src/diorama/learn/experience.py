"""`Experience`: a rollout as the update reads it: flat, with advantages, returns and weights."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import torch

from diorama.learn.buffer import RolloutBuffer
from diorama.learn.gae import Correction, Decay, Outcomes, compute_advantages
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.head_plan import HeadPlan
from diorama.learn.policies.heads import had_choice
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.ppo import PpoSettings, RatioKind


def sequence_count(steps: int, rows: int, length: int) -> int:
    """Return how many sequences a rollout holds."""
    return steps // length * rows


def sequence_decisions(sequences: torch.Tensor, *, rows: int, length: int) -> torch.Tensor:
    """Return the decisions of the sequences, length × sequences, as places in a rollout flattened step by step."""
    if length == 1:
        return sequences[None]
    chunks = torch.div(sequences, rows, rounding_mode="floor")
    first = chunks * (length * rows) + sequences % rows
    return first[None] + torch.arange(length, device=sequences.device)[:, None] * rows


class Portion(Protocol):
    """Some sequences of a rollout."""

    @property
    def sequences(self) -> int:
        """How many there are."""

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of these sequences from an array with one per sequence."""

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return the entries of their decisions, step by step, from an array with one per decision."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive single decisions: steps follow one another in memory, so nothing is copied."""

    first: int
    sequences: int

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return a view."""
        return array.narrow(0, self.first, self.sequences)


@dataclass(frozen=True, slots=True)
class SampleIndices:
    """Any sequences; `places` says where their decisions lie, step by step."""

    chosen: torch.Tensor
    places: torch.Tensor

    @property
    def sequences(self) -> int:
        """How many there are."""
        return len(self.chosen)

    def of_sequences(self, array: torch.Tensor) -> torch.Tensor:
        """Return copies."""
        return array.index_select(0, self.chosen)

    def of_decisions(self, array: torch.Tensor) -> torch.Tensor:
        """Return copies."""
        return array.index_select(0, self.places)


def pick(sequences: torch.Tensor, *, rows: int, length: int) -> SampleIndices:
    """Return the portion of these sequences."""
    return SampleIndices(sequences, sequence_decisions(sequences, rows=rows, length=length).reshape(-1))


def blocks(total: int, size: int) -> list[Block]:
    """Cut so many single decisions into blocks of one size; the last may be smaller."""
    return [Block(first, min(size, total - first)) for first in range(0, total, size)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutTargets:
    """What is known of each decision; one entry per decision, log-probabilities and weights of heads per head.

    Attributes:
        log_probs: When the decision was taken.
        values: When the decision was taken.
        advantages: Normalized.
        returns: What the critic is to predict.
        policy_weights: Weight in the policy loss and the entropy.
        value_weights: Weight in the value loss.
        head_weights: Weight of each head where ratios are per head: 1 where it mattered and had a choice.
    """

    log_probs: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor
    policy_weights: torch.Tensor
    value_weights: torch.Tensor
    head_weights: torch.Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyInputs:
    """What the policy saw and did, flattened step by step; `masks` is None where they are not used.

    Attributes:
        memory: Sequences × memory width, before the first decision of each.
        starts: Non-zero where the observation opens an episode.
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

    def of(self, portion: Portion) -> "PolicyInputs":
        """Return the sights of some sequences."""
        return PolicyInputs(
            obs=portion.of_decisions(self.obs),
            obs_u8=portion.of_decisions(self.obs_u8),
            masks=None if self.masks is None else portion.of_decisions(self.masks),
            extras={name: portion.of_decisions(array) for name, array in self.extras.items()},
            actions=portion.of_decisions(self.actions),
            memory=portion.of_sequences(self.memory),
            starts=portion.of_decisions(self.starts),
            length=self.length,
            rows=portion.sequences,
        )

    def cut(self, order: torch.Tensor, size: int) -> list[Portion]:
        """Return the sequences, taken in this order, in portions of one size."""
        return [pick(part, rows=self.rows, length=self.length) for part in torch.split(order, size)]

    def in_order(self, size: int) -> list[Portion]:
        """Return all sequences in portions of one size."""
        if self.length == 1:
            return [*blocks(self.sequences, size)]
        return self.cut(torch.arange(self.sequences, device=self.obs.device), size)

    @property
    def sequences(self) -> int:
        """How many sequences there are."""
        return len(self.memory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """A rollout ready to be learned from.

    Attributes:
        outcomes: Time-major, to appraise it again.
    """

    inputs: PolicyInputs
    targets: RolloutTargets
    outcomes: Outcomes

    def corrected(self, decay: Decay, correction: Correction, values: torch.Tensor) -> "Experience":
        """Return it appraised with the policy and the values of now; `values` is steps × rows."""
        after = torch.cat([values, self.outcomes.values[-1:]])
        outcomes = replace(self.outcomes, values=after)
        advantages = compute_advantages(outcomes, decay, correction)
        targets = replace(self.targets, advantages=advantages.view(-1), returns=(advantages + values).view(-1))
        return replace(self, targets=targets)


def appraise(rollout: RolloutBuffer, plan: HeadPlan, settings: PpoSettings, scaler: RewardScaler) -> Experience:
    """Compute advantages, returns and weights of a rollout."""
    inputs = _inputs(rollout, settings)
    deciding = rollout.deciding()
    terminated, truncated = rollout.outcome("terminated"), rollout.outcome("truncated")
    by_the_rules = terminated
    if settings.truncation_ends:
        terminated, truncated = terminated | truncated, torch.zeros_like(truncated)
    ended = (terminated | truncated) != 0
    counted = deciding if scaler.counts_failures else deciding * (by_the_rules == 0)
    rewards = scaler(rollout.outcome("rewards"), ended, counted)
    outcomes = Outcomes(
        rewards=_without_gains_before_failures(rewards, by_the_rules != 0, ended, settings.failing_rewards),
        values=rollout.values,
        terminated=terminated,
        truncated=truncated,
        bootstrap=rollout.bootstrap,
    )
    advantages = compute_advantages(outcomes, Decay(gamma=settings.gamma, gae_lambda=settings.gae_lambda))
    values = rollout.values[:-1]
    choices = _choices(inputs, plan, settings)
    forced = (choices.sum(dim=1) == 0).to(torch.float32)
    alive = deciding.view(-1)
    opening = rollout.seen["episode_start"][:-1] != 0
    judged = alive + waiting(deciding, ended, opening).view(-1)
    return Experience(
        inputs=inputs,
        outcomes=outcomes,
        targets=RolloutTargets(
            log_probs=rollout.log_probs.flatten(0, 1),
            values=values.reshape(-1),
            advantages=advantages.view(-1),
            returns=(advantages + values).view(-1),
            policy_weights=alive
            * (~rollout.led).view(-1)
            * (1.0 - forced * (1.0 - settings.forced_policy_weight))
            * _failing_factors(by_the_rules, settings).view(-1),
            value_weights=judged * (1.0 - forced * (1.0 - settings.forced_value_weight)),
            head_weights=choices,
        ),
    )


def waiting(deciding: torch.Tensor, ended: torch.Tensor, opening: torch.Tensor) -> torch.Tensor:
    """Return 1 where a row is out of its episode and the rollout shows how that ends, steps × rows, float32.

    What such a row is owed is paid at the end. The critic must know what that is worth: the last decision before is
    appraised by it, and where nobody taught it, being out would be worth anything. Rows of opponents and empty seats
    take no decision either, but their episodes never end. A row that begins anew without deciding is owed nothing yet.
    """
    found = torch.zeros_like(deciding)
    after = torch.zeros_like(deciding[0])
    for step in reversed(range(len(deciding))):
        after = (1.0 - deciding[step]) * torch.maximum(after, ended[step].to(after.dtype))
        after = torch.where(opening[step], 0.0, after)
        found[step] = after
    return found


def _inputs(rollout: RolloutBuffer, settings: PpoSettings) -> PolicyInputs:
    seen, shape = rollout.seen, rollout.shape
    use_masks = settings.use_action_mask and shape.spec.has_mask
    return PolicyInputs(
        obs=seen["obs"][:-1].flatten(0, 1),
        obs_u8=seen["obs_u8"][:-1].flatten(0, 1),
        masks=seen["masks"][:-1].flatten(0, 1) if use_masks else None,
        extras={name: array[:-1].flatten(0, 1) for name, array in rollout.extras.items()},
        actions=rollout.actions.flatten(0, 1),
        memory=rollout.chunk_memory.flatten(0, 1),
        starts=seen["episode_start"][:-1].flatten(),
        length=shape.sequence_length,
        rows=shape.rows,
    )


def _without_gains_before_failures(
    rewards: torch.Tensor, failed: torch.Tensor, ended: torch.Tensor, steps: int
) -> torch.Tensor:
    """Return the rewards without those above 0 of the last `steps` decisions before a failure, in its episode."""
    if not steps:
        return rewards
    kept = rewards.clone()
    left = torch.zeros(rewards.shape[1], dtype=torch.int64, device=rewards.device)
    for step in reversed(range(len(rewards))):
        left = torch.where(ended[step], 0, left)
        kept[step] = torch.where(left > 0, rewards[step].clamp(max=0.0), rewards[step])
        left = torch.where(failed[step], steps, (left - 1).clamp(min=0))
    return kept


def _failing_factors(terminated: torch.Tensor, settings: PpoSettings) -> torch.Tensor:
    """Return the factor of every decision, steps × rows: smaller where the row's episode soon ends by the rules."""
    factors = torch.ones(terminated.shape, device=terminated.device)
    if settings.failing_policy_weight == 1.0 or not settings.failing_steps:
        return factors
    left = torch.zeros(terminated.shape[1], dtype=torch.int64, device=terminated.device)
    for step in reversed(range(len(terminated))):
        left = torch.where(terminated[step] != 0, settings.failing_steps, left)
        factors[step] = torch.where(left > 0, settings.failing_policy_weight, 1.0)
        left = (left - 1).clamp(min=0)
    return factors


def _choices(inputs: PolicyInputs, plan: HeadPlan, settings: PpoSettings) -> torch.Tensor:
    weighs_forced = settings.forced_policy_weight != 1.0 or settings.forced_value_weight != 1.0
    if weighs_forced or settings.ratio is RatioKind.PER_HEAD:
        return had_choice(plan, inputs.masks, inputs.extras, inputs.actions)
    return torch.ones(inputs.actions.shape, device=inputs.actions.device)


def prepare_rollout(
    rollout: RolloutBuffer, policy: Policy, settings: TrainerSettings, scaler: RewardScaler
) -> Experience:
    """Compute advantages, returns and weights of a rollout; where values are scaled, the scale takes it in."""
    experience = appraise(rollout, policy.heads.plan, settings.ppo, scaler)
    scale_values(experience, policy, settings)
    return experience


def scale_values(experience: Experience, policy: Policy, settings: TrainerSettings) -> None:
    """Let the critic's scale take in the returns of an experience, where values are scaled."""
    if settings.normalization.values:
        targets = experience.targets
        policy.value_scale.update(targets.returns, targets.value_weights, policy.value_head)
