"""A town in privacy mode: no id and no name of a citizen or operator in any byte that a spectator can get."""

import json
from pathlib import Path

import msgspec
import pytest

from diorama.operate.rehearsals.theater import CALLERS, Theater
from diorama.telemetry.live.reader import LiveState
from tests.operate.live.runtimes import open_live_world

SALT_ENV = "A_SALT_FOR_A_TEST"
TOLD = "told.ndjson"
SECRET = "operator prose about nobody"
ORDERS: tuple[tuple[str, tuple[object, ...]], ...] = (
    ("force_chat", ("visitor", "citizen_001")),
    ("set_rel", ("visitor", "citizen_002", 0.9)),
    ("possess", ("visitor", "acquire")),
    ("arrange_meet", (["visitor", "citizen_003"],)),
    ("announce_story", (f"{SECRET}: visitor met Wilhelmina",)),
    ("teleport", ("citizen_999", 1, 1)),
    ("kill", ("citizen_004", SECRET)),
)
QUESTIONS: tuple[tuple[str, tuple[object, ...]], ...] = (
    ("telemetry_snapshot", ()),
    ("relationship_summary", ()),
    ("rivalry_dump", ()),
    ("conflict_status", ()),
    ("social_events", (20,)),
    ("debug_queues", ()),
    ("affordance_status", ()),
    ("employment_status", ()),
    ("promotion_status", ()),
    ("health_status", ()),
)
CONFIG = {
    "world": {"population": 7},
    "features": {"stages": {"relationships": "C1", "social_rewards": "C1"}},
    "telemetry": {
        "transport": {"type": "file", "file_path": TOLD},
        "privacy_mode": True,
        "privacy_salt_env": SALT_ENV,
    },
    "console_auth": {"enabled": True, "tokens": [{"label": "rehearsal", "role": "admin", "token": "t" * 20}]},
}


def test_nobody_is_named_in_any_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SALT_ENV, "salt of a town")
    runtime = open_live_world(tmp_path, "townlet", config=CONFIG, settings=None, seed=3)
    everything = runtime.publisher.subscribe(frozenset({"*", "scene"}))
    follower = runtime.publisher.follow_events(0)
    heard: list[bytes] = []
    seen = LiveState()

    with Theater(runtime) as town:
        assert town.command("spawn", ["visitor"], {"name": "Wilhelmina"})["status"] == "ok"
        for name, args in ORDERS:
            town.command(name, args)
        for name, args in QUESTIONS:
            heard.append(json.dumps(town.command(name, args, role="viewer")).encode())
        town.run(60)
        while (message := everything.next(0.0)) is not None:
            seen.apply(msgspec.json.decode(message))
            heard.append(message)
        while (batch := follower.next(0.0)) is not None:
            heard.append(json.dumps(batch, default=str).encode())
        heard.append(json.dumps(runtime.publisher.latest_snapshot()).encode())
        runtime.desk.submit({"name": "Wilhelmina and citizen_999"}, CALLERS["admin"])
        audit = b"".join(runtime.desk.export_audit())
        people = [*runtime.world.people()]
    heard += [audit, (tmp_path / TOLD).read_bytes()]

    words = {word for person in people for word in person} | {CALLERS["admin"].issuer, SECRET, "citizen_999"}
    assert {"visitor", "Wilhelmina"} <= words
    found = {word for word in words for data in heard if word.encode() in data}
    assert found == set()
    agents = seen.state["agents"]
    assert isinstance(agents, dict)
    assert len(agents) >= 7
    assert all(agent_id.startswith("a_") for agent_id in agents)
    lines = [json.loads(line) for line in audit.splitlines()]
    assert {line["name"] for line in lines} >= {"spawn", "force_chat", "kill", "telemetry_snapshot", None}
    assert {line["issuer"][:2] for line in lines} == {"a_"}
    assert len({line["issuer"] for line in lines}) == 2
    assert {(line["args"], line["kwargs"], line["client"]) for line in lines} == {(None, None, None)}


def test_an_admin_is_answered_with_raw_ids_and_a_viewer_with_aliases(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SALT_ENV, "salt of a town")
    runtime = open_live_world(tmp_path, "townlet", config=CONFIG, settings=None, seed=3)

    with Theater(runtime) as town:
        spawned = json.dumps(town.command("spawn", ["visitor"], {"name": "Wilhelmina"}))
        asked = [json.dumps(town.command("relationship_summary", (), role=role)) for role in ("admin", "viewer")]

    assert "visitor" in spawned
    assert ["citizen_001" in answer for answer in asked] == [True, False]
    assert "a_" in asked[1]
