"""`EventTally`: numbers that events carry, added up over a rollout; see `TelemetryPlan.sums` and `means`."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch


class EventTally:
    """Looks into the events of a batch after every step; every part of a split batch has one of its own."""

    def __init__(self, plan: TelemetryPlan, spec: WorldSpec) -> None:
        """Find the events.

        Raises:
            UnknownName: The world has no such event.
        """
        self._plan = plan
        self._spec = spec
        self._wanted = {*plan.sums.values(), *plan.means.values()}
        for name, _ in sorted(self._wanted):
            if name not in spec.event_names:
                raise UnknownName.among("event", name, spec.event_names)
        self._bits = np.uint64(sum(1 << spec.event_names.index(name) for name in {name for name, _ in self._wanted}))
        self._empty()

    def like(self) -> "EventTally":
        """Return an empty one for part of the copies."""
        return EventTally(self._plan, self._spec)

    def note(self, batch: Batch) -> None:
        """Take in the step a batch has just taken."""
        if not self._wanted:
            return
        for copy in np.flatnonzero(batch.events & self._bits).tolist():
            told = batch.step_record(copy).event_data
            for key in self._sums:
                for number in _numbers(told.get(key[0]), key[1]):
                    self._sums[key] += number
                    self._counts[key] += 1

    def add(self, other: "EventTally") -> None:
        """Take over what another has counted, and empty it."""
        for key in self._sums:
            self._sums[key] += other._sums[key]
            self._counts[key] += other._counts[key]
        other._empty()

    def take(self) -> dict[str, float]:
        """Return the fields of an update, and begin again."""
        fields = {field: self._sums[key] for field, key in self._plan.sums.items()}
        fields |= {field: self._sums[key] / max(1, self._counts[key]) for field, key in self._plan.means.items()}
        self._empty()
        return fields

    def _empty(self) -> None:
        self._sums = dict.fromkeys(sorted(self._wanted), 0.0)
        self._counts = dict.fromkeys(self._sums, 0)


def _numbers(payload: JsonObject | None, field: str) -> Iterator[float]:
    """Yield a number of every event of a kind; a kind that can happen several times in a step lists its records."""
    if payload is None:
        return
    records = payload.get("records", (payload,))
    assert isinstance(records, Sequence)
    for record in records:
        assert isinstance(record, Mapping)
        number = record[field]
        assert isinstance(number, int | float)
        yield float(number)
