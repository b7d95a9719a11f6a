"""What waits for a slow transport, stage by stage."""

from threading import Thread
from typing import Any

import msgspec

from diorama.contracts.live.events import Priority
from diorama.contracts.live.settings.telemetry import Backpressure, Buffer
from diorama.telemetry.live.moments import Kind
from diorama.telemetry.live.transport_outbox import TransportOutbox
from tests.telemetry.live.factories import moment, told

P0, P1, P2 = (told(name, priority, 40) for name, priority in zip("abc", Priority, strict=True))


def outbox(size: int = 2000, **pressure: Any) -> TransportOutbox:
    return TransportOutbox(Buffer(max_buffer_bytes=size), Backpressure(**pressure))


def taken(box: TransportOutbox) -> list[dict[str, Any]]:
    messages = []
    while packets := box.take(100, 0.0):
        messages += [msgspec.json.decode(packet.data) for packet in packets]
    return messages


def test_below_the_first_mark_every_tick_is_a_message() -> None:
    box = outbox()
    for seq in range(3):
        box.offer(moment(seq, P2))

    messages = taken(box)

    assert [message["payload_type"] for message in messages] == ["snapshot", "diff", "diff"]
    assert [message.get("base_seq") for message in messages] == [None, 0, 1]
    assert all(len(message["events"]) == 1 and "folded" not in message for message in messages)


def test_above_it_ticks_are_folded_and_small_events_counted() -> None:
    box = outbox(size=20_000, aggregate_at=0.01)
    for seq in range(6):
        box.offer(moment(seq, P0, P1, P2, P2))

    first, folded = taken(box)

    assert first["seq"] == 0
    assert (folded["payload_type"], folded["base_seq"], folded["seq"], folded["aggregated"]) == ("diff", 0, 5, 5)
    assert folded["folded"] == {"c": 10}
    assert [event["event"] for event in folded["events"]] == ["a", "b"] * 5


def test_above_the_second_mark_events_are_dropped_and_counted_but_the_most_important_kept() -> None:
    box = outbox(size=10_000, aggregate_at=0.01, drop_events_at=0.05)
    for seq in range(6):
        box.offer(moment(seq, P0, P1, P2))

    _, folded = taken(box)

    assert [event["event"] for event in folded["events"]] == ["a"] * 5
    assert box.losses.events == {"b": 5, "c": 5}
    assert box.losses.messages == 0


def test_when_full_what_waits_is_dropped_and_a_snapshot_follows() -> None:
    box = outbox(size=2000, aggregate_at=1.0)
    for seq in range(12):
        box.offer(moment(seq, P0, size=100))

    messages = taken(box)

    assert messages[0]["payload_type"] == "snapshot"
    assert box.losses.messages > 0
    seen = [event["event"] for message in messages for event in message["events"]]
    assert len(seen) + sum(box.losses.events.values()) == 12


def test_even_what_is_never_dropped_cannot_fill_the_memory() -> None:
    box = outbox(size=2000)
    for seq in range(500):
        box.offer(moment(seq, P0))

    messages = taken(box)

    assert sum(len(message["events"]) for message in messages) + box.losses.events["a"] == 500
    assert sum(map(len, messages)) < 2 * 2000


def test_whoever_may_wait_waits_for_room_and_loses_nothing() -> None:
    box = outbox(size=1200, policy="block", block_timeout_seconds=30.0)
    messages: list[dict[str, Any]] = []

    def read() -> None:
        while len(messages) < 40:
            messages.extend(msgspec.json.decode(packet.data) for packet in box.take(2, None))

    reader = Thread(target=read)
    reader.start()
    for seq in range(40):
        box.offer(moment(seq, P2))
    reader.join()

    assert [message["seq"] for message in messages] == list(range(40))
    assert all(len(message["events"]) == 1 for message in messages)
    assert box.losses.messages == 0


def test_whoever_waited_long_enough_drops() -> None:
    box = outbox(size=1200, policy="block", block_timeout_seconds=0.0)
    for seq in range(20):
        box.offer(moment(seq))

    assert taken(box)[0]["payload_type"] == "snapshot"
    assert box.losses.messages > 0


def test_messages_wait_for_the_flush_interval() -> None:
    box = TransportOutbox(Buffer(flush_interval_ticks=3), Backpressure())
    box.offer(moment(0))
    box.offer(moment(1))

    early = box.take(10, 0.0) if box._is_ready() else []
    box.offer(moment(2))

    assert early == []
    assert len(box.take(10, 0.0)) == 3


def test_while_it_is_cut_off_every_message_counts_as_dropped() -> None:
    box = outbox()
    box.offer(moment(0))
    box.cut()
    for seq in range(1, 4):
        box.offer(moment(seq, P0, P1, P2))
    box.mend()

    (snapshot,) = taken(box)

    assert (snapshot["payload_type"], snapshot["seq"]) == ("snapshot", 3)
    assert [event["event"] for event in snapshot["events"]] == ["a"] * 3
    assert box.losses.messages == 4
    assert box.losses.events == {"b": 3, "c": 3}


def test_a_heartbeat_is_the_base_of_the_next_diff_and_skipped_by_those_behind() -> None:
    quick, slow = outbox(), outbox(aggregate_at=0.0)
    for seq in range(2):
        quick.offer(moment(seq))
        slow.offer(moment(seq))
    first = taken(quick)
    quick.offer(moment(2, kind=Kind.HEARTBEAT))
    slow.offer(moment(2, kind=Kind.HEARTBEAT))
    quick.offer(moment(3))
    slow.offer(moment(3))

    assert [(item["payload_type"], item.get("base_seq")) for item in first + taken(quick)] == [
        ("snapshot", None),
        ("diff", 0),
        ("heartbeat", None),
        ("diff", 2),
    ]
    assert [item["seq"] for item in taken(slow)] == [3]
