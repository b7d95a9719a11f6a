"""`reward_variance_spike`, `option_thrash_detected` and `lateness_spike`: how citizens conduct themselves."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.live.stability import TickRecord
from diorama.worlds.townlet.live.analyzers.watching import Reading, Rolling, TownAnalyzer, count, number

LATENESS_WINDOW_TICKS: Final = 1000


@dataclass(slots=True)
class Payments:
    """Per tick: when, how many were paid, the sum and the sum of squares."""

    ticks: deque[tuple[int, int, float, float]] = field(default_factory=deque)
    count: int = 0
    total: float = 0.0
    squares: float = 0.0


class RewardVarianceSpike(TownAnalyzer[Payments]):
    """Variance of what citizens are paid in a tick, what an ending pays left out."""

    name = "reward_variance_spike"
    state_type = Payments

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        state, values = self.state, list(record.rewards.values())
        total, squares = sum(values), sum(value * value for value in values)
        state.ticks.append((record.tick, len(values), total, squares))
        state.count += len(values)
        state.total += total
        state.squares += squares
        while state.ticks and state.ticks[0][0] <= record.tick - self.rules.reward_variance.window_ticks:
            _, gone, gone_total, gone_squares = state.ticks.popleft()
            state.count -= gone
            state.total -= gone_total
            state.squares -= gone_squares

    def read(self) -> Reading:
        """Population variance over the window."""
        rule, state = self.rules.reward_variance, self.state
        variance = 0.0
        if state.count:
            mean = state.total / state.count
            variance = max(0.0, state.squares / state.count - mean * mean)
        return Reading(
            value=variance,
            threshold=rule.max_variance,
            is_alarming=variance > rule.max_variance and state.count >= rule.min_samples,
            samples=float(state.count),
        )


@dataclass(slots=True)
class Changes:
    """Options begun, and those of them begun before the last had ended."""

    starts: Rolling = field(default_factory=Rolling)
    switches: Rolling = field(default_factory=Rolling)


class OptionThrash(TownAnalyzer[Changes]):
    """Share of options that were begun too early."""

    name = "option_thrash_detected"
    state_type = Changes

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        window_ticks = self.rules.option_thrash.window_ticks
        self.state.starts.add(record.tick, number(record, "option_starts"), window_ticks)
        self.state.switches.add(record.tick, number(record, "premature_switches"), window_ticks)

    def read(self) -> Reading:
        """Share over the window."""
        rule, starts = self.rules.option_thrash, self.state.starts.total
        rate = self.state.switches.total / starts if starts else 0.0
        return Reading(
            value=rate,
            threshold=rule.max_switch_rate,
            is_alarming=rate > rule.max_switch_rate and starts >= rule.min_samples,
            samples=starts,
        )


class LatenessSpike(TownAnalyzer[Rolling]):
    """Late arrivals of the last thousand ticks."""

    name = "lateness_spike"
    state_type = Rolling

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        self.state.add(record.tick, count(record, "job_late"), LATENESS_WINDOW_TICKS)

    def read(self) -> Reading:
        """Late arrivals in the window."""
        limit = float(self.rules.lateness_threshold)
        return Reading(value=self.state.total, threshold=limit, is_alarming=self.state.total > limit)
