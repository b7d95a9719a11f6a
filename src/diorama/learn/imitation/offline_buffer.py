"""PPO from stored episodes: portions of a dataset as experience, scored by the current policy."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import torch

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.learn.experience import Experience, PolicyInputs, RolloutTargets
from diorama.learn.gae import Decay, Outcomes, compute_advantages
from diorama.learn.imitation.demonstrations import demonstrations_of
from diorama.learn.imitation.episodes import Episode
from diorama.learn.keyed_random import permutation
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.trainer import RewardScale
from diorama.learn.streams import REPLAYS
from diorama.learn.workers import Workers

REPLAYED: Final = 1 << 32  # updates from stored episodes are numbered apart from those from rollouts


class OfflineBuffer:
    """Episodes that are learned from again and again, a portion of them at a time.

    A portion is taken for what the policy itself might have done: ratios are 1 before the first optimizer step. Where
    an episode was cut off, its last decision only shows what the one before led to.
    """

    def __init__(self, episodes: Sequence[Episode], spec: WorldSpec, settings: TrainerSettings, *, seed: int) -> None:
        """Take the episodes.

        Args:
            episodes: Of one world.
            spec: Its contract.
            settings: Of the training.
            seed: Of the order in which they come.

        Raises:
            ConfigError: Rewards are divided by a deviation that only rollouts have.
        """
        if settings.normalization.rewards is not RewardScale.NONE:
            raise ConfigError("normalization.rewards: stored episodes are learned from as they are; use none")
        self._episodes = episodes
        self._spec = spec
        self._settings = settings
        self._seed = seed

    @property
    def decisions(self) -> int:
        """Of all episodes together."""
        return sum(len(episode) for episode in self._episodes)

    def portion(self, number: int, decisions: int) -> list[Episode]:
        """Return whole episodes that follow one another in the order of a pass, so many decisions at least.

        Args:
            number: Which portion, from 0; portions follow one another through pass after pass.
            decisions: How many decisions; no episode comes twice, so there may be fewer.
        """
        total = len(self._episodes)
        each = max(1, min(total, round(total * decisions / self.decisions)))
        turn, place = divmod(number * each, total)
        order = self._order(turn)[place:] + self._order(turn + 1)
        chosen = list(dict.fromkeys(order))[:each]
        return [self._episodes[index] for index in chosen]

    def experience(self, episodes: Sequence[Episode], policy: Policy, workers: Workers) -> Experience:
        """Return episodes appraised by the policy as it stands."""
        ppo = self._settings.ppo
        length = ppo.sequence_length or ppo.rollout_steps
        shown = demonstrations_of(episodes, self._spec, policy, sequence_length=length, gamma=ppo.gamma)
        log_probs, values = _scored(policy, shown.inputs, self._settings, workers)
        outcomes, counted = _outcomes(episodes, values)
        advantages = compute_advantages(outcomes, Decay(gamma=ppo.gamma, gae_lambda=ppo.gae_lambda)).view(-1)
        forced = (shown.head_weights.amax(dim=1) == 0).float()
        return Experience(
            inputs=shown.inputs,
            outcomes=outcomes,
            targets=RolloutTargets(
                log_probs=log_probs,
                values=values,
                advantages=advantages,
                returns=advantages + values,
                policy_weights=counted * (1.0 - forced),
                value_weights=counted * (1.0 - forced * (1.0 - ppo.forced_value_weight)),
                head_weights=shown.head_weights,
            ),
        )

    def _order(self, turn: int) -> list[int]:
        order: list[int] = permutation(self._seed, REPLAYS, turn, 0, len(self._episodes)).tolist()
        return order


@torch.no_grad()
def _scored(
    policy: Policy, inputs: PolicyInputs, settings: TrainerSettings, workers: Workers
) -> tuple[torch.Tensor, torch.Tensor]:
    portions = inputs.in_order(settings.execution.shard_sequences(inputs.length))
    scored = workers.run([partial(_score, policy, inputs.of(portion)) for portion in portions])
    log_probs = torch.empty(inputs.actions.shape, device=inputs.obs.device)
    values = torch.empty(len(log_probs), device=inputs.obs.device)
    every = torch.arange(len(values), device=values.device)
    for portion, (log_prob, value) in zip(portions, scored, strict=True):
        places = portion.of_decisions(every)
        log_probs[places], values[places] = log_prob, value
    return log_probs, values


@torch.no_grad()
def _score(policy: Policy, inputs: PolicyInputs) -> tuple[torch.Tensor, torch.Tensor]:
    features, _ = policy.features(inputs.obs, inputs.obs_u8, inputs.memory, inputs.starts.view(inputs.length, -1))
    exploration = (0.0,) * len(policy.heads.plan.heads)
    scores = policy.heads.score(features.actor, inputs.masks, inputs.extras, inputs.actions, exploration)
    return scores.log_probs, policy.values(features)


def _outcomes(episodes: Sequence[Episode], values: torch.Tensor) -> tuple[Outcomes, torch.Tensor]:
    """Return what happened, as one long row, and 1 for every decision whose outcome is known."""
    total, device = len(values), values.device
    rewards, counted = torch.zeros(total), torch.zeros(total)
    terminated, truncated = (torch.zeros(total, dtype=torch.uint8) for _ in range(2))
    first = 0
    for episode in episodes:
        last = first + len(episode) - 1
        rewards[first : last + 1] = torch.from_numpy(episode.rewards)
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
    )
    return outcomes, counted.to(device)
