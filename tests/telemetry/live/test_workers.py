"""Threads that bring messages to transports which fail, stall and die."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from diorama.contracts.live.settings.telemetry import Backpressure, Buffer, Retry
from diorama.telemetry.live.breaker import Breaker, BreakerState
from diorama.telemetry.live.transport_outbox import TransportOutbox
from diorama.telemetry.live.transports.protocol import TransportError
from diorama.telemetry.live.worker import MAX_RESTARTS, Worker
from tests.telemetry.live.factories import Gate, moment

WAIT_S = 30.0
AT_ONCE = Retry(max_attempts=1, backoff_seconds=0.0, breaker_open_seconds=0.0)


@pytest.fixture
def box() -> TransportOutbox:
    return TransportOutbox(Buffer(), Backpressure())


@pytest.fixture
def workers() -> Iterator[list[Worker]]:
    started: list[Worker] = []
    yield started
    for worker in started:
        worker.stop()
        worker.join(WAIT_S)


def received(gate: Gate) -> list[dict[str, Any]]:
    return [msgspec.json.decode(message) for message in gate.sent.get(timeout=WAIT_S)]


def test_a_breaker_opens_for_a_while_then_lets_one_attempt_through() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    breaker.trip(5.0)
    states = [breaker.state]
    now[0] = 5.0
    states.append(breaker.state)
    breaker.close()

    assert [*states, breaker.state] == [BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED]
    assert breaker.times_opened == 1


def test_a_failed_batch_is_sent_again_as_it_is(box: TransportOutbox, workers: list[Worker]) -> None:
    gate = Gate(OSError("away"), TransportError("busy"))
    workers.append(Worker(gate, box, Retry(max_attempts=2, backoff_seconds=0.0), 32))
    box.offer(moment(0))

    (message,) = received(gate)

    assert message["seq"] == 0
    assert (gate.attempts, box.losses.messages) == (3, 0)
    assert workers[0].health()["last_error"] == "TransportError: busy"


def test_a_new_connection_begins_with_a_snapshot(box: TransportOutbox, workers: list[Worker]) -> None:
    gate = Gate(begins_anew=True)
    workers.append(Worker(gate, box, AT_ONCE, 32))
    box.offer(moment(0))
    received(gate)
    gate.failures.append(OSError("cut"))
    box.offer(moment(1))

    (message,) = received(gate)

    assert (message["payload_type"], message["seq"]) == ("snapshot", 1)
    assert box.losses.messages == 1


def test_when_it_stays_away_the_breaker_opens_and_recovery_begins_with_a_snapshot(
    box: TransportOutbox, workers: list[Worker]
) -> None:
    gate = Gate()
    workers.append(Worker(gate, box, AT_ONCE, 32))
    box.offer(moment(0))
    received(gate)
    gate.failures += [OSError("away")] * 4
    box.offer(moment(1))

    (message,) = received(gate)

    assert (message["payload_type"], message["seq"]) == ("snapshot", 1)
    assert workers[0].health()["breaker_opened"] == 3, "two attempts, then one whenever it is half open"
    assert box.losses.messages == 3


def test_a_worker_that_dies_is_restarted_three_times(box: TransportOutbox, workers: list[Worker]) -> None:
    gate = Gate(*[ZeroDivisionError("a bug")] * 10)
    workers.append(Worker(gate, box, AT_ONCE, 32))
    box.offer(moment(0))
    workers[0].join(WAIT_S)

    box.offer(moment(1))
    health = workers[0].health()

    assert gate.attempts == 1 + MAX_RESTARTS
    assert (health["restarts"], health["breaker"]) == (MAX_RESTARTS, "dead")
    assert health["dropped"] == 1 + MAX_RESTARTS + 1, "every attempt, and what came afterwards"
    assert workers[0].is_broken


def test_what_waits_is_sent_before_the_end(box: TransportOutbox) -> None:
    gate = Gate()
    gate.is_open.clear()
    worker = Worker(gate, box, AT_ONCE, 2)
    for seq in range(7):
        box.offer(moment(seq))
    worker.stop()
    gate.is_open.set()
    worker.join(WAIT_S)

    assert sum(len(batch) for batch in gate.sent.queue) == 7
    assert max(len(batch) for batch in gate.sent.queue) == 2
