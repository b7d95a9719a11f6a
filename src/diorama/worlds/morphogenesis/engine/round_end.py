"""A round that is over, kept while the next one already runs."""

from dataclasses import dataclass
from statistics import fmean
from typing import Self

from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.vectorized_types import RewardSummaryAccumulator


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeEnd:
    """One env at the end of its episode. Accuracies are percent, the reward is raw."""

    env_id: int
    final_accuracy: float
    control_accuracy: float | None
    episode_reward: float
    planted: int
    fossilized: int
    rollbacks: int
    unattributed_rollbacks: int
    reward_summary: RewardSummaryAccumulator

    @classmethod
    def of(cls, env: Env) -> Self:
        """Write down an env."""
        return cls(
            env_id=env.env_id,
            final_accuracy=env.reading.val_acc,
            control_accuracy=env.reading.control_acc,
            episode_reward=env.episode_reward,
            planted=env.counts.germinated,
            fossilized=env.counts.fossilized,
            rollbacks=env.governor.rollbacks,
            unattributed_rollbacks=env.counts.unattributed_rollbacks,
            reward_summary=env.record.reward_summary,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd:
    """All envs at the end of a round of so many epochs."""

    round_index: int
    epochs: int
    episodes: tuple[EpisodeEnd, ...]

    @property
    def mean_accuracy(self) -> float:
        """Mean final accuracy in percent."""
        return fmean(episode.final_accuracy for episode in self.episodes)

    @property
    def mean_control(self) -> float | None:
        """Mean accuracy of the control twins, where there are any."""
        known = [episode.control_accuracy for episode in self.episodes if episode.control_accuracy is not None]
        return fmean(known) if known else None
