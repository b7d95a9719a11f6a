"""`Experience`: a rollout as the update reads it: flat, appraised and weighted."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch

from diorama.learn.heads.masks import had_choice
from diorama.learn.heads.plan import HeadPlan
from diorama.learn.normalize import RewardScaler
from diorama.learn.ppo.advantages import Correction, Decay, Outcomes, compute_advantages
from diorama.learn.ppo.loss import Remembered
from diorama.learn.ppo.portions import Portion, blocks, pick
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.settings.ppo import PpoSettings, RatioKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Sights:
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

    def of(self, portion: Portion) -> "Sights":
        """Return the sights of some sequences."""
        return Sights(
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

    sights: Sights
    known: Remembered
    outcomes: Outcomes

    def corrected(self, decay: Decay, correction: Correction, values: torch.Tensor) -> "Experience":
        """Return it appraised with the policy and the values of now; `values` is steps × rows."""
        after = torch.cat([values, self.outcomes.values[-1:]])
        outcomes = replace(self.outcomes, values=after)
        advantages = compute_advantages(outcomes, decay, correction)
        known = replace(self.known, advantages=advantages.view(-1), returns=(advantages + values).view(-1))
        return replace(self, known=known)


def appraise(rollout: Rollout, plan: HeadPlan, settings: PpoSettings, scaler: RewardScaler) -> Experience:
    """Compute advantages, returns and weights of a rollout."""
    sights = _sights(rollout, settings)
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
    choices = _choices(sights, plan, settings)
    forced = (choices.sum(dim=1) == 0).to(torch.float32)
    alive = deciding.view(-1)
    opening = rollout.seen["episode_start"][:-1] != 0
    judged = alive + waiting(deciding, ended, opening).view(-1)
    return Experience(
        sights=sights,
        outcomes=outcomes,
        known=Remembered(
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


def _sights(rollout: Rollout, settings: PpoSettings) -> Sights:
    seen, shape = rollout.seen, rollout.shape
    use_masks = settings.use_action_mask and shape.spec.has_mask
    return Sights(
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


def _choices(sights: Sights, plan: HeadPlan, settings: PpoSettings) -> torch.Tensor:
    weighs_forced = settings.forced_policy_weight != 1.0 or settings.forced_value_weight != 1.0
    if weighs_forced or settings.ratio is RatioKind.PER_HEAD:
        return had_choice(plan, sights.masks, sights.extras, sights.actions)
    return torch.ones(sights.actions.shape, device=sights.actions.device)
