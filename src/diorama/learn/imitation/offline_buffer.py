"""`OfflineBuffer`: batches of stored episodes as experience for PPO."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.learn.experience import Experience, PolicyInputs, RolloutTargets
from diorama.learn.gae import GaeParams, Outcomes, compute_advantages
from diorama.learn.imitation.demonstrations import demonstrations_from_episodes
from diorama.learn.imitation.episodes import Episode
from diorama.learn.keyed_random import permutation
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.trainer import RewardScale
from diorama.learn.streams import REPLAYS
from diorama.learn.workers import Workers

OFFLINE_UPDATES: Final = 1 << 32  # number of the first update from stored episodes; no update from a rollout has it


class OfflineBuffer:
    """Stored episodes, sampled in shuffled passes and scored by the current policy.

    The current policy provides the old log-probabilities, so probability ratios start at 1. In an episode that was cut
    off, the last decision only bootstraps the value of the one before.
    """

    def __init__(self, episodes: Sequence[Episode], spec: WorldSpec, settings: TrainerSettings, *, seed: int) -> None:
        """Store the episodes.

        Args:
            episodes: Episodes of one world.
            spec: Contract of that world.
            settings: Settings of the trainer.
            seed: Seed of the order of the episodes.

        Raises:
            ConfigError: The settings normalize rewards, whose statistics only rollouts update.
        """
        if settings.normalization.rewards is not RewardScale.NONE:
            raise ConfigError(
                f"normalization.rewards is {settings.normalization.rewards.value}; "
                "rewards of stored episodes are not normalized, use none",
                code="offline_rewards_normalized",
                rewards=settings.normalization.rewards.value,
            )
        self._episodes = episodes
        self._spec = spec
        self._settings = settings
        self._seed = seed

    @property
    def decisions(self) -> int:
        """Number of decisions in all episodes."""
        return sum(len(episode) for episode in self._episodes)

    def sample(self, number: int, decisions: int) -> list[Episode]:
        """Return a batch of whole episodes; consecutive batches go through shuffled passes over all episodes.

        Args:
            number: Number of the batch, from 0.
            decisions: Approximate size of the batch; no batch has an episode twice.
        """
        total = len(self._episodes)
        each = max(1, min(total, round(total * decisions / self.decisions)))
        epoch, start = divmod(number * each, total)
        order = self._order(epoch)[start:] + self._order(epoch + 1)
        chosen = list(dict.fromkeys(order))[:each]
        return [self._episodes[index] for index in chosen]

    def experience(self, episodes: Sequence[Episode], policy: Policy, workers: Workers) -> Experience:
        """Return episodes as experience, with values and log-probabilities of the current policy."""
        ppo = self._settings.ppo
        length = ppo.sequence_length or ppo.rollout_steps
        demonstrations = demonstrations_from_episodes(
            episodes, self._spec, policy, sequence_length=length, gamma=ppo.gamma, per_tick=ppo.is_per_tick
        )
        log_probs, values = _score_all(policy, demonstrations.inputs, self._settings, workers)
        outcomes, counted = _outcomes(episodes, values, per_tick=ppo.is_per_tick)
        advantages = compute_advantages(outcomes, GaeParams(gamma=ppo.gamma, gae_lambda=ppo.gae_lambda)).view(-1)
        forced = (demonstrations.head_weights.amax(dim=1) == 0).float()
        return Experience(
            inputs=demonstrations.inputs,
            outcomes=outcomes,
            targets=RolloutTargets(
                log_probs=log_probs,
                values=values,
                advantages=advantages,
                returns=advantages + values,
                policy_weights=counted * (1.0 - forced),
                value_weights=counted * (1.0 - forced * (1.0 - ppo.forced_value_weight)),
                head_weights=demonstrations.head_weights,
            ),
        )

    def _order(self, epoch: int) -> list[int]:
        order: list[int] = permutation(self._seed, REPLAYS, epoch, 0, len(self._episodes)).tolist()
        return order


@torch.no_grad()
def _score_all(
    policy: Policy, inputs: PolicyInputs, settings: TrainerSettings, workers: Workers
) -> tuple[torch.Tensor, torch.Tensor]:
    chunks = inputs.chunks(settings.execution.shard_sequences(inputs.length))
    scored = workers.run([partial(_score, policy, inputs.select(chunk)) for chunk in chunks])
    log_probs = torch.empty(inputs.actions.shape, device=inputs.obs.device)
    values = torch.empty(len(log_probs), device=inputs.obs.device)
    every = torch.arange(len(values), device=values.device)
    for chunk, (log_prob, value) in zip(chunks, scored, strict=True):
        indices = chunk.select_decisions(every)
        log_probs[indices], values[indices] = log_prob, value
    return log_probs, values


@torch.no_grad()
def _score(policy: Policy, inputs: PolicyInputs) -> tuple[torch.Tensor, torch.Tensor]:
    features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1))
    exploration = (0.0,) * len(policy.heads.plan.heads)
    scores = policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, exploration)
    return scores.log_probs, policy.values(features)


def _outcomes(episodes: Sequence[Episode], values: torch.Tensor, *, per_tick: bool) -> tuple[Outcomes, torch.Tensor]:
    """Return the outcomes as a single row, and a weight per decision: 1 where the outcome is known, else 0."""
    total, device = len(values), values.device
    rewards, counted, dt = torch.zeros(total), torch.zeros(total), torch.ones(total, dtype=torch.float64)
    terminated, truncated = (torch.zeros(total, dtype=torch.uint8) for _ in range(2))
    first = 0
    for episode in episodes:
        last = first + len(episode) - 1
        rewards[first : last + 1] = torch.from_numpy(episode.rewards)
        dt[first : last + 1] = torch.from_numpy(episode.ticks.astype(np.float64))
        counted[first : last + episode.is_finished] = 1.0
        terminated[last], truncated[last] = episode.is_finished, not episode.is_finished
        if not episode.is_finished and last > first:
            truncated[last - 1] = 1
        first = last + 1
    following = torch.cat([values[1:], values.new_zeros(1)])
    rows = [array.to(device)[:, None] for array in (rewards, terminated, truncated)]
    outcomes = Outcomes(
        rewards=rows[0],
        values=torch.cat([values, values.new_zeros(1)])[:, None],
        terminated=rows[1],
        truncated=rows[2],
        bootstrap=following[:, None],
        dt=dt.to(device)[:, None] if per_tick else None,
    )
    return outcomes, counted.to(device)
