"""The hub hands events on in order and keeps failing sinks away from training."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from diorama.telemetry.events import Event
from diorama.telemetry.hub import TelemetryHub
from diorama.telemetry.jsonl_sink import JsonlSink
from tests.telemetry.factories import policy_updated, run_ended, run_started, window_closed


class Recorder:
    """A sink that raises on the events whose numbers it is told, counted from 0."""

    def __init__(self, name: str = "recorder", *, fails_at: Sequence[int] = (), fails_to_close: bool = False) -> None:
        self.name = name
        self.seen: list[Event] = []
        self.is_closed = False
        self._fails_at = fails_at
        self._fails_to_close = fails_to_close

    def receive(self, event: Event) -> None:
        self.seen.append(event)
        if len(self.seen) - 1 in self._fails_at:
            raise RuntimeError(f"event {len(self.seen) - 1} is too much")

    def close(self) -> None:
        self.is_closed = True
        if self._fails_to_close:
            raise OSError("the door is stuck")


@pytest.fixture
def told() -> list[str]:
    return []


def test_every_sink_gets_every_event_in_order(told: list[str]) -> None:
    first, second = Recorder("first"), Recorder("second")
    events = [run_started(), policy_updated(), window_closed(), run_ended()]

    hub = TelemetryHub([first, second], tell=told.append)
    for event in events:
        hub.publish(event)
    healths = hub.close()

    assert first.seen == second.seen == events
    assert [str(health) for health in healths] == [
        "telemetry sink 'first': 4 events delivered, 0 lost",
        "telemetry sink 'second': 4 events delivered, 0 lost",
    ]
    assert all(health.is_healthy for health in healths)
    assert first.is_closed
    assert told == []


def test_a_sink_that_fails_is_told_once_and_counted_and_the_others_go_on(told: list[str]) -> None:
    failing, sound = Recorder("failing", fails_at=(1, 3)), Recorder("sound")
    hub = TelemetryHub([failing, sound], tell=told.append)

    hub.publish(run_started())
    for number in range(4):
        hub.publish(window_closed(number))
    health, _ = hub.close()

    assert told == ["telemetry sink 'failing' failed, training goes on: RuntimeError: event 1 is too much"]
    assert (health.delivered, health.lost, health.off_reason) == (3, 2, None)
    assert str(health).endswith("3 events delivered, 2 lost; first failure: RuntimeError: event 1 is too much")
    assert len(sound.seen) == 5


def test_a_sink_is_switched_off_after_failures_in_a_row_and_says_why_at_the_end(told: list[str]) -> None:
    failing = Recorder(fails_at=(1, 3, 4, 5))
    hub = TelemetryHub([failing], tell=told.append, failures_in_a_row=3)

    hub.publish(run_started())
    for number in range(9):
        hub.publish(window_closed(number))
    (health,) = hub.close()

    assert len(failing.seen) == 6
    assert (health.delivered, health.lost) == (2, 8)
    assert health.off_reason == "3 failures in a row, the last RuntimeError: event 5 is too much"
    assert str(health).endswith(f"switched off: {health.off_reason}")
    assert len(told) == 1
    assert failing.is_closed


def test_a_sink_that_cannot_start_is_off_at_once(told: list[str]) -> None:
    failing = Recorder(fails_at=(0,))
    hub = TelemetryHub([failing], tell=told.append)

    hub.publish(run_started())
    hub.publish(window_closed())

    (health,) = hub.health
    assert len(failing.seen) == 1
    assert health.off_reason == "it could not start (RuntimeError: event 0 is too much)"
    assert health.lost == 2


def test_a_sink_that_cannot_be_closed_does_not_keep_the_next_from_it(told: list[str]) -> None:
    stuck, sound = Recorder("stuck", fails_to_close=True), Recorder("sound")

    healths = TelemetryHub([stuck, sound], tell=told.append).close()

    assert sound.is_closed
    assert healths[0].first_failure == "OSError: the door is stuck"
    assert told == ["telemetry sink 'stuck' failed, training goes on: OSError: the door is stuck"]


def test_an_interrupt_is_no_failure_of_a_sink(told: list[str]) -> None:
    class Interrupted(Recorder):
        def receive(self, event: Event) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        TelemetryHub([Interrupted()], tell=told.append).publish(run_started())


def test_a_file_that_cannot_be_opened_costs_the_sink_and_not_the_run(tmp_path: Path, told: list[str]) -> None:
    in_the_way = tmp_path / "telemetry"
    in_the_way.write_text("")
    hub = TelemetryHub([JsonlSink(in_the_way / "events.jsonl")], tell=told.append)

    hub.publish(run_started())
    hub.publish(window_closed())
    (health,) = hub.close()

    assert health.lost == 2
    assert "cannot be written" in told[0]
