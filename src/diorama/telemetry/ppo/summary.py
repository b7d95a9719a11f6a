"""A PPO log in a few numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.ppo.columns import column, mean
from diorama.telemetry.ppo.fields import VERSION_FIELD

_COUNTERS: Final = frozenset(
    {VERSION_FIELD, "epoch", "updates", "transitions", "steps", "cycle_id", "rollout_ticks", "log_stream_offset"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSummary:
    """How one field went over a log."""

    field: str
    first: float
    last: float
    lowest: float
    highest: float
    mean: float

    def to_json(self) -> JsonObject:
        """Return the numbers under the names they have in reports."""
        return {"first": self.first, "last": self.last, "min": self.lowest, "max": self.highest, "mean": self.mean}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """A log as a whole; sums are over its records.

    Attributes:
        records: How many there are.
        versions: Which versions they have, sorted.
        data_modes: Which modes they have, sorted; none in version 1.0.
        updates: Sum of mini-batch updates.
        transitions: Sum of transitions used.
        steps: Transitions of the run when the last record was written.
        rollout_ticks: Sum of simulated time; 0 in version 1.0.
        duration_sec: Sum of wall-clock time; 0 in version 1.0.
        fields: In the order of the first record.
    """

    records: int
    versions: tuple[float, ...]
    data_modes: tuple[str, ...]
    updates: int
    transitions: int
    steps: int
    rollout_ticks: int
    duration_sec: float
    fields: tuple[FieldSummary, ...]

    def to_json(self) -> JsonObject:
        """Return the summary as a JSON object."""
        return {
            "records": self.records,
            "versions": list(self.versions),
            "data_modes": list(self.data_modes),
            "updates": self.updates,
            "transitions": self.transitions,
            "steps": self.steps,
            "rollout_ticks": self.rollout_ticks,
            "duration_sec": self.duration_sec,
            "fields": {summary.field: summary.to_json() for summary in self.fields},
        }


def summarize(records: Sequence[Mapping[str, JsonValue]]) -> LogSummary:
    """Return the summary of a log of at least one record, all of them valid."""
    fields = dict.fromkeys(field for record in records for field in record if field not in _COUNTERS)
    columns = {field: column(records, field) for field in fields}
    return LogSummary(
        records=len(records),
        versions=tuple(sorted(set(column(records, VERSION_FIELD)))),
        data_modes=tuple(sorted({mode for record in records if isinstance(mode := record.get("data_mode"), str)})),
        updates=_total(records, "updates"),
        transitions=_total(records, "transitions"),
        steps=int(column(records, "steps")[-1]),
        rollout_ticks=_total(records, "rollout_ticks"),
        duration_sec=sum(column(records, "epoch_duration_sec")),
        fields=tuple(_summarize_field(field, values) for field, values in columns.items() if values),
    )


def _summarize_field(field: str, values: Sequence[float]) -> FieldSummary:
    return FieldSummary(
        field=field,
        first=values[0],
        last=values[-1],
        lowest=min(values),
        highest=max(values),
        mean=mean(values),
    )


def _total(records: Sequence[Mapping[str, JsonValue]], counter: str) -> int:
    return sum(int(value) for value in column(records, counter))
