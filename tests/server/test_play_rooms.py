"""How sessions are shared, forgotten and limited, on a clock that tests move."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from diorama.server.models.play import CreateSession
from diorama.server.play.entry import SessionEntry
from diorama.server.play.errors import SessionLimit, SessionUnknown
from diorama.server.play.service import PlayService
from tests.server.play_factories import HOLD, ManualClock, play_service

IDLE = 1800.0


def with_service(
    root: Path, clock: ManualClock, scenario: "Callable[[PlayService], object]", **limits: int | float
) -> None:
    async def run() -> None:
        play = play_service(root, clock, **limits)
        try:
            await scenario(play)  # type: ignore[misc]
        finally:
            await play.close()

    asyncio.run(run())


def test_a_session_expires_after_half_an_hour_without_a_call(tmp_path: Path) -> None:
    clock = ManualClock()

    async def scenario(play: PlayService) -> None:
        session_id = (await play.create(CreateSession())).session_id
        clock.at_seconds += IDLE
        await play.state(session_id)
        clock.at_seconds += IDLE
        await play.step(session_id, HOLD)
        clock.at_seconds += IDLE + 1
        with pytest.raises(SessionUnknown, match="has expired"):
            await play.state(session_id)

    with_service(tmp_path, clock, scenario)


def test_expired_sessions_are_closed_and_make_room(tmp_path: Path) -> None:
    clock = ManualClock()

    async def scenario(play: PlayService) -> None:
        old = play.rooms.entry((await play.create(CreateSession())).session_id)
        await play.create(CreateSession())
        with pytest.raises(SessionLimit):
            await play.create(CreateSession())
        clock.at_seconds += IDLE + 1
        await play.create(CreateSession())
        assert (len(play.rooms), old.gone.is_set()) == (1, True)
        clock.at_seconds += IDLE + 1
        await play.rooms.sweep()
        assert len(play.rooms) == 0

    with_service(tmp_path, clock, scenario, sessions=2)


def test_places_are_counted_while_sessions_are_being_opened(tmp_path: Path) -> None:
    async def scenario(play: PlayService) -> None:
        outcomes = await asyncio.gather(*(play.create(CreateSession()) for _ in range(6)), return_exceptions=True)
        assert [isinstance(outcome, SessionLimit) for outcome in outcomes].count(True) == 4

    with_service(tmp_path, ManualClock(), scenario, sessions=2)


def test_a_session_in_use_does_not_expire(tmp_path: Path) -> None:
    clock = ManualClock()

    async def scenario(play: PlayService) -> None:
        session_id = (await play.create(CreateSession())).session_id
        has_begun, may_end = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()

        def slowly(entry: SessionEntry) -> int:
            loop.call_soon_threadsafe(has_begun.set)
            assert may_end.wait(30)
            return entry.session.steps

        using = asyncio.create_task(play.rooms.use(session_id, slowly))
        await has_begun.wait()
        clock.at_seconds += 10 * IDLE
        await play.rooms.sweep()
        may_end.set()
        assert await using == 0
        assert len(play.rooms) == 1

    with_service(tmp_path, clock, scenario)


def test_who_waits_for_a_deleted_session_is_told(tmp_path: Path) -> None:
    async def scenario(play: PlayService) -> None:
        session_id = (await play.create(CreateSession())).session_id
        has_begun, may_end = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()

        def slowly(entry: SessionEntry) -> int:
            loop.call_soon_threadsafe(has_begun.set)
            assert may_end.wait(30)
            entry.session.step(HOLD)
            return entry.session.steps

        using = asyncio.create_task(play.rooms.use(session_id, slowly))
        await has_begun.wait()
        waiting = asyncio.create_task(play.step(session_id, HOLD))
        await asyncio.sleep(0)
        deleting = asyncio.create_task(play.delete(session_id))
        await asyncio.sleep(0)
        with pytest.raises(SessionUnknown):
            await play.state(session_id)
        may_end.set()
        assert await using == 1
        with pytest.raises(SessionUnknown):
            await waiting
        await deleting

    with_service(tmp_path, ManualClock(), scenario)


def test_a_caller_who_goes_away_does_not_let_two_threads_in(tmp_path: Path) -> None:
    async def scenario(play: PlayService) -> None:
        session_id = (await play.create(CreateSession())).session_id
        has_begun, may_end = asyncio.Event(), Event()
        loop = asyncio.get_running_loop()
        order: list[str] = []

        def slowly(entry: SessionEntry) -> None:
            loop.call_soon_threadsafe(has_begun.set)
            assert may_end.wait(30)
            order.append("abandoned call")

        abandoned = asyncio.create_task(play.rooms.use(session_id, slowly))
        await has_begun.wait()
        abandoned.cancel()
        following = asyncio.create_task(play.rooms.use(session_id, lambda entry: order.append("next call")))
        await asyncio.sleep(0)
        may_end.set()
        await following
        assert order == ["abandoned call", "next call"]

    with_service(tmp_path, ManualClock(), scenario)


def test_the_newest_socket_paces_a_session(tmp_path: Path) -> None:
    async def scenario(play: PlayService) -> None:
        session_id = (await play.create(CreateSession())).session_id
        with play.rooms.paced(session_id) as (entry, first_displaced):
            with play.rooms.paced(session_id) as (_, second_displaced):
                assert (first_displaced.is_set(), second_displaced.is_set()) == (True, False)
            assert entry.displaced is None

    with_service(tmp_path, ManualClock(), scenario)


def test_what_takes_long_keeps_no_thread_from_other_sessions(tmp_path: Path) -> None:
    async def scenario(play: PlayService) -> None:
        slow, other = [(await play.create(CreateSession())).session_id for _ in range(2)]
        done = Event()
        long_call = asyncio.create_task(play.rooms.use(slow, lambda _: done.wait(20), is_long=lambda _: True))
        await play.step(other, HOLD)
        assert not long_call.done()
        done.set()
        assert await long_call

    with_service(tmp_path, ManualClock(), scenario, workers=1)
