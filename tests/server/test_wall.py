"""A wall of live copies over its socket."""

import json
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import httpx
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from diorama.contracts.spec import Dtype, ObservationField
from diorama.server.wall.pictures import LanePictures
from tests.server.loopback import LoopbackServer, serving
from tests.server.sockets import PATIENCE, closing_code
from tests.server.toy_worlds import ScreenConfig, registered, screen_spec

COPIES = 6


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    with registered(), serving(tmp_path_factory.mktemp("hall"), wall_max=1, wall_max_copies=64) as server:
        yield server


def wall(hall: LoopbackServer, query: str) -> ClientConnection:
    return connect(f"{hall.ws_url}/ws/wall?{query}", max_size=None)


def acknowledge(connection: ClientConnection, message: bytes) -> None:
    with suppress(ConnectionClosed):  # what was sent before the end is read after it
        connection.send(json.dumps({"seen": struct.unpack_from("<I", message)[0]}))


def text(connection: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind; pictures that come before it are acknowledged."""
    while True:
        received = connection.recv(timeout=PATIENCE)
        if isinstance(received, bytes):
            acknowledge(connection, received)
            continue
        message: dict[str, Any] = json.loads(received)
        if message["type"] == kind:
            return message


def picture(connection: ClientConnection) -> bytes:
    while True:
        received = connection.recv(timeout=PATIENCE)
        if isinstance(received, bytes):
            acknowledge(connection, received)
            return received


def test_a_wall_shows_all_copies_first_and_then_what_changes(hall: LoopbackServer) -> None:
    with wall(hall, f"world=screen&copies={COPIES}&rate=60&seed=3") as connection:
        opening = text(connection, "wall")
        messages = [picture(connection) for _ in range(12)]

    assert (opening["copies"], opening["rows"], opening["columns"], opening["bits"]) == (COPIES, 2, 3, 8)
    assert opening["bytes_per_picture"] == 6
    number, steps, changed, _ = struct.unpack_from("<IIHH", messages[0])
    assert (number, steps, changed) == (1, 0, COPIES)
    lanes = [bytes(6)] * COPIES
    for message in messages:
        _, _, changed, _ = struct.unpack_from("<IIHH", message)
        places = np.frombuffer(message, "<u2", changed, 12)
        pictures = np.frombuffer(message, np.uint8, offset=12 + 2 * changed + COPIES).reshape(changed, 6)
        for place, shown in zip(places, pictures, strict=True):
            assert number == 1 or shown.tobytes() != lanes[place]
            lanes[place] = shown.tobytes()
        number += 1
    assert len(set(lanes)) > 1  # every copy presses buttons of its own


def test_ends_are_marked_and_counted(hall: LoopbackServer) -> None:
    with wall(hall, f"world=screen&copies={COPIES}&rate=60&config=%7B%22length%22%3A4%7D") as connection:
        messages = [picture(connection) for _ in range(9)]
        figures = text(connection, "figures")

    steps = [struct.unpack_from("<II", message)[1] for message in messages]
    marks = [
        np.frombuffer(message, np.uint8, COPIES, 12 + 2 * struct.unpack_from("<IIH", message)[2])
        for message in messages
    ]
    # Episodes have four steps, and a message tells of all steps since the one before.
    has_ended = [now // 4 > before // 4 for before, now in pairwise([0, *steps])]
    assert [bool(one.all()) for one in marks] == has_ended
    assert (figures["episodes"] % COPIES, figures["steps"] % COPIES) == (0, 0)
    assert figures["successes"] is None
    assert 0.0 < figures["headline"]["pressed"] <= 4.0
    assert figures["ticks_per_second"] == pytest.approx(figures["steps_per_second"])


def test_one_copy_can_be_looked_at_closely_in_a_pause(hall: LoopbackServer) -> None:
    with wall(hall, f"world=screen&copies={COPIES}&rate=30") as connection:
        text(connection, "wall")
        connection.send(json.dumps({"paused": True, "lane": 2}))
        lane = text(connection, "lane")
        connection.send(json.dumps({"lane": 4}))
        while (other := text(connection, "lane"))["copy"] == 2:
            pass  # what was sent before

    assert (lane["copy"], other["copy"]) == (2, 4)
    assert set(lane) == {"type", "copy", "action", "reward", "return_total", "render_state"}


def test_a_client_that_takes_nothing_is_sent_no_more(hall: LoopbackServer) -> None:
    with wall(hall, "world=screen&copies=2&rate=60&config=%7B%22length%22%3A100%7D") as connection:
        kinds: list[str] = []
        while kinds.count("figures") < 1:
            received = connection.recv(timeout=PATIENCE)
            kinds.append("picture" if isinstance(received, bytes) else json.loads(received)["type"])
        connection.send(json.dumps({"seen": 2}))
        steps = struct.unpack_from("<II", picture(connection))[1]

    assert kinds.count("picture") == 2
    assert steps > 30  # time went on


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        pytest.param("world=nowhere", 404, "no world is called", id="world"),
        pytest.param("copies=4", 422, "world", id="no-world"),
        pytest.param("world=screen&copies=65", 422, "at most 64", id="copies"),
        pytest.param("world=screen&rate=0", 422, "rate", id="rate"),
        pytest.param("world=screen&player=nobody", 404, "there is no run 'nobody'", id="player"),
        pytest.param("world=screen&config=%7B%22size%22%3A1%7D", 422, "there is no such key", id="config"),
        pytest.param("world=screen&config=%7B", 422, "config", id="no-json"),
        pytest.param("world=prospector", 400, "sends no pictures", id="no-pictures"),
        pytest.param("world=toy", 422, "seats", id="seats"),
    ],
)
def test_a_wrong_question_gets_an_error(hall: LoopbackServer, query: str, status: int, words: str) -> None:
    with wall(hall, query) as connection:
        error = text(connection, "error")

        assert (error["status_code"], closing_code(connection)) == (status, 1008)
        assert words in error["detail"]


def test_consoles_hang_on_a_wall_with_half_of_their_pixels(hall: LoopbackServer) -> None:
    with wall(hall, "world=gameboy&copies=4&rate=30") as connection:
        opening = text(connection, "wall")
        connection.send(json.dumps({"lane": 3}))
        lane = text(connection, "lane")

    assert (opening["rows"], opening["columns"], opening["bits"], opening["bytes_per_picture"]) == (72, 80, 2, 1440)
    assert (lane["copy"], lane["render_state"]["rom"]) == (3, "GRID_GOAL")


@pytest.mark.parametrize(
    "config", [{"rom": "/etc/passwd"}, {"goal": "somewhere"}, {"kind": "gb_tasks", "task": "a.yaml"}]
)
def test_nobody_names_a_file_of_the_server_from_afar(hall: LoopbackServer, config: dict[str, str]) -> None:
    with wall(hall, f"world=gameboy&config={quote(json.dumps(config))}") as connection:
        error = text(connection, "error")
    answer = httpx.post(f"{hall.base_url}/api/play/session", json={"world": "gameboy", "config": config})

    assert (error["status_code"], answer.status_code) == (422, 422)
    assert "a file that does not come with the world" in error["detail"]
    assert error["detail"] == answer.json()["detail"]


def test_a_copy_that_does_not_exist_is_refused(hall: LoopbackServer) -> None:
    with wall(hall, "world=screen&copies=4") as connection:
        connection.send(json.dumps({"lane": 4}))
        error = text(connection, "error")

    assert error["status_code"] == 422
    assert "0..3" in error["detail"]


def test_there_are_only_so_many_walls(hall: LoopbackServer) -> None:
    with wall(hall, "world=screen") as first:
        text(first, "wall")
        with wall(hall, "world=screen") as second:
            error = text(second, "error")

    assert (error["status_code"], "1 wall streams are open" in error["detail"]) == (429, True)


def field(name: str, shape: tuple[int, ...], high: float) -> LanePictures:
    item = ObservationField(name=name, start=0, shape=shape, dtype=Dtype.UINT8, high=high, meaning="it")
    return LanePictures.of(replace(screen_spec(ScreenConfig()), observation=(item,)))


def test_shades_are_packed_and_the_newest_of_a_stack_is_shown() -> None:
    pictures = field("shade_half", (2, 1, 8), 3.0)
    rows = np.array([[0] * 8 + [0, 1, 2, 3, 3, 3, 3, 3]], np.uint8)

    assert (pictures.rows, pictures.columns, pictures.bits) == (1, 8, 2)
    assert pictures.take(rows).tolist() == [[0b11100100, 0xFF]]


def test_large_pictures_are_halved() -> None:
    pictures = field("shade_full", (144, 160), 3.0)
    rows = np.zeros((1, 144, 160), np.uint8)
    rows[:, ::2, ::2] = 2

    assert (pictures.rows, pictures.columns) == (72, 80)
    assert set(pictures.take(rows.reshape(1, -1)).tolist()[0]) == {0b10101010}


def test_packed_pictures_go_as_they_are() -> None:
    pictures = field("packed2", (2, 72, 20), 255.0)
    rows = np.arange(2880, dtype=np.uint16).astype(np.uint8).reshape(1, -1)

    assert (pictures.rows, pictures.columns, pictures.bits) == (72, 80, 2)
    assert (pictures.take(rows) == rows[:, 1440:]).all()
