"""A live town in privacy mode behind its server: nobody who is no admin learns who lives there, whatever they ask."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, bearer, every_route, on_stage

SAID = "operators-prose"
PEOPLE = ("citizen_00", "Ada", "Bram", "visitor", "Wilhelmina")
PRIVATE_MATTERS: tuple[tuple[str, list[object]], ...] = (
    ("spawn", ["visitor"]),
    ("force_chat", ["visitor", "citizen_001"]),
    ("snapshot_save", [f"{SAID}-visitor"]),
    ("policy_swap", ["idle"]),
    ("rollback_policy", [None, f"{SAID} about citizen_001"]),
    ("announce_story", [f"{SAID}: visitor came"]),
    ("kill", ["citizen_001", f"{SAID} for Bram"]),
    ("step", [2]),
)
QUESTIONS: tuple[tuple[str, list[object]], ...] = (
    ("employment_status", []),
    ("relationship_summary", []),
    ("telemetry_snapshot", []),
    ("promotion_status", []),
    ("rivalry_dump", ["citizen_999"]),
    ("snapshot_inspect", [f"{SAID}-visitor"]),
)


def until(word: str, texts: Iterable[str | bytes]) -> list[str]:
    """Read to the first text with a word in it."""
    read: list[str] = []
    for text in texts:
        read.append(str(text))
        if word in read[-1]:
            return read
    raise AssertionError(f"nobody said {word}: {read}")


def test_in_privacy_mode_no_route_names_anybody_to_viewers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SALT", "a salt of some length")
    telemetry = {"transport": {"type": "none"}, "privacy_salt_env": "A_SALT", "privacy_mode": True}
    heard: list[str] = []
    with (
        on_stage(tmp_path, world={"population": 2}, telemetry=telemetry) as stage,
        stage.socket("operator", VIEWER_TOKEN, close_timeout=0.1) as operator,
        stage.socket("telemetry", close_timeout=0.1) as spectator,
    ):
        spectator.send(json.dumps({"type": "subscribe", "blocks": ["*", "scene"]}))
        for name, args in PRIVATE_MATTERS:
            given = stage.post({"name": name, "args": args, "cmd_id": f"{name} visitor"}, ADMIN_TOKEN)
            assert given.status_code == 200, given.text
        for name, args in QUESTIONS:
            heard.append(stage.post({"name": name, "args": args}, VIEWER_TOKEN).text)
        for method, address in every_route(stage):
            if method == "GET" and "/api/worlds" not in address and not address.endswith("/events"):
                heard += [stage.http.get(address, headers=bearer(token)).text for token in (None, VIEWER_TOKEN)]
        with stage.http.stream("GET", f"{stage.address}/events", params={"since_seq": 0}) as stream:
            heard += until("agent_exit", stream.iter_lines())
        heard += until("agent_exit", operator)
        heard += until("agent_exit", spectator)
        admin = stage.post({"name": "employment_status"}, ADMIN_TOKEN).text
        saved = stage.get("/snapshots", ADMIN_TOKEN).json()["snapshots"]

    found = {word for word in (*PEOPLE, SAID, "olga") for text in heard if word in text}
    assert found == set()
    assert "a_" in heard[0]
    assert "citizen_000" in admin
    assert f"{SAID}-visitor.json.gz" in {row["path"] for row in saved}
