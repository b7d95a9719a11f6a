import json
from collections.abc import Iterator
from threading import Event
from typing import Any

import httpx
import pytest

from diorama.server.live.openapi import live_openapi_text
from diorama.server.live.routes import console
from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, Stage, bearer


def following(stage: Stage, **parameters: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and data of server-sent events; ends when it is closed."""
    with httpx.stream("GET", f"{stage.address}/events", params=parameters, timeout=20) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize(
    ("envelope", "status", "code"),
    [
        pytest.param({"name": "noop"}, 200, None, id="ok"),
        pytest.param({"name": "teleport", "cmd_id": "r1"}, 400, "usage", id="usage"),
        pytest.param({"name": "speed", "args": ["warp"], "cmd_id": "r2"}, 400, "invalid_args", id="invalid"),
        pytest.param({"name": "kill", "args": ["nobody"], "cmd_id": "r3"}, 404, "not_found", id="not-found"),
        pytest.param({"name": "promotion_ack", "cmd_id": "r4"}, 409, "conflict", id="conflict"),
        pytest.param({"name": "fly"}, 501, "unsupported", id="unsupported"),
        pytest.param({"name": "snapshot_inspect", "args": ["../../x"]}, 403, "forbidden", id="outside"),
        pytest.param([], 400, "usage", id="no-envelope"),
    ],
)
def test_every_code_has_its_status(stage: Stage, envelope: object, status: int, code: str | None) -> None:
    answer = stage.post(envelope, ADMIN_TOKEN)

    assert answer.status_code == status
    assert answer.json().get("error", {}).get("code") == code


def test_one_id_is_one_command_over_every_way(stage: Stage) -> None:
    envelope = {"name": "price", "args": ["meal_cost", 2.5], "cmd_id": "one/id of mine"}

    first = stage.post(envelope, ADMIN_TOKEN).json()
    with stage.socket("operator", ADMIN_TOKEN) as socket:
        socket.send(json.dumps({"type": "command", "payload": envelope}))
        while (message := json.loads(socket.recv(timeout=20)))["type"] != "result":
            pass
    found = stage.get("/console/one/id of mine", ADMIN_TOKEN)
    other = stage.post({**envelope, "args": ["meal_cost", 9]}, ADMIN_TOKEN)

    assert message["payload"] == {**first, "replayed": True}
    assert (found.status_code, found.json()) == (200, first)
    assert (other.status_code, other.json()["error"]["reason"]) == (409, "cmd_id_reuse")
    assert stage.get("/console/one/id of mine", VIEWER_TOKEN).status_code == 404


@pytest.mark.parametrize("cmd_id", [None, "late-1"], ids=["without-id", "with-id"])
def test_who_cannot_wait_comes_back_for_the_answer(
    stage: Stage, cmd_id: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "PATIENCE_SECONDS", 0.01)
    is_held, may_go = Event(), Event()

    def hold(_: object) -> None:
        is_held.set()
        may_go.wait(20)

    stage.runtime.publisher.register_event_subscriber(hold)
    stage.post({"name": "noop"}, VIEWER_TOKEN)  # whose event holds the loop
    is_held.wait(20)

    late = stage.post({"name": "health_status", "cmd_id": cmd_id}, VIEWER_TOKEN)
    place = f"/console/{late.json()['cmd_id']}"
    waiting, not_mine = stage.get(place, VIEWER_TOKEN), stage.get(place, ADMIN_TOKEN)
    may_go.set()
    while (found := stage.get(place, VIEWER_TOKEN)).status_code == 202:
        pass

    assert (late.status_code, late.json()["status"]) == (202, "pending")
    assert (waiting.status_code, not_mine.status_code) == (202, 404)
    assert (found.status_code, found.json()["status"]) == (200, "ok")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(b"no json", 422, id="no-json"),
        pytest.param(b"", 422, id="empty"),
        pytest.param(b"\xff\xfe", 422, id="no-text"),
        pytest.param(b"[" * 100_000, 422, id="deep"),
        pytest.param(b'{"name": "noop", "args": [NaN]}', 400, id="not-a-number"),
        pytest.param(b'{"name": "noop", "args": [1' + b"0" * 400 + b"]}", 400, id="huge-number"),
        pytest.param(b'{"name": "noop", "metadata": {"x": "' + b"y" * (1 << 20) + b'"}}', 413, id="too-large"),
    ],
)
def test_a_hostile_body_gets_one_line(stage: Stage, body: bytes, status: int) -> None:
    headers = {**bearer(ADMIN_TOKEN), "Content-Type": "application/json"}

    answer = stage.http.post(f"{stage.address}/console", content=body, headers=headers)

    words = answer.json().get("detail") or answer.json()["error"]["message"]
    assert answer.status_code == status
    assert words
    assert len(words) < 300


def test_who_speaks_too_often_is_stopped_and_the_loop_goes_on(strict_stage: Stage) -> None:
    codes = [strict_stage.post({"name": "noop"}, VIEWER_TOKEN).status_code for _ in range(14)]

    assert codes == [200] * 12 + [429] * 2
    assert strict_stage.post({"name": "noop"}, ADMIN_TOKEN).status_code == 200


def test_where_viewers_need_a_token_nothing_is_shown_without(strict_stage: Stage) -> None:
    paths = ("", "/kpis", "/telemetry/snapshot", "/snapshots", "/training", "/events", "/console/x")

    answers = [strict_stage.get(path) for path in paths]

    assert [answer.status_code for answer in answers] == [401] * len(paths)
    assert {answer.headers["WWW-Authenticate"] for answer in answers} == {"Bearer"}
    assert "token" in answers[0].json()["detail"]


def test_the_state_is_told_whole_or_in_blocks(stage: Stage) -> None:
    whole = stage.get("/telemetry/snapshot").json()
    part = stage.get("/telemetry/snapshot", blocks="utilities,economy").json()
    wrong = stage.get("/telemetry/snapshot", blocks="weather")

    assert (whole["schema_version"], whole["payload_type"]) == ("0.3.0", "snapshot")
    assert list(part["state"]) == ["utilities", "economy"]
    assert part["state"]["utilities"] == whole["state"]["utilities"]
    assert wrong.status_code == 422
    assert "weather" in wrong.json()["detail"]


def test_the_kpis_come_with_what_they_are_judged_by(stage: Stage) -> None:
    answer = stage.get("/kpis").json()

    assert {target["key"] for target in answer["targets"]} >= {"attendance", "self_sufficiency"}
    assert "current" in answer["kpis"]


def test_saving_over_rest_is_the_command(stage: Stage) -> None:
    saved = stage.http.post(f"{stage.address}/snapshots", json={"name": "by-rest"}, headers=bearer(ADMIN_TOKEN))
    refused = stage.http.post(f"{stage.address}/snapshots", json={"name": "../evil"}, headers=bearer(ADMIN_TOKEN))

    assert (saved.status_code, saved.json()["result"]["path"]) == (200, "by-rest.json.gz")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_args")
    assert "by-rest.json.gz" in [row["path"] for row in stage.get("/snapshots").json()["snapshots"]]
    assert stage.audit[-2]["name"] == "snapshot_save"


def test_events_are_followed_chosen_and_resumed(stage: Stage) -> None:
    stage.post({"name": "price", "args": ["meal_cost", 4], "cmd_id": "sse-1"}, ADMIN_TOKEN)
    last = stage.get("/telemetry/snapshot").json()["seq"]
    stage.post({"name": "snapshot_save", "args": ["sse"], "cmd_id": "sse-2"}, ADMIN_TOKEN)

    name, resumed = next(following(stage, since_seq=last))
    _, chosen = next(following(stage, since_seq=0, types="snapshot_saved, agent_exit"))
    lost, gap = next(following(stage, since_seq=10**9))

    assert name == "events"
    assert "sse-1" not in json.dumps(resumed)
    assert {event["event"] for event in chosen["events"]} == {"snapshot_saved"}
    assert (lost, gap["from_seq"]) == ("gap", 0)
    assert stage.get("/events", since_seq=-1).status_code == 422


def test_a_live_server_says_what_it_serves(stage: Stage) -> None:
    (row,) = stage.http.get(f"{stage.base_url}/api/v1/worlds").json()["worlds"]
    unknown = stage.http.get(f"{stage.base_url}/api/v1/worlds/atlantis/kpis")

    assert (row["id"], row["run_id"], row["speed"]) == ("townlet", "stage", "pause")
    assert stage.http.get(f"{stage.base_url}/api/live").json() == {"address": ""}
    assert stage.http.get(f"{stage.base_url}/health").json() == {"status": "ok"}
    assert "diorama_console_executed" in stage.http.get(f"{stage.base_url}/metrics").text
    assert (unknown.status_code, "townlet" in unknown.json()["detail"]) == (404, True)
    assert stage.get("/training").json() == {"run_id": None, "records": []}
    assert stage.http.get(f"{stage.base_url}/api/openapi.json").json() == json.loads(live_openapi_text())


def test_admins_get_the_whole_audit_and_nobody_else(stage: Stage) -> None:
    stage.post({"name": "price", "args": ["meal_cost", 2], "cmd_id": "for-the-audit"}, ADMIN_TOKEN)

    found = stage.get("/audit", ADMIN_TOKEN)
    refused = [stage.get("/audit", token) for token in (None, VIEWER_TOKEN, "a wrong token of somebody")]

    lines = [json.loads(line) for line in found.text.splitlines()]
    assert found.headers["content-type"].startswith("application/x-ndjson")
    assert [line["args"] for line in lines if line["cmd_id"] == "for-the-audit"] == [["meal_cost", 2]]
    assert [answer.status_code for answer in refused] == [403, 403, 401]
    assert all("detail" in answer.json() for answer in refused)


def test_the_front_door_of_a_live_world_leads_to_the_page_operate(stage: Stage) -> None:
    answer = stage.http.get(f"{stage.base_url}/")

    assert (answer.status_code, answer.headers["location"]) == (307, "/operate")
