"""No request without a valid admin token changes anything, and no token ever leaves."""

import gzip
import json
import logging
from typing import Any

import httpx
import pytest

from tests.server.live.drills import drills
from tests.server.live.stage import ADMIN_TOKEN, VIEWER_TOKEN, Stage, bearer, every_route
from tests.server.sockets import closing

CHANGES = [drill for drill in drills("nobody") if drill.name not in ("help", "noop")]
INTRUDERS: list[Any] = [
    pytest.param({}, id="nobody"),
    pytest.param(bearer("a wrong token"), id="wrong-token"),
    pytest.param(bearer(VIEWER_TOKEN), id="viewer"),
]
DISGUISES: list[Any] = [
    pytest.param({"Authorization": ""}, 401, id="empty"),
    pytest.param({"Authorization": "Bearer"}, 401, id="no-token"),
    pytest.param(bearer(ADMIN_TOKEN[:-1]), 401, id="short-token"),
    pytest.param({"Authorization": f"Basic {ADMIN_TOKEN}"}, 401, id="wrong-scheme"),
    pytest.param({"Authorization": ADMIN_TOKEN}, 401, id="no-scheme"),
    pytest.param({"X-Token": ADMIN_TOKEN, "Cookie": f"token={ADMIN_TOKEN}"}, 403, id="wrong-place"),
]


@pytest.mark.parametrize("headers", INTRUDERS)
def test_no_route_lets_an_intruder_change_anything(stage: Stage, headers: dict[str, str]) -> None:
    before, bodies = (
        stage.fingerprint(),
        [
            {"name": drill.name, "args": list(drill.args), "kwargs": drill.kwargs, "cmd_id": f"i-{drill.name}"}
            for drill in CHANGES
        ],
    )

    for method, address in every_route(stage):
        if address.endswith("/events"):
            continue  # a stream that takes nothing
        for body in bodies if method == "POST" and address.endswith("/console") else [{}, {"name": "stolen"}]:
            answer = stage.http.request(method, address, headers=headers, json=None if method == "GET" else body)
            assert method == "GET" or answer.status_code >= 400 or answer.json()["name"] != "snapshot_save"
            assert answer.status_code != 500
            assert "Traceback" not in answer.text
        for wrong in ("PUT", "DELETE", "PATCH"):
            assert stage.http.request(wrong, address, headers=headers).status_code in (401, 404, 405)
    for page in ("/", "/operate", "/api/openapi.json", "/assets/none.js"):  # what the document does not list
        for wrong in ("POST", "PUT", "DELETE", "PATCH"):
            assert stage.http.request(wrong, stage.base_url + page, headers=headers).status_code in (404, 405)

    assert stage.fingerprint() == before


@pytest.mark.parametrize("origin", ["http://localhost:5173", "http://127.0.0.1:3000"])
def test_a_page_of_this_machine_is_no_operator(stage: Stage, origin: str) -> None:
    before = stage.fingerprint()
    command = {"name": "pause", "args": [], "kwargs": {}, "cmd_id": "page"}
    console = next(address for _, address in every_route(stage) if address.endswith("/console"))

    asked = [
        stage.http.post(console, json=command, headers=bearer(ADMIN_TOKEN) | {"Origin": origin}),
        stage.http.options(console, headers={"Origin": origin, "Access-Control-Request-Method": "POST"}),
        stage.http.get(stage.base_url + "/", headers={"Origin": origin}),
    ]

    assert [answer.status_code for answer in asked] == [403, 403, 403]
    assert not [name for answer in asked for name in answer.headers if name.startswith("access-control")]
    assert stage.fingerprint() == before


@pytest.mark.parametrize(("headers", "status"), DISGUISES)
def test_a_token_counts_only_where_it_belongs(stage: Stage, headers: dict[str, str], status: int) -> None:
    before = stage.fingerprint()
    envelope = {"name": "speed", "args": ["max"], "cmd_id": "disguised"}

    answer = stage.http.post(f"{stage.address}/console", json=envelope, headers=headers)

    assert answer.status_code == status
    assert stage.fingerprint() == before


def test_a_token_in_an_address_or_a_body_opens_nothing(stage: Stage) -> None:
    before = stage.fingerprint()
    envelope = {"name": "speed", "args": ["max"], "cmd_id": "address"}

    in_address = stage.http.post(f"{stage.address}/console?token={ADMIN_TOKEN}", json=envelope)
    in_body = stage.http.post(f"{stage.address}/console", json={**envelope, "token": ADMIN_TOKEN})
    as_role = stage.http.post(f"{stage.address}/console", json={**envelope, "role": "admin", "issuer": "olga"})

    assert (in_address.status_code, in_address.json()["error"]["reason"]) == (401, "token_in_address")
    assert (in_body.status_code, as_role.status_code) == (400, 400)
    assert ADMIN_TOKEN not in in_address.text + in_body.text
    assert stage.fingerprint() == before


@pytest.mark.parametrize(
    ("token", "first"),
    [
        pytest.param(None, None, id="nobody"),
        pytest.param(None, {"type": "auth", "token": VIEWER_TOKEN}, id="viewer-in-message"),
        pytest.param(VIEWER_TOKEN, None, id="viewer-in-header"),
    ],
)
def test_no_socket_lets_an_intruder_change_anything(stage: Stage, token: str | None, first: Any) -> None:
    before = stage.fingerprint()
    admins = [drill for drill in CHANGES if stage.runtime.desk.catalogue.entries[drill.name].command.role == "admin"]

    with stage.socket("operator", token) as socket:
        for message in [] if first is None else [first]:
            socket.send(json.dumps(message))
        for drill in admins:
            payload = {"name": drill.name, "args": list(drill.args), "kwargs": drill.kwargs, "cmd_id": drill.name}
            socket.send(json.dumps({"type": "command", "payload": payload}))
        told = (json.loads(text) for text in socket)
        results = (message["payload"] for message in told if message["type"] == "result")
        codes = {answer["error"]["code"] for _, answer in zip(admins, results, strict=False)}

    assert codes == {"forbidden"}
    assert stage.fingerprint() == before


@pytest.mark.parametrize("token", [None, ADMIN_TOKEN], ids=["nobody", "admin"])
def test_who_only_watches_can_command_nothing_whatever_their_token(stage: Stage, token: str | None) -> None:
    before = stage.fingerprint()
    payload = {"name": "speed", "args": ["max"], "cmd_id": "from-a-spectator"}

    with stage.socket("telemetry", token) as socket:
        socket.send(json.dumps({"type": "command", "payload": payload}))
        code, told = closing(socket)

    assert code == 1008
    assert not [text for text in told if "from-a-spectator" in text]
    assert stage.fingerprint() == before


def test_failed_attempts_are_audited_and_counted(stage: Stage) -> None:
    before = stage.runtime.desk.health()["failed_attempts"]

    answer = stage.post({"name": "speed", "args": ["max"], "cmd_id": "a"}, "somebody's wrong token")

    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] == "unauthorized"
    assert stage.runtime.desk.health()["failed_attempts"] == before + 1
    line = stage.audit[-1]
    assert (line["error_code"], line["client"], line["args"]) == ("unauthorized", "127.0.0.1", [])


def test_no_token_is_ever_written_down_or_told(strict_stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    stage, heard = strict_stage, []

    with stage.socket("telemetry", VIEWER_TOKEN) as spectator, stage.socket("operator", ADMIN_TOKEN) as operator:
        for payload in (
            {"name": "announce_story", "args": [f"psst: {ADMIN_TOKEN}"], "cmd_id": "1"},
            {"name": "price", "args": ["meal_cost", 2], "cmd_id": "2", "metadata": {"token": VIEWER_TOKEN}},
            {"name": "price", "args": ["meal_cost", 3], "cmd_id": "3", "metadata": {"password": "a-secret"}},
        ):
            operator.send(json.dumps({"type": "command", "payload": payload}))
        heard.append(stage.post({"name": "rivalry_dump", "args": [ADMIN_TOKEN], "cmd_id": ADMIN_TOKEN}, VIEWER_TOKEN))
        heard.append(stage.post({"name": "noop"}, ADMIN_TOKEN + "x"))
        heard.append(stage.http.get(f"{stage.address}/kpis?access_token={ADMIN_TOKEN}"))
        heard.append(stage.post({"name": "snapshot_save", "args": ["leaky"], "cmd_id": "4"}, ADMIN_TOKEN))
        heard.append(stage.get("/telemetry/snapshot", VIEWER_TOKEN))
        heard.append(httpx.get(f"{stage.base_url}/metrics"))
        operator.send(json.dumps({"type": "auth", "token": ADMIN_TOKEN}))
        streamed = [*closing(operator)[1], str(spectator.recv(timeout=20)), str(spectator.recv(timeout=20))]
    stage.runtime.stop()
    stage.runtime.join(30)

    written = [path for path in stage.root.rglob("*") if path.is_file()]
    texts = [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in written]
    # The clients of this test are in the same process, and log what they send.
    logged = [record.getMessage() for record in caplog.records if record.name.startswith(("diorama", "uvicorn"))]
    told = b"\n".join(texts) + "\n".join([*logged, *streamed, *(answer.text for answer in heard[1:])]).encode()
    assert {path.name for path in written} >= {"commands.jsonl", "leaky.json.gz"}
    assert b"meal_cost" in told
    for secret in (ADMIN_TOKEN, VIEWER_TOKEN, "a-secret"):
        at = told.find(secret.encode())
        assert at < 0, told[max(0, at - 200) : at + 40]
