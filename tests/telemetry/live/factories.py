"""Moments, events and transports for tests."""

from collections.abc import Sequence
from queue import Queue
from threading import Event

from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.live.world import Clock
from diorama.telemetry.live.event_lines import ToldEvent, event_line
from diorama.telemetry.live.merge_patch import JsonDict
from diorama.telemetry.live.moments import Kind, Moment, News, Origin

ORIGIN = Origin(world="w", run_id="r", config_id="c")


def told(name: str, priority: Priority, size: int = 0) -> ToldEvent:
    event = LiveEvent(name=name, tick=0, priority=priority, fields={"filler": "x" * size})
    return ToldEvent(name=name, priority=priority, line=event_line(event, 0))


def moment(seq: int, *events: ToldEvent, kind: Kind = Kind.DIFF, size: int = 0) -> Moment:
    """A moment whose state is its number and a block of some size."""
    state: JsonDict = {"n": {"seq": seq, "filler": f"{seq}" + "x" * size}}
    return Moment(
        origin=ORIGIN,
        seq=seq,
        kind=Kind.SNAPSHOT if seq == 0 else kind,
        clock=Clock(tick=seq, day=0, tod=seq),
        state=state,
        patch=state,
        news=News(events=events, ticks=1),
    )


class Gate:
    """A transport that a test opens and shuts, and that fails as it is told; what passes lies in `sent`."""

    name = "gate"

    def __init__(self, *failures: Exception, begins_anew: bool = False) -> None:
        self.begins_anew = begins_anew
        self.failures = list(failures)
        self.sent: Queue[list[bytes]] = Queue()
        self.attempts = 0
        self.is_reached = Event()
        self.is_open = Event()
        self.is_open.set()

    def send(self, messages: Sequence[bytes]) -> None:
        self.attempts += 1
        self.is_reached.set()
        self.is_open.wait()
        if self.failures:
            raise self.failures.pop(0)
        self.sent.put(list(messages))

    def close(self) -> None:
        """Nothing is held."""
