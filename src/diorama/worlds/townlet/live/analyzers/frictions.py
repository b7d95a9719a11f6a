"""Frictions: `affordance_failures_exceeded`, `queue_fairness_pressure` and `rivalry_spike`."""

from dataclasses import dataclass
from typing import Final

from diorama.contracts.live.stability import TickRecord
from diorama.worlds.townlet.live.analyzers.watching import NUMBER, Reading, Rolling, TownAnalyzer, count, number

WINDOW_TICKS: Final = 50


@dataclass(slots=True)
class Failures:
    """Of the last tick."""

    now: int = 0


class AffordanceFailures(TownAnalyzer[Failures]):
    """Failures in one tick."""

    name = "affordance_failures_exceeded"
    state_type = Failures

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        self.state.now = count(record, "affordance_fail")

    def read(self) -> Reading:
        """Failures in the last tick."""
        limit = self.rules.affordance_fail_threshold
        return Reading(value=float(self.state.now), threshold=float(limit), is_alarming=self.state.now > limit)


class QueuePressure(TownAnalyzer[Rolling]):
    """Ghost steps and rotations of the last fifty ticks."""

    name = "queue_fairness_pressure"
    state_type = Rolling

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        self.state.add(record.tick, number(record, "ghost_steps") + number(record, "rotations"), WINDOW_TICKS)

    def read(self) -> Reading:
        """Their number; none at all is never too many."""
        limit = float(self.rules.queue_pressure_limit)
        return Reading(value=self.state.total, threshold=limit, is_alarming=0.0 < self.state.total >= limit)


class RivalrySpike(TownAnalyzer[Rolling]):
    """Conflicts of the last fifty ticks that were bitter enough for people to avoid each other."""

    name = "rivalry_spike"
    state_type = Rolling

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        bound = number(record, "avoid_threshold")
        bitter = sum(
            isinstance(intensity := event.fields["intensity"], NUMBER) and intensity >= bound
            for event in record.events
            if event.name == "queue_conflict"
        )
        self.state.add(record.tick, bitter, WINDOW_TICKS)

    def read(self) -> Reading:
        """Their number; none at all is never too many."""
        limit = float(self.rules.rivalry_spike_limit)
        return Reading(value=self.state.total, threshold=limit, is_alarming=0.0 < self.state.total >= limit)
