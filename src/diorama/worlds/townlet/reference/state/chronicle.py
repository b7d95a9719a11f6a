"""What a town that runs live remembers for those who watch it: counts, and how queues and ties changed of late."""

from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.reference.state.ledgers import QueueMetrics

QUEUE_WINDOW_TICKS: Final = 50
QUEUE_WINDOWS_KEPT: Final = 20
TIE_CHANGES_KEPT: Final = 20
_USES: Final = {
    EventKind.AFFORDANCE_START: "start",
    EventKind.AFFORDANCE_FINISH: "finish",
    EventKind.AFFORDANCE_FAIL: "fail",
    EventKind.AFFORDANCE_PRECONDITION_FAIL: "precondition_fail",
}


@dataclass(slots=True)
class QueueWindow:
    """What queues suffered in some ticks."""

    start_tick: int
    ghost_steps: int = 0
    rotations: int = 0
    conflicts: int = 0


@dataclass(slots=True)
class TieChange:
    """How much a tie changed in a tick; citizens by number. A new tie has changed by all it is."""

    tick: int
    owner: int
    other: int
    trust: float
    familiarity: float
    rivalry: float
    is_new: bool


@dataclass(slots=True)
class Chronicle:
    """Counts since the start, and the last windows; nothing where nobody takes note of ticks.

    Attributes:
        uses: Affordances begun, finished, failed and refused.
        ghost_steps: As counted by the town at the end of the last tick; `rotations` likewise.
        ghost_steps_now: In the last tick; `rotations_now` likewise.
        queues: Oldest first, the open one last.
        tie_changes: Oldest first; `tie_changes_total` counts all there ever were.
        alerts: Names of the stability alerts that stand.
    """

    uses: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_USES.values(), 0))
    ghost_steps: int = 0
    rotations: int = 0
    ghost_steps_now: int = 0
    rotations_now: int = 0
    queues: list[QueueWindow] = field(default_factory=list)
    tie_changes: list[TieChange] = field(default_factory=list)
    tie_changes_total: int = 0
    alerts: list[str] = field(default_factory=list)

    def note(self, tick: int, events: list[Event], metrics: QueueMetrics, changes: list[TieChange]) -> None:
        """Take note of a tick that is over: what happened, what queues count by now, and which ties changed."""
        conflicts = 0
        for event in events:
            if event.kind in _USES:
                self.uses[_USES[event.kind]] += 1
            elif event.kind is EventKind.QUEUE_CONFLICT:
                conflicts += 1
        self._count_queues(tick, metrics, conflicts)
        if changes:
            self.tie_changes = [*self.tie_changes, *changes][-TIE_CHANGES_KEPT:]
            self.tie_changes_total += len(changes)

    def note_alert(self, name: str, *, is_raised: bool) -> None:
        """Take note of an alert that was raised or cleared."""
        self.alerts = [*(known for known in self.alerts if known != name), *([name] if is_raised else [])]

    def _count_queues(self, tick: int, metrics: QueueMetrics, conflicts: int) -> None:
        self.ghost_steps_now = metrics.ghost_step_events - self.ghost_steps
        self.rotations_now = metrics.rotation_events - self.rotations
        self.ghost_steps, self.rotations = metrics.ghost_step_events, metrics.rotation_events
        start = tick - tick % QUEUE_WINDOW_TICKS
        if not self.queues or self.queues[-1].start_tick != start:
            self.queues = [*self.queues, QueueWindow(start)][-QUEUE_WINDOWS_KEPT:]
        window = self.queues[-1]
        window.ghost_steps += self.ghost_steps_now
        window.rotations += self.rotations_now
        window.conflicts += conflicts
