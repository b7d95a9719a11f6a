"""`/ready`, HEAD, figures of what reaches a limit, and how a server is told to end."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from diorama.server.readiness import DiskCheck, ReadyService
from tests.server.loopback import serving


def test_a_server_that_can_save_and_play_is_ready(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        answer = client.get("/ready")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "checks": [{"name": name, "ok": True, "problem": None} for name in ("save", "play", "keep_up")],
    }


def test_a_server_that_cannot_save_or_has_no_session_left_says_which(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    settings = {"campaigns_root": tmp_path / "file", "play_max_sessions": 1}
    with (
        serving(tmp_path / "runs", 0, **settings) as server,
        httpx.Client(base_url=server.base_url, timeout=60) as client,
    ):
        begun = client.post("/api/play/session", json={"world": "prospector", "seed": 1})
        answer = client.get("/ready")

    assert begun.status_code == 200, begun.text
    assert answer.status_code == 503
    found = {check["name"]: check["problem"] for check in answer.json()["checks"]}
    assert answer.json()["status"] == "not_ready"
    assert found == {
        "save": "file: file exists",
        "play": "1 sessions are open, as many as there may be",
        "keep_up": None,
    }


def test_a_disk_without_room_is_not_ready(tmp_path: Path) -> None:
    problem = asyncio.run(DiskCheck(folders=(tmp_path,), least_free_bytes=1 << 62)())

    assert problem is not None
    assert f"fewer than {1 << 62}" in problem
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_hangs_and_a_loop_that_stands_still_are_told() -> None:
    async def hang() -> str | None:
        await asyncio.sleep(60)
        return None

    async def look() -> dict[str, str | None]:
        ready = ReadyService({"play": hang}, behind_seconds=0.05)
        async with ready.lag.watched():
            await asyncio.sleep(0.01)
            asyncio.get_running_loop().call_soon(_stand_still)
            await asyncio.sleep(0.5)
            return {check.name: check.problem for check in (await ready.look()).checks}

    found = asyncio.run(look())

    assert found["play"] == "no answer within 2 s"
    assert found["keep_up"] is not None
    assert "more than 0.05 s" in found["keep_up"]


def _stand_still() -> None:
    time.sleep(0.5)


@pytest.mark.parametrize("path", ["/health", "/ready", "/api/worlds", "/api/runs", "/metrics", "/api/openapi.json"])
def test_head_is_answered_as_get_is_without_the_body(tmp_path: Path, path: str) -> None:
    with serving(tmp_path / "runs") as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        asked, head = client.get(path), client.head(path)

    assert (head.status_code, head.content) == (asked.status_code, b"")
    assert head.headers["content-type"] == asked.headers["content-type"]


def test_head_of_what_only_takes_posts_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        assert client.head("/api/play/session").status_code == 405


def test_figures_tell_which_limits_were_reached(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "runs", 0, play_max_sessions=1) as server,
        httpx.Client(base_url=server.base_url, timeout=60) as client,
    ):
        for _ in range(2):
            client.post("/api/play/session", json={"world": "prospector", "seed": 1})
        client.post("/api/play/session", content=b"x" * (1 << 21))
        text = client.get("/metrics").text

    assert 'diorama_limits_reached_total{limit="visitors"} 1.0' in text
    assert 'diorama_limits_reached_total{limit="body_bytes"} 1.0' in text
    for name in ("diorama_loop_lag_seconds", "diorama_play_calls_waiting", "diorama_exports_waiting"):
        assert f"\n{name} " in text
