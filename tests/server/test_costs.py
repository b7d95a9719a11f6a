"""Requests are bounded by what they cost, and end with their clients."""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from diorama.contracts.config import parse_config
from diorama.contracts.work import checkpoint
from diorama.engine.venue import Venue, open_venue
from diorama.runs.clock import SystemClock
from diorama.server.disconnects import EndWithClient
from diorama.server.errors import BadValue, LimitReached
from diorama.server.models.play import CreateSession
from diorama.server.play.entry import SessionEntry
from diorama.server.play.errors import SessionLimit, SessionUnknown
from diorama.server.play.limits import PlayLimits, checked_cost
from diorama.server.play.rooms import Rooms, Use
from diorama.server.shares import VISITOR, Shares
from diorama.worlds.gameboy.cost import LONGEST_OWN_SOLUTION
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from diorama.worlds.morphogenesis.cost import SAMPLES
from diorama.worlds.morphogenesis.data.loading import load_data
from diorama.worlds.morphogenesis.data.tasks import TASKS
from diorama.worlds.registry import load_worlds
from tests.server.loopback import serving
from tests.server.play_factories import ManualClock, play_service

LIMITS = PlayLimits()
COSTLY: dict[str, dict[str, Any]] = {
    "starts": {"frames_per_step": 3600, "release_after_frames": 8, "starts": [{"actions": [1] * 500}]},
    "solutions": {
        "kind": "gb_curriculum",
        "stages": [{"start": {}, "solution": [1] * 20_000}],
    },
    "many starts": {"noop_start_max": 255, "starts": [{}] * 256},
    "a long decision": {"frames_per_step": 3600},
}


@pytest.mark.parametrize("config", COSTLY.values(), ids=COSTLY)
def test_a_configuration_that_costs_too_much_is_refused_before_anything_is_simulated(config: dict[str, Any]) -> None:
    with pytest.raises(BadValue) as refused:
        checked_cost(open_venue("gameboy", config), LIMITS)

    assert refused.value.code == "too_costly"
    assert isinstance(refused.value.fields["units"], int)


def test_small_minibatches_cost_too_much() -> None:
    with pytest.raises(BadValue) as refused:
        checked_cost(open_venue("morphogenesis", {"task": "shapes", "batch_size": 1}), LIMITS)

    assert refused.value.code == "too_costly"


def test_start_states_that_take_too_much_memory_are_refused() -> None:
    config = {"frames_per_step": 1, "release_after_frames": 1, "noop_start_max": 255, "starts": [{}] * 4}

    with pytest.raises(BadValue, match="MiB of memory") as refused:
        checked_cost(open_venue("gameboy", config), LIMITS)

    assert refused.value.code == "too_costly"


def test_every_world_can_be_played_as_it_comes_and_in_every_variant() -> None:
    for world in load_worlds().values():
        for given in ({}, *world.variants.values()):
            venue = Venue(world=world, config=parse_config(world.id, world.config_type, given))
            assert checked_cost(venue, LIMITS) >= LIMITS.undo_bytes


def test_what_worlds_declare_covers_what_comes_with_them() -> None:
    assert max(len(rom.solve().actions) for rom in TASK_ROMS.values()) <= LONGEST_OWN_SOLUTION
    for task in TASKS.values():
        if task.family != "cifar":  # whose files do not come with the package
            assert len(load_data(task).train_inputs) == SAMPLES[task.family]


def test_a_wall_is_bounded_by_all_of_its_copies() -> None:
    venue = open_venue("gameboy", {"frames_per_step": 200})

    checked_cost(venue, LIMITS, copies=64)
    with pytest.raises(BadValue) as refused:
        checked_cost(venue, LIMITS, copies=1024)

    assert refused.value.code == "too_costly"


def test_costly_requests_are_refused_over_http_and_others_are_answered(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        costly = client.post("/api/play/session", json={"world": "gameboy", "config": COSTLY["starts"]})
        cheap = client.post("/api/play/session", json={"world": "prospector"})

    assert (costly.status_code, cheap.status_code) == (422, 200)
    assert "takes up to 3643250 frames" in costly.json()["detail"]


def test_one_address_gets_its_share_of_the_sessions(tmp_path: Path) -> None:
    told = {"play_max_sessions": 8, "visitor_share": 0.25, "trusted_proxies": ("127.0.0.0/8",)}
    with serving(tmp_path, **told) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:

        def opened(address: str) -> httpx.Response:
            return client.post("/api/play/session", json={}, headers={"X-Forwarded-For": address})

        own = [opened("2001:db8::1").status_code, opened("2001:db8::2").status_code]
        refused, other = opened("2001:db8::3"), opened("2001:db8:0:1::1")

    assert (own, refused.status_code, other.status_code) == ([200, 200], 429, 200)
    assert int(refused.headers["Retry-After"]) >= 1
    assert "your address has 2 of the 8 play sessions" in refused.json()["detail"]


def test_a_forwarded_address_is_believed_from_named_proxies_only(tmp_path: Path) -> None:
    told = {"play_max_sessions": 8, "visitor_share": 0.25}
    with serving(tmp_path, **told) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        statuses = [
            client.post("/api/play/session", json={}, headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code
            for number in range(3)
        ]

    assert statuses == [200, 200, 429]


def test_all_sessions_together_hold_so_much_memory(tmp_path: Path) -> None:
    async def run() -> None:
        play = play_service(tmp_path, ManualClock(), memory_bytes=9 << 20)
        for _ in range(2):
            await play.create(CreateSession())
        with pytest.raises(SessionLimit) as refused:
            await play.create(CreateSession())
        assert (refused.value.code, len(play.rooms)) == ("session_memory_used", 2)
        await play.close()

    asyncio.run(run())


class Endless:
    """Opens and changes sessions without end, and knows whether it still does."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, *_: object) -> Any:
        self.begun.set()
        try:
            while True:
                checkpoint()
                time.sleep(0.001)
        finally:
            self.ended.set()


async def begun(endless: Endless) -> None:
    assert await asyncio.to_thread(endless.begun.wait, 10)


def test_opening_a_session_ends_with_its_client() -> None:
    async def run() -> None:
        rooms, endless = Rooms[SessionEntry](PlayLimits(), SystemClock(), Shares()), Endless()
        opening = asyncio.create_task(rooms.enter(endless))
        await begun(endless)
        opening.cancel()
        assert await asyncio.to_thread(endless.ended.wait, 10)
        assert len(rooms) == 0
        await rooms.close()

    asyncio.run(run())


def test_closing_ends_what_is_under_way() -> None:
    async def run() -> None:
        rooms, endless = Rooms[SessionEntry](PlayLimits(), SystemClock(), Shares()), Endless()
        opening = asyncio.create_task(rooms.enter(endless))
        await begun(endless)
        await asyncio.wait_for(rooms.close(), 10)
        assert endless.ended.is_set()
        await asyncio.gather(opening, return_exceptions=True)

    asyncio.run(run())


def test_a_look_that_takes_too_long_leaves_the_session_and_a_change_ends_it(tmp_path: Path) -> None:
    async def run() -> None:
        play = play_service(tmp_path, ManualClock(), call_seconds=0.3)
        session_id = (await play.create(CreateSession())).session_id
        with pytest.raises(LimitReached) as looked:
            await play.rooms.use(session_id, Endless())
        assert (await play.state(session_id)).steps == 0
        with pytest.raises(LimitReached) as changed:
            await play.rooms.use(session_id, Endless(), use=Use.CHANGE)
        assert {looked.value.code, changed.value.code} == {"out_of_time"}
        with pytest.raises(SessionUnknown):
            await play.state(session_id)
        await play.close()

    asyncio.run(run())


def test_a_change_is_finished_although_its_client_has_left(tmp_path: Path) -> None:
    async def run() -> None:
        play, may_go = play_service(tmp_path, ManualClock()), threading.Event()
        session_id = (await play.create(CreateSession())).session_id

        def change(entry: SessionEntry) -> None:
            may_go.wait(10)
            checkpoint()
            entry.session.step(6)

        changing = asyncio.create_task(play.rooms.use(session_id, change, use=Use.CHANGE))
        await asyncio.sleep(0.05)
        changing.cancel()
        may_go.set()
        assert (await play.state(session_id)).steps == 1
        await play.close()

    asyncio.run(run())


def asked(app: Any, *, leaves: bool) -> list[str]:
    """Call an app as a client that leaves, or stays, and return what it was sent."""

    async def run() -> list[str]:
        sent: list[str] = []
        messages = asyncio.Queue[Message]()
        messages.put_nowait({"type": "http.request", "body": b"{}", "more_body": False})

        async def receive() -> Message:
            return await messages.get()

        async def send(message: Message) -> None:
            sent.append(message["type"])

        call = asyncio.create_task(EndWithClient(app)({"type": "http"}, receive, send))
        await asyncio.sleep(0.02)
        if leaves:
            messages.put_nowait({"type": "http.disconnect"})
        await asyncio.wait_for(call, 10)
        return sent

    return asyncio.run(run())


def test_an_endpoint_ends_when_its_client_leaves_before_an_answer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(3600)

    assert asked(app, leaves=True) == []


def test_an_answer_that_has_begun_comes_to_its_own_end() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b"{}"
        await send({"type": "http.response.start"})
        await asyncio.sleep(0.05)
        await send({"type": "http.response.body"})

    assert asked(app, leaves=True) == ["http.response.start", "http.response.body"]
    assert asked(app, leaves=False) == ["http.response.start", "http.response.body"]


def test_the_address_of_a_call_reaches_the_threads_of_its_work(tmp_path: Path) -> None:
    async def run() -> None:
        play = play_service(tmp_path, ManualClock())
        VISITOR.set("192.0.2.9")
        session_id = (await play.create(CreateSession())).session_id
        assert play.rooms.entry(session_id).visitor == "192.0.2.9"
        await play.close()

    asyncio.run(run())
