"""Running mean and variance of rewards over all citizens, and how often bounds took hold of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown


@dataclass(slots=True)
class RewardStatistics:
    """Welford's sums over every reward that was paid.

    Attributes:
        count: Rewards seen.
        mean: Of their totals.
        spread: Sum of squared distances from the mean.
        reward_clip_events: Rewards that a clip, per tick or per episode, changed.
        death_window_events: Rewards paid so near an exit that nothing positive counted.
    """

    count: int = 0
    mean: float = 0.0
    spread: float = 0.0
    reward_clip_events: int = 0
    death_window_events: int = 0

    def note(self, rewards: Iterable[RewardBreakdown]) -> None:
        """Take in the rewards of a tick."""
        for reward in rewards:
            self.count += 1
            distance = reward.total - self.mean
            self.mean += distance / self.count
            self.spread += distance * (reward.total - self.mean)
            self.reward_clip_events += reward.clipped
            self.death_window_events += reward.guardrail_active

    @property
    def variance(self) -> float:
        """Of the population that was seen; 0 before there is any."""
        return self.spread / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """Standard deviation."""
        return sqrt(self.variance)
