"""`starvation_spike`: citizens go hungry for too long."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from diorama.contracts.live.stability import TickRecord
from diorama.worlds.townlet.live.analyzers.watching import NUMBER, Reading, Rolling, TownAnalyzer


@dataclass(slots=True)
class Hunger:
    """By seat, ticks in a row near starvation; and incidents. `ticks` counts up to the length of the window."""

    streaks: dict[str, int] = field(default_factory=dict)
    incidents: Rolling = field(default_factory=Rolling)
    ticks: int = 0


class StarvationSpike(TownAnalyzer[Hunger]):
    """Counts an incident once a streak of hunger has lasted long enough, and once per streak."""

    name = "starvation_spike"
    state_type = Hunger

    def note(self, record: TickRecord) -> None:
        """Take note of a tick."""
        rule, state = self.rules.starvation, self.state
        told = record.facts.get("hunger")
        hunger = told if isinstance(told, Mapping) else {}
        state.streaks = {
            seat: state.streaks.get(seat, 0) + 1
            for seat, value in hunger.items()
            if isinstance(value, NUMBER) and value <= rule.hunger_threshold
        }
        begun = sum(streak == rule.min_duration_ticks for streak in state.streaks.values())
        state.incidents.add(record.tick, begun, rule.window_ticks)
        state.ticks = min(state.ticks + 1, rule.window_ticks)

    def read(self) -> Reading:
        """Incidents in the window."""
        rule, state = self.rules.starvation, self.state
        return Reading(
            value=state.incidents.total,
            threshold=float(rule.max_incidents),
            is_alarming=state.incidents.total > rule.max_incidents and state.ticks >= rule.min_samples,
            samples=float(state.ticks),
        )
