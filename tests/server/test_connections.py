"""What one connection can make the server wait for, and hold."""

import asyncio
import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
from fastapi import FastAPI, Request, Response, WebSocket
from websockets.sync.client import connect

from diorama.server import connections
from diorama.server.serving import listen
from diorama.server.streams import OpenStreams
from tests.server.loopback import Announcing

PATIENCE = 30
SOON = 0.2
LARGE = 32 << 20  # more than the buffers of both ends take


def bare_app() -> FastAPI:
    app = FastAPI()

    @app.post("/body")
    async def body(request: Request) -> int:
        return len(await request.body())

    @app.get("/slow")
    async def slow() -> str:
        await asyncio.sleep(3 * SOON)
        return "done"

    @app.get("/large")
    async def large() -> Response:
        return Response(bytes(LARGE))

    @app.get("/mistake")
    async def mistake() -> float:
        return 1 / 0

    @app.websocket("/echo")
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(await socket.receive_text())

    return app


@pytest.fixture(scope="module")
def server() -> Iterator[Announcing]:
    """A server with a few plain endpoints."""
    opened = listen("127.0.0.1", 0)
    server = Announcing(bare_app(), OpenStreams(limits={}))
    thread = Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
    thread.start()
    assert server.is_up.wait(PATIENCE)
    yield server
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture
def port(server: Announcing) -> int:
    """Where it answers."""
    number: int = server.servers[0].sockets[0].getsockname()[1]
    return number


@contextmanager
def connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        yield client


def all_of(client: socket.socket) -> bytes:
    """Return what comes until the server closes; a reset ends it as well."""
    parts = []
    try:
        while part := client.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"GET /" + b"a" * (1 << 20), id="address"),
        pytest.param(b"GET /slow HTTP/1.1\r\nHost: x\r\nA: " + b"a" * (1 << 20), id="header"),
        pytest.param(b"GET /slow HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * (1 << 17), id="headers"),
        pytest.param(b"GET /slow HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 100_000 + b"\r\n\r\n", id="whole-header"),
        pytest.param(b"GET /slow HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 15_000 + b"\r\n", id="whole-headers"),
        pytest.param(b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", id="whole-address"),
    ],
)
def test_address_and_headers_are_read_up_to_a_size(head: bytes, port: int) -> None:
    with connected(port) as client:
        with suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(head)
        answer = all_of(client)

    assert answer.startswith(b"HTTP/1.1 431 ")
    assert b"X-Content-Type-Options: nosniff" in answer
    assert b"more than 65536 bytes" in answer


def test_what_is_no_request_is_refused_like_any_other_mistake(port: int) -> None:
    with connected(port) as client:
        client.sendall(b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n")
        answer = all_of(client)

    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"X-Frame-Options: DENY" in answer
    assert answer.endswith(b'{"detail": "the request is no HTTP"}')


def test_strangers_cannot_fill_the_log_and_mistakes_of_ours_are_in_it(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    for sent in (
        b"no request\r\n\r\n",
        b"GET /none HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    ):
        with connected(port) as client:
            client.sendall(sent)
            client.recv(1 << 16)
    assert caplog.text == ""

    with connected(port) as client:
        client.sendall(b"GET /mistake HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        all_of(client)

    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\r\n", id="empty-lines"),
        pytest.param(b"GET /slow HTTP/1.1\r\nHost: x\r\nA", id="half-a-head"),
        pytest.param(b"POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1", id="half-a-body"),
        pytest.param(b"GET /none HTTP/1.1\r\nHost: x\r\n\r\nGET /sl", id="half-a-second"),
    ],
)
def test_a_request_that_does_not_arrive_is_not_waited_for(
    sent: bytes, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SOON)

    with connected(port) as client:
        client.sendall(sent)
        all_of(client)  # ends


def test_empty_lines_do_not_keep_an_idle_connection(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SOON)

    with connected(port) as client:
        client.sendall(b"GET /none HTTP/1.1\r\nHost: x\r\n\r\n")
        client.recv(1 << 16)
        client.sendall(b"\r\n")
        all_of(client)  # ends


def test_an_answer_may_take_longer_than_its_question(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SOON)

    with connected(port) as client:
        client.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        answer = all_of(client)

    assert answer.endswith(b'"done"')


def test_a_socket_may_be_silent_for_longer_than_a_question(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", SOON)

    with connect(f"ws://127.0.0.1:{port}/echo") as client:
        with pytest.raises(TimeoutError):
            client.recv(timeout=3 * SOON)
        client.send("still here")

        assert client.recv(timeout=PATIENCE) == "still here"


def test_who_does_not_take_an_answer_is_let_go(server: Announcing, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKING_SECONDS", SOON)

    with connected(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        taken = client.recv(1)
        deadline = time.monotonic() + PATIENCE
        while server.server_state.connections and time.monotonic() < deadline:
            time.sleep(SOON / 10)
        taken += all_of(client)

    assert len(taken) < LARGE


def test_who_takes_an_answer_slowly_gets_all_of_it(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKING_SECONDS", SOON)
    monkeypatch.setattr(connections, "TAKEN_BYTES", 1)
    taken = 0

    with connected(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        while part := client.recv(1 << 20):
            taken += len(part)
            select.select([], [], [], SOON / 10)

    assert taken > LARGE


def test_answers_wait_up_to_a_size_in_all(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_WAITING_BYTES", LARGE // 4)

    with connected(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        taken = all_of(client)

    assert len(taken) < LARGE
