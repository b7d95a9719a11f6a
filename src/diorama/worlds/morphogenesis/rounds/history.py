"""The rounds of a run so far: averages, rolling averages, and the trend they show."""

from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from diorama.contracts.values import JsonValue
from diorama.worlds.morphogenesis.audit.memory import MemoryWatch
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.training import TrendDetectedPayload
from diorama.worlds.morphogenesis.rounds.declines import DeclineWatch
from diorama.worlds.morphogenesis.vectorized_types import BatchSummary

ROLLING_ROUNDS: Final = 10
PLATEAU_PP: Final = 0.5
TREND_PP: Final = 2.0


@dataclass(slots=True)
class RoundHistory:
    """One line per round, the averages the trend is read from, and what is watched from round to round."""

    lines: list[dict[str, JsonValue]] = field(default_factory=list)
    averages: list[float] = field(default_factory=list)
    episodes: int = 0
    declines: DeclineWatch = field(default_factory=DeclineWatch)
    memory: MemoryWatch = field(default_factory=MemoryWatch)

    def rolling_with(self, average_pct: float) -> float:
        """Return the rolling average once a round of this average is counted in."""
        return fmean([*self.averages, average_pct][-ROLLING_ROUNDS:])

    def append(self, summary: BatchSummary) -> None:
        """Count a round in and keep its line."""
        self.averages.append(summary.avg_accuracy)
        self.episodes = summary.episodes
        self.lines.append(summary.to_dict())

    def trend(
        self, rolling_pct: float, *, batch: int, episodes: int
    ) -> tuple[TelemetryEventType, TrendDetectedPayload] | None:
        """Return what the rolling average shows beside the round before; nothing in the first round."""
        if not self.averages:
            return None
        before = fmean(self.averages[-ROLLING_ROUNDS:])
        delta = rolling_pct - before
        payload = TrendDetectedPayload(
            batch_idx=batch,
            episodes_completed=episodes,
            rolling_delta=delta,
            rolling_avg_accuracy=rolling_pct,
            prev_rolling_avg_accuracy=before,
        )
        if abs(delta) < PLATEAU_PP:
            return TelemetryEventType.PLATEAU_DETECTED, payload
        if delta < -TREND_PP:
            return TelemetryEventType.DEGRADATION_DETECTED, payload
        return (TelemetryEventType.IMPROVEMENT_DETECTED, payload) if delta > TREND_PP else None
