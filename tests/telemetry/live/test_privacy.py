"""Nobody's id, name, label or typed text in any byte that leaves, whichever way."""

import hmac
import os
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from diorama.contracts.errors import ConfigError, SnapshotError
from diorama.contracts.live.events import LiveEvent, Narration, Priority
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.live.settings.telemetry import Transport as Settings
from diorama.telemetry.live.aliases import Aliases
from diorama.telemetry.live.privacy import Privacy
from diorama.telemetry.live.publisher import TelemetryPublisher
from diorama.telemetry.live.reader import LiveState
from diorama.telemetry.live.service_events import service_event
from diorama.telemetry.live.transports.building import build_transports
from diorama.telemetry.live.transports.stdout import StdoutTransport
from tests.telemetry.live.factories import Gate
from tests.telemetry.live.random_world import CATALOGUE, RandomWorld
from tests.telemetry.live.servers import http_collector, tcp_collector

SALT = "salt"
ISSUER = "night shift"
SECRET = "nobody may read this"
PRIVATE = Telemetry(privacy_mode=True, privacy_salt_env="SALT")


def alias(word: str) -> str:
    return "a_" + hmac.new(SALT.encode(), word.encode(), sha256).hexdigest()[:10]


def told_by_an_operator(tick: int, agent_id: str) -> tuple[list[LiveEvent], list[Narration], dict[str, Any]]:
    answer: dict[str, Any] = {
        "cmd_id": f"kill-{agent_id}-{SECRET}",
        "name": "kill",
        "status": "error",
        "error": {"code": "not_found", "reason": "agent", "message": SECRET, "details": {"typed": SECRET}},
        "issuer": ISSUER,
        "tick": tick,
        "latency_ms": 1.5,
        "replayed": False,
    }
    policy: dict[str, Any] = {"policy_hash": "h", "checkpoint": "c", "config_id": "x", "variant": "v", "promoted_at": 1}
    events = [
        service_event("console_result", tick, **answer),
        service_event("policy_swapped", tick, state="stable", release=policy, shadow=None, reason=SECRET),
        LiveEvent(name="possessed", tick=tick, priority=Priority.P0, fields={"agent_id": agent_id, "issuer": ISSUER}),
        LiveEvent(name="spoke", tick=tick, priority=Priority.P1, fields={"agent_id": agent_id, "said": SECRET}),
    ]
    story = Narration(
        tick=tick, category="operator_story", message=SECRET, is_priority=True, dedupe_key=f"story:{SECRET}"
    )
    blocks = {
        "console_results": {"results": [answer]},
        "promotion": {"history": [{"issuer": ISSUER, "reason": SECRET, "tick": tick}]},
        "health": {"note": f"{ISSUER} paused {agent_id}-now"},
    }
    return events, [story], blocks


def agents_of(state: LiveState) -> set[str]:
    told: dict[str, Any] = state.state
    return set(told["agents"])


def tell(world: RandomWorld, publisher: TelemetryPublisher, ticks: int) -> None:
    publisher.hide_issuers([ISSUER])
    for _ in range(ticks):
        world.step()
        events, stories, blocks = told_by_an_operator(world.tick, next(iter(world.people()))[0])
        publisher.publish([*world.events(), *events], [*stories, *world.narrations()], blocks)


def assert_nothing_leaks(data: bytes, world: RandomWorld) -> None:
    words = [word for person in world.people() for word in person]
    for word in (*words, ISSUER, SECRET):
        assert word.encode() not in data, f"{word} leaks"


def test_no_byte_of_any_transport_names_anybody(tmp_path: Path) -> None:
    world = RandomWorld(5)
    reading, writing = os.pipe()
    printed: list[bytes] = []
    printer = Thread(target=lambda: printed.extend(iter(lambda: os.read(reading, 1 << 16), b"")))
    printer.start()
    with tcp_collector() as tcp, http_collector() as http:
        plain: dict[str, Any] = {"enable_tls": False, "allow_plaintext": True}
        listed = (
            Settings(type="file"),
            Settings(type="prometheus"),
            Settings(type="tcp", endpoint=f"127.0.0.1:{tcp.port}", **plain),
            Settings(type="http", endpoint=f"http://127.0.0.1:{http.port}/", **plain),
        )
        transports = [*build_transports(Telemetry(transport=listed), tmp_path), StdoutTransport(writing)]
        publisher = TelemetryPublisher(world.as_live(), "run", PRIVATE, CATALOGUE, SALT, transports)
        spectator = publisher.subscribe(frozenset({"*", "scene"}))
        follower = publisher.follow_events()
        seen = b""
        for _ in range(20):
            tell(world, publisher, 10)
            while (message := spectator.next(0.0)) is not None:
                seen += message
            while (batch := follower.next(0.0)) is not None:
                seen += msgspec.json.encode(batch)
        seen += msgspec.json.encode([publisher.latest_snapshot(), publisher.health()])
        publisher.close()
    os.close(writing)
    printer.join(30.0)
    os.close(reading)

    files = {path.name: path.read_bytes() for path in (tmp_path / "telemetry").iterdir()}
    outputs = {**files, "tcp": tcp.data, "http": http.data, "stdout": b"".join(printed), "spectators": seen}

    assert len(outputs) == 6
    for data in outputs.values():
        assert len(data) > 1000
        assert_nothing_leaks(data, world)
    assert alias("citizen_000").encode() in files["live.ndjson"]
    assert b'"bed_0"' in files["live.ndjson"], "objects keep their ids"


def test_switched_on_it_hides_what_already_waits() -> None:
    world, gate = RandomWorld(6), Gate()
    gate.is_open.clear()
    publisher = TelemetryPublisher(world.as_live(), "run", Telemetry(), CATALOGUE, SALT, [gate])
    spectator = publisher.subscribe()
    tell(world, publisher, 12)

    publisher.set_privacy(True)
    before = msgspec.json.encode(publisher.latest_snapshot())
    tell(world, publisher, 3)
    received = []
    while (message := spectator.next(0.0)) is not None:
        received.append(message)
    gate.failures.append(OSError("the batch in its hands must not be sent again"))
    gate.is_open.set()
    publisher.close()
    sent = [message for batch in gate.sent.queue for message in batch]

    assert_nothing_leaks(before + b"".join(received) + b"".join(sent), world)
    for messages in (received, sent):
        state = LiveState()
        assert all(state.apply(msgspec.json.decode(message)) for message in messages)
        assert agents_of(state) == {alias(agent_id) for agent_id in world.state["agents"]}


def test_switched_off_it_begins_with_a_fresh_snapshot() -> None:
    world = RandomWorld(7)
    publisher = TelemetryPublisher(world.as_live(), "run", PRIVATE, CATALOGUE, SALT, ())
    spectator = publisher.subscribe()
    publisher.publish((), (), {})
    publisher.set_privacy(False)
    publisher.publish((), (), {})

    state = LiveState()
    while (message := spectator.next(0.0)) is not None:
        last = msgspec.json.decode(message)
        assert state.apply(last)

    assert last["payload_type"] == "snapshot"
    assert agents_of(state) == set(world.state["agents"])


def test_without_a_salt_there_is_no_privacy_and_no_pretending() -> None:
    world = RandomWorld(8)
    publisher = TelemetryPublisher(world.as_live(), "run", Telemetry(), CATALOGUE, None, ())

    with pytest.raises(CommandError, match="needs a salt") as refused:
        publisher.set_privacy(True)
    with pytest.raises(ConfigError, match="salt is empty"):
        TelemetryPublisher(world.as_live(), "run", PRIVATE, CATALOGUE, None, ())
    with pytest.raises(SnapshotError, match="privacy mode"):
        publisher.load({**publisher.export(), "privacy": True})
    publisher.apply_settings(PRIVATE)
    publisher.publish((), (), {})

    assert (refused.value.code, refused.value.reason) == ("conflict", "no_salt")
    assert_nothing_leaks(msgspec.json.encode(publisher.latest_snapshot()), world)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        pytest.param("citizen_001>citizen_0012", "{citizen_001}>{citizen_001}2", id="generated-ids-anywhere"),
        pytest.param("bed bed_1 bed-side", "{bed} bed_1 {bed}-side", id="a-bare-word-as-a-word"),
        pytest.param("Ann Lee's and Ann's", "{citizen_001}'s and {ann}'s", id="the-longest-first"),
        pytest.param("Zoë, Zoëy", "{zoe}, Zoëy", id="letters-beyond-ascii"),
    ],
)
def test_words_are_hidden_where_they_stand_for_somebody(text: str, hidden: str) -> None:
    aliases = Aliases(SALT)
    aliases.know([("citizen_001", "Ann Lee"), ("ann", "Ann"), ("bed", "Bed"), ("zoe", "Zoë")])

    expected = hidden.format(**{word: alias(word) for word in ("citizen_001", "ann", "bed", "zoe")})

    assert aliases.hide(text) == expected


def test_names_of_blocks_stay_though_somebody_is_called_like_one() -> None:
    privacy = Privacy(SALT, ())
    privacy.aliases.know([("agents", "Agents")])

    assert privacy.hide_blocks({"agents": {"agents": {"name": "Agents"}}}) == {
        "agents": {alias("agents"): {"name": alias("agents")}}
    }
