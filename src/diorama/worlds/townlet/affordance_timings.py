"""How often each affordance was begun, finished and failed, and how long it was waited for."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.reference.state.town import Town


@dataclass(slots=True)
class AffordanceTiming:
    """Of one affordance; times are in ticks.

    Attributes:
        waited: From joining the queue of its object to being granted it, over all starts.
        busy: From start to finish or failure.
    """

    starts: int = 0
    finishes: int = 0
    failures: int = 0
    waited: int = 0
    busy: int = 0

    @property
    def mean_wait(self) -> float:
        """Ticks somebody queued for it, on average."""
        return self.waited / self.starts if self.starts else 0.0


@dataclass(slots=True)
class AffordanceTimings:
    """Counts of all affordances of a town, by id, from its events alone."""

    by_id: dict[str, AffordanceTiming] = field(default_factory=dict)
    _begun: dict[int, int] = field(default_factory=dict)
    _waits: dict[int, int] = field(default_factory=dict)

    def note(self, town: Town, events: Iterable[Event]) -> None:
        """Take in what happened in a tick, before it is forgotten."""
        for event in events:
            if event.kind is EventKind.RESERVATION_GRANTED:
                self._waits[int(event.values[0])] = int(event.values[2])
            elif event.kind in (EventKind.AFFORDANCE_START, EventKind.AFFORDANCE_FINISH, EventKind.AFFORDANCE_FAIL):
                self._note_use(town, event)

    def _note_use(self, town: Town, event: Event) -> None:
        number, affordance = int(event.values[0]), int(event.values[2])
        if affordance < 0:
            return  # somebody lost its place before it began anything
        timing = self.by_id.setdefault(town.tables.affordances[affordance].id, AffordanceTiming())
        if event.kind is EventKind.AFFORDANCE_START:
            timing.starts += 1
            timing.waited += self._waits.pop(number, 0)
            self._begun[number] = event.tick
            return
        timing.finishes += event.kind is EventKind.AFFORDANCE_FINISH
        timing.failures += event.kind is EventKind.AFFORDANCE_FAIL
        begun = self._begun.pop(number, None)
        timing.busy += 0 if begun is None else event.tick - begun + 1
