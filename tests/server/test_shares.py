"""What one visitor may take of a server, and how threads work for several of them in turn."""

import asyncio
from collections.abc import Callable
from functools import partial
from threading import Event

import pytest

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import StopReason, Work, checkpoint
from diorama.server.errors import LimitReached, NotAvailable
from diorama.server.shares import HERE, VISITOR, Shares, visitor_of
from diorama.server.streams import OpenStreams
from diorama.server.turns import Turns, as_refusal
from tests.server.play_factories import ManualClock


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        pytest.param("192.0.2.7", "192.0.2.7", id="ipv4"),
        pytest.param("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", id="ipv6-by-network"),
        pytest.param("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64", id="the-same-network"),
        pytest.param("::ffff:192.0.2.7", "192.0.2.7", id="ipv4-in-ipv6"),
        pytest.param("no address", HERE, id="none"),
    ],
)
def test_a_visitor_is_an_address_or_the_network_of_one(address: str, visitor: str) -> None:
    assert visitor_of((address, 4321)) == visitor
    assert visitor_of(None) == HERE


def test_a_visitor_without_time_left_waits_while_others_are_here() -> None:
    clock = ManualClock()
    shares = Shares(0.5, saved_seconds=10.0, processors=2, seconds=clock.seconds)

    shares.see("greedy")
    shares.charge("greedy", 14.0)
    alone = shares.wait_seconds("greedy")
    shares.see("other")

    assert alone == 0.0
    assert shares.wait_seconds("other") == 0.0
    assert shares.wait_seconds("greedy") == pytest.approx(4.0, abs=0.1)
    with pytest.raises(LimitReached) as refused:
        shares.check("greedy")
    assert refused.value.code == "processor_share_used"
    assert refused.value.fields["retry_after_seconds"] == pytest.approx(4.0, abs=0.1)
    clock.at_seconds += 5.0
    shares.check("greedy")


def test_debts_are_bounded_and_forgotten() -> None:
    clock = ManualClock()
    shares = Shares(0.25, saved_seconds=10.0, processors=4, seconds=clock.seconds)

    shares.see("other")
    shares.charge("greedy", 1e9)

    assert shares.wait_seconds("greedy") == pytest.approx(10.0, abs=0.1)
    clock.at_seconds += 1000.0
    for number in range(5000):
        shares.charge(f"visitor-{number}", 0.0)
    assert len(shares._balances) <= 4097


def test_a_visitor_may_open_its_share_of_the_streams() -> None:
    streams = OpenStreams(limits={"follow": 8}, shares=Shares(0.25))
    VISITOR.set("192.0.2.7")

    with streams.one("follow"), streams.one("follow"):
        with pytest.raises(LimitReached) as refused:
            streams.check("follow")
        VISITOR.set("192.0.2.8")
        streams.check("follow")
    VISITOR.set("192.0.2.7")
    streams.check("follow")

    assert refused.value.code == "stream_share_used"
    assert streams._of_visitors == {}


def as_visitor(visitor: str, turns: Turns, call: Callable[[], object]) -> asyncio.Task[object]:
    """Begin a call of a visitor."""

    async def run() -> object:
        VISITOR.set(visitor)
        return await turns.run(call, Work(30.0))

    return asyncio.create_task(run())


def test_threads_work_for_visitors_in_turn_however_many_calls_one_waits_with() -> None:
    async def scenario() -> list[str]:
        turns, may_go, order = Turns(1, Shares(), name="turns"), Event(), list[str]()

        def note(name: str) -> None:
            may_go.wait(10)
            order.append(name)

        greedy = [as_visitor("greedy", turns, lambda: note("greedy")) for _ in range(5)]
        await asyncio.sleep(0)
        others = [as_visitor(name, turns, partial(note, name)) for name in ("ada", "bob")]
        await asyncio.sleep(0.01)
        may_go.set()
        await asyncio.gather(*greedy, *others)
        turns.close()
        return order

    order = asyncio.run(scenario())
    assert order == ["greedy", "greedy", "ada", "bob", "greedy", "greedy", "greedy"]


def test_a_visitor_holds_no_more_than_its_share_of_the_threads_and_waits_with_so_many_calls() -> None:
    async def scenario() -> None:
        turns, may_go = Turns(4, Shares(0.25), name="turns"), Event()
        greedy = [as_visitor("greedy", turns, lambda: may_go.wait(10)) for _ in range(70)]
        await asyncio.sleep(0.05)
        other = as_visitor("other", turns, lambda: "answered")

        answered = await asyncio.wait_for(other, 10)
        may_go.set()
        outcomes = await asyncio.gather(*greedy, return_exceptions=True)
        turns.close()

        assert answered == "answered"
        refused = [outcome for outcome in outcomes if isinstance(outcome, LimitReached)]
        assert {error.code for error in refused} == {"too_many_calls_waiting"}
        assert len(refused) == 70 - 64 - 2

    asyncio.run(scenario())


def test_a_call_has_a_deadline_and_the_thread_is_free_afterwards() -> None:
    def endless() -> None:
        while True:
            checkpoint()

    async def scenario() -> None:
        turns = Turns(1, Shares(), name="turns")
        with pytest.raises(WorkStopped) as stopped:
            await turns.run(endless, Work(0.02))
        refusal = as_refusal(stopped.value, "the answer")
        assert (type(refusal), refusal.code) == (LimitReached, "out_of_time")
        assert await turns.run(lambda: 5, Work(1.0)) == 5
        turns.close()

    asyncio.run(scenario())


def test_stopping_ends_what_is_under_way_and_refuses_what_waits() -> None:
    def endless() -> None:
        while True:
            checkpoint()

    async def scenario() -> None:
        turns = Turns(1, Shares(), name="turns")
        running, waiting = (as_visitor(name, turns, endless) for name in ("ada", "bob"))
        await asyncio.sleep(0.02)
        turns.stop()
        outcomes = await asyncio.gather(running, waiting, return_exceptions=True)
        turns.close()
        assert [type(outcome) for outcome in outcomes] == [WorkStopped, NotAvailable]
        with pytest.raises(NotAvailable):
            await turns.run(endless, Work(1.0))

    asyncio.run(scenario())


def test_a_call_that_is_cancelled_while_it_waits_takes_no_thread() -> None:
    async def scenario() -> None:
        turns, may_go = Turns(1, Shares(), name="turns"), Event()
        first = as_visitor("ada", turns, lambda: may_go.wait(10))
        await asyncio.sleep(0.01)
        left = as_visitor("bob", turns, lambda: pytest.fail("it ran"))
        last = as_visitor("cyd", turns, lambda: "answered")
        await asyncio.sleep(0.01)
        left.cancel()
        may_go.set()
        assert await asyncio.wait_for(last, 10) == "answered"
        await first
        turns.close()

    asyncio.run(scenario())


def test_work_of_a_client_that_has_left_is_told_as_not_available() -> None:
    work = Work(1.0)
    work.stop(StopReason.CLIENT_LEFT)

    with pytest.raises(WorkStopped) as stopped:
        work.check()

    assert type(as_refusal(stopped.value, "the answer")) is NotAvailable
