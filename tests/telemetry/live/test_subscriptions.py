"""Spectators, each at their own pace, and a feed that does not know them."""

import asyncio
from threading import Thread
from typing import Any

import msgspec
import pytest

from diorama.contracts.live.events import EventField, EventKind, Priority
from diorama.telemetry.live.feed import WHOLE_MOMENTS, Feed
from diorama.telemetry.live.moments import Kind
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.subscription import CAPACITY_BYTES, FOLD_FROM_BYTES, Subscription, SubscriptionClosed
from tests.telemetry.live.factories import moment, told

P0, P1, P2 = (told(name, priority, 40) for name, priority in zip("abc", Priority, strict=True))


@pytest.fixture
def feed() -> Feed:
    """A feed with one moment."""
    opened = Feed()
    opened.add(moment(0))
    return opened


def watch(feed: Feed) -> Subscription:
    return Subscription(feed, None, lambda _: None)


def taken(spectator: Subscription) -> list[dict[str, Any]]:
    messages = []
    while (message := spectator.next(0.0)) is not None:
        messages.append(msgspec.json.decode(message))
    return messages


def test_whoever_keeps_up_gets_every_tick(feed: Feed) -> None:
    spectator = watch(feed)
    for seq in range(1, 4):
        feed.add(moment(seq, P2))

    first, *diffs = taken(spectator)

    assert (first["payload_type"], first["seq"], first["aggregated"]) == ("snapshot", 3, 3)
    assert diffs == []
    feed.add(moment(4, P2))
    feed.add(moment(5, P2))
    assert [(item["base_seq"], len(item["events"])) for item in taken(spectator)] == [(3, 1), (4, 1)]


def test_messages_are_encoded_once_for_all_who_want_the_same(feed: Feed) -> None:
    crowd = [watch(feed) for _ in range(5)]
    welcomes = {id(spectator.next(0.0)) for spectator in crowd}
    feed.add(moment(1))
    diffs = {id(spectator.next(0.0)) for spectator in crowd}

    assert (len(welcomes), len(diffs)) == (1, 1)


def test_a_spectator_who_falls_behind_gets_fewer_and_newer_messages(feed: Feed) -> None:
    spectator = watch(feed)
    taken(spectator)
    for seq in range(1, 20):
        feed.add(moment(seq, P0, P2, size=FOLD_FROM_BYTES // 4))

    (folded,) = taken(spectator)

    assert (folded["payload_type"], folded["base_seq"], folded["seq"]) == ("diff", 0, 19)
    assert (folded["aggregated"], folded["folded"]) == (19, {"c": 19})
    assert len(folded["events"]) == 19


def test_of_what_is_long_ago_the_most_important_is_kept(feed: Feed) -> None:
    spectator = watch(feed)
    taken(spectator)
    for seq in range(1, 2 * WHOLE_MOMENTS + 1):
        feed.add(moment(seq, P0, P1, P2))

    (folded,) = taken(spectator)

    assert (folded["base_seq"], folded["seq"]) == (0, 2 * WHOLE_MOMENTS)
    assert folded["aggregated"] == 2 * WHOLE_MOMENTS
    assert [event["event"] for event in folded["events"]].count("a") == 2 * WHOLE_MOMENTS
    assert folded["folded"] == {"b": WHOLE_MOMENTS, "c": 2 * WHOLE_MOMENTS}
    state = LiveState()
    state.apply({**msgspec.to_builtins(moment(0).snapshot(None, moment(0).news))})
    assert state.apply(folded)
    assert state.state == moment(2 * WHOLE_MOMENTS).state


@pytest.mark.parametrize("looks", ["now and then", "once"])
def test_a_spectator_who_does_not_read_at_all_is_let_go(feed: Feed, looks: str) -> None:
    spectator = watch(feed)
    size = 100_000
    for seq in range(1, CAPACITY_BYTES // size + 5):
        feed.add(moment(seq, size=size))
        if looks == "now and then":
            spectator.weigh()

    assert not spectator.weigh()
    assert spectator.overflowed
    assert spectator.behind_bytes == 0
    with pytest.raises(SubscriptionClosed, match="too slow"):
        spectator.next(0.0)


def test_a_newcomer_to_a_world_that_was_replaced_waits_for_it(feed: Feed) -> None:
    feed.forget()
    spectator = watch(feed)
    nothing = taken(spectator)
    feed.add(moment(7, kind=Kind.SNAPSHOT))

    assert nothing == []
    assert [message["seq"] for message in taken(spectator)] == [7]


def test_a_spectator_can_wait_without_a_thread() -> None:
    feed = Feed()
    spectator = watch(feed)

    async def follow() -> list[int]:
        seqs = []
        for seq in range(2):
            waiting = asyncio.create_task(spectator.receive())
            await asyncio.sleep(0)
            await asyncio.to_thread(feed.add, moment(seq))
            seqs.append(msgspec.json.decode(await waiting)["seq"])
        again = asyncio.create_task(spectator.receive())
        await asyncio.sleep(0)
        spectator.resync()
        seqs.append(msgspec.json.decode(await again)["seq"])
        last = asyncio.create_task(spectator.receive())
        await asyncio.sleep(0)
        spectator.close()
        with pytest.raises(SubscriptionClosed):
            await last
        return seqs

    assert asyncio.run(asyncio.wait_for(follow(), 30.0)) == [0, 1, 1]


def test_nobody_sleeps_through_a_moment() -> None:
    feed = Feed()
    spectators = [watch(feed) for _ in range(20)]
    moments = 500

    async def follow(spectator: Subscription) -> int:
        seq = -1
        while seq < moments - 1:
            seq = msgspec.json.decode(await spectator.receive())["seq"]
        return seq

    async def crowd() -> list[int]:
        return await asyncio.gather(*map(follow, spectators))

    def tell() -> None:
        for seq in range(moments):
            feed.add(moment(seq))

    teller = Thread(target=tell)
    teller.start()
    assert asyncio.run(asyncio.wait_for(crowd(), 60.0)) == [moments - 1] * len(spectators)
    teller.join()


def test_the_last_words_can_be_read_after_the_end(feed: Feed) -> None:
    spectator = watch(feed)
    feed.add(moment(1, P0))
    feed.close()

    message = spectator.next(0.0)

    assert message is not None
    assert b'"event":"a"' in message
    with pytest.raises(SubscriptionClosed):
        spectator.next(None)


def test_resync_makes_the_next_message_a_snapshot_and_choosing_narrows_it(feed: Feed) -> None:
    spectator = watch(feed)
    feed.add(moment(1, P0))
    spectator.resync()
    (again,) = taken(spectator)
    spectator.choose(frozenset({"elsewhere"}))
    (narrowed,) = taken(spectator)

    assert (again["payload_type"], again["seq"]) == ("snapshot", 1)
    assert [event["event"] for event in again["events"]] == ["a"]
    assert narrowed["state"] == {}


@pytest.mark.parametrize("has_read", [True, False])
def test_nothing_is_told_in_words_that_were_given_up(feed: Feed, has_read: bool) -> None:
    spoken = EventField(name="filler", schema={"type": "string"}, is_free_text=True)
    privacy = Privacy("salt", [EventKind(name="a", priority=Priority.P0, fields=(spoken,))])
    spectator = watch(feed)
    if has_read:
        taken(spectator)
    for seq in range(1, 4):
        feed.add(moment(seq, P0))
    feed.reword(moment(3, kind=Kind.SNAPSHOT, size=5), privacy)
    feed.add(moment(4, kind=Kind.SNAPSHOT))

    (message,) = taken(spectator)

    assert (message["payload_type"], message["seq"]) == ("snapshot", 4)
    assert [event["filler"] for event in message["events"]] == [None] * 3
