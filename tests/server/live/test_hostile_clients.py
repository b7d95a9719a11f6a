"""Whatever clients do or fail to do: the world lives through the same ticks, and nothing piles up."""

import json
import random
import socket
import struct
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from urllib.parse import urlsplit

import pytest

from diorama.telemetry.live import subscription
from diorama.telemetry.live.reader import LiveState
from tests.server.live.stage import ADMIN_TOKEN, Stage, on_stage
from tests.server.sockets import closing

TICKS = 150
CAPACITY_BYTES = 1 << 19
GARBAGE = ("", "no json", "[1]", '{"type": 5}', '{"type": "fly"}', "[" * 5000, b"\x00\xff", "x" * (1 << 20))
WISHES: tuple[object, ...] = (
    [],
    ["nothing"],
    ["\u0000" * 64],
    ["*"] * 64,
    ["x" * 65],
    ["a"] * 65,
    5,
    None,
    [["agents"]],
    {"agents": 1},
)


def _send_garbage(stage: Stage, chance: random.Random) -> None:
    with stage.socket(chance.choice(["telemetry", "operator"]), ADMIN_TOKEN) as client:
        client.send(chance.choice(GARBAGE))
        assert closing(client)[0] in {1008, 1009}


def _wish_for_nonsense(stage: Stage, chance: random.Random) -> None:
    with stage.socket("telemetry") as client:
        client.send(json.dumps({"type": "subscribe", "blocks": chance.choice(WISHES)}))
        client.send(json.dumps({"type": "subscribe", "blocks": [str(chance.random()) for _ in range(64)]}))


def _come_and_vanish(stage: Stage, chance: random.Random) -> None:
    place = urlsplit(stage.base_url)
    for _ in range(10):
        with socket.create_connection((place.hostname, place.port or 0)) as raw:
            raw.send(b"GET /ws/v1/worlds/townlet/telemetry HTTP/1.1\r\nHost: x\r\n"[: chance.randrange(1, 60)])
            _cut(raw)
    with stage.socket("telemetry") as visitor:
        _cut(visitor.socket)


def _cut(connection: socket.socket) -> None:
    """End a connection without a goodbye."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with suppress(OSError):  # the other side may have been first
        connection.shutdown(socket.SHUT_RDWR)


def _ask_for_all_that_happened(stage: Stage, chance: random.Random) -> None:
    with stage.http.stream("GET", f"{stage.address}/events", params={"since_seq": 0}) as answer:
        next(answer.iter_bytes())


MISCHIEF: tuple[Callable[[Stage, random.Random], None], ...] = (
    _send_garbage,
    _wish_for_nonsense,
    _come_and_vanish,
    _ask_for_all_that_happened,
)


@contextmanager
def _crowd_of_the_stuck(stage: Stage) -> Iterator[None]:
    """Spectators who never read and connections that never say what they want, for as long as the block runs."""
    place = urlsplit(stage.base_url)
    with ExitStack() as open_ones:
        for blocks in (["*", "scene"], ["agents"], ["nothing at all"]):
            deaf = open_ones.enter_context(stage.deaf_socket("telemetry"))
            open_ones.callback(_cut, deaf.socket)
            deaf.send(json.dumps({"type": "subscribe", "blocks": blocks}))
            mute = open_ones.enter_context(socket.create_connection((place.hostname, place.port or 0)))
            mute.send(b"GET / HTTP/1.1\r\n")
        yield


@contextmanager
def _mischief(stage: Stage) -> Iterator[list[Future[int]]]:
    """Everything else that clients can do, over and over for as long as the block runs."""
    is_over = Event()

    def repeat(seed: int) -> int:
        chance, times = random.Random(seed), 0
        while not is_over.is_set():
            MISCHIEF[seed](stage, chance)
            times += 1
        return times

    with ThreadPoolExecutor(len(MISCHIEF)) as hands:
        deeds = [hands.submit(repeat, seed) for seed in range(len(MISCHIEF))]
        try:
            yield deeds
        finally:
            is_over.set()


def _lived_alone(root: Path) -> int:
    with on_stage(root, is_driven=True, world={"population": 3}) as stage:
        stage.runtime.run_ticks(TICKS)
        return stage.runtime.world.state_hash()


def test_the_world_lives_through_the_same_ticks_whatever_clients_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription, "CAPACITY_BYTES", CAPACITY_BYTES)
    alone = _lived_alone(tmp_path / "alone")
    state = LiveState()
    with (
        on_stage(tmp_path / "crowded", is_driven=True, world={"population": 3}) as stage,
        stage.socket("telemetry") as honest,
        _crowd_of_the_stuck(stage),
        _mischief(stage) as deeds,
    ):
        followers = stage.runtime.publisher._audience._subscriptions
        for _ in range(TICKS):
            stage.runtime.run_ticks(1)
            longest = max((follower.behind_bytes for follower in list(followers)), default=0)
            assert longest <= CAPACITY_BYTES + subscription.FOLD_FROM_BYTES
        while state.tick < TICKS - 1:
            assert state.apply(json.loads(honest.recv(timeout=30)))
        told = stage.runtime.publisher.latest_snapshot()["state"]

        assert state.state == told
        assert stage.runtime.world.state_hash() == alone

    assert all(deed.result() > 0 for deed in deeds)


def test_a_world_with_as_many_spectators_as_it_may_have_says_so(tmp_path: Path) -> None:
    limits = {"live_max_spectators": 1, "live_max_operators": 1}
    with on_stage(tmp_path, world={"population": 1}, limits=limits) as stage:
        for kind in ("telemetry", "operator"):
            with stage.socket(kind, ADMIN_TOKEN) as first:
                first.recv(timeout=30)
                with stage.socket(kind, ADMIN_TOKEN) as second:
                    code, told = closing(second)
                error = json.loads(told[-1])
                assert (code, error["status_code"]) == (1013, 429)
                assert f"1 {kind} streams are open" in error["detail"]
            stage.wait_until_left(kind)
        with stage.socket("telemetry") as another:
            assert json.loads(another.recv(timeout=30))["payload_type"] == "snapshot"
