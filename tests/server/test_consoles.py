"""Consoles over HTTP and over their sockets, on a real server with real machines."""

import asyncio
import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from diorama.contracts.errors import ConfigError
from diorama.server.consoles.outbox import PAUSED, Outbox
from diorama.server.consoles.service import ConsoleService, Shot
from diorama.server.models.consoles import OpenConsole
from diorama.server.play.errors import SessionUnknown
from diorama.server.settings import read_settings
from diorama.worlds import registry
from diorama.worlds.entries import ENTRIES, Entry
from diorama.worlds.gameboy.console import CONSOLES
from diorama.worlds.gameboy.roms.catalogue import assemble
from tests.server.loopback import LoopbackServer, serving
from tests.server.play_factories import ManualClock
from tests.server.sockets import PATIENCE, closing

WORLD = "cabinet"
ENTERED = Entry("tests.server.console_registration", "cabinet-v1", "Press buttons.")
GAME = "CATCH"
PICTURE_BYTES = 144 * 160 // 4
RIGHT = 1


@pytest.fixture(scope="module")
def roms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game that runs, one that needs another mapper, and one that is damaged."""
    folder = tmp_path_factory.mktemp("roms")
    game = assemble(GAME)
    (folder / "caught.gb").write_bytes(game)
    (folder / "damaged.gb").write_bytes(game[:0x134] + b"X" + game[0x135:])
    return folder


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, roms: Path) -> Iterator[LoopbackServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENTRIES, WORLD, ENTERED)
        with serving(tmp_path_factory.mktemp("hall"), roms_root=roms, console_max_sessions=4) as server:
            yield server
        registry.load_world.cache_clear()


@pytest.fixture
def client(hall: LoopbackServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=hall.base_url, timeout=PATIENCE) as opened:
        yield opened


@pytest.fixture
def session(client: httpx.Client) -> Iterator[str]:
    session_id = switched_on(client)
    yield session_id
    client.delete(f"/api/consoles/session/{session_id}")


def switched_on(client: httpx.Client, program: str = GAME) -> str:
    answer = client.post("/api/consoles/session", json={"world": WORLD, "program": program})
    assert answer.status_code == 200, answer.text
    session_id: str = answer.json()["session_id"]
    return session_id


def socket(hall: LoopbackServer, session_id: str, query: str = "?paused=true") -> ClientConnection:
    return connect(f"{hall.ws_url}/ws/consoles/session/{session_id}{query}", max_size=None)


def shown(connection: ClientConnection, *, is_acknowledged: bool = True) -> tuple[int, int, int, bytes]:
    """Return frame count, keys, flags and picture of the next message."""
    received = connection.recv(timeout=PATIENCE)
    assert isinstance(received, bytes), received
    number, frame_count, keys, flags, _ = struct.unpack_from("<IIBBH", received)
    if is_acknowledged:
        connection.send(json.dumps({"seen": number}))
    return frame_count, keys, flags, received[12:]


def error_of(connection: ClientConnection) -> tuple[dict[str, Any], int]:
    received = connection.recv(timeout=PATIENCE)
    while isinstance(received, bytes):
        received = connection.recv(timeout=PATIENCE)
    code, more = closing(connection)
    assert more == []
    return json.loads(received), code


def test_the_consoles_say_what_they_are_like(client: httpx.Client) -> None:
    (row,) = [row for row in client.get("/api/consoles").json()["consoles"] if row["world"] == WORLD]

    assert row["keys"] == ["right", "left", "up", "down", "a", "b", "select", "start"]
    assert (row["rows"], row["columns"], row["has_folder"]) == (144, 160, True)
    assert 1 / row["frame_seconds"] == pytest.approx(59.7275, abs=1e-4)


def test_programs_are_listed_with_what_hinders_them(client: httpx.Client) -> None:
    programs = client.get(f"/api/consoles/{WORLD}/programs").json()["programs"]
    by_id = {row["id"]: row for row in programs}

    assert by_id["caught.gb"] == {
        "id": "caught.gb",
        "title": "CATCH",
        "source": "folder",
        "hardware": "no mapper",
        "size_bytes": 0x8000,
        "about": "",
        "supported": True,
        "problem": None,
        "config": None,
    }
    assert (by_id["damaged.gb"]["supported"], "checksum" in by_id["damaged.gb"]["problem"]) == (False, True)
    assert [by_id[name]["source"] for name in ("KEYDOOR", "JOY_ECHO")] == ["game", "test"]
    assert by_id["CATCH"]["config"]["rom"] == "CATCH"
    assert client.get("/api/consoles/nowhere/programs").status_code == 404


@pytest.mark.parametrize(
    ("program", "status", "words"),
    [
        pytest.param("TETRIS", 404, "there is no ROM 'TETRIS'", id="unknown"),
        pytest.param("../caught.gb", 404, "there is no ROM", id="outside"),
        pytest.param("damaged.gb", 400, "checksum", id="damaged"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_reason(
    client: httpx.Client, program: str, status: int, words: str
) -> None:
    answer = client.post("/api/consoles/session", json={"world": WORLD, "program": program})

    assert answer.status_code == status
    assert words in answer.json()["detail"]


def test_frames_run_one_by_one_with_the_keys_that_are_held(
    hall: LoopbackServer, session: str, client: httpx.Client
) -> None:
    twin = CONSOLES.open(GAME, None)
    with socket(hall, session) as connection:
        frame_count, keys, flags, _ = shown(connection)
        assert (frame_count, keys, flags) == (0, 0, PAUSED)
        for held, frames in ((0, 60), (RIGHT, 1), (RIGHT, 7)):
            connection.send(json.dumps({"keys": held, "frames": frames}))
            twin.run(held, frames)
            frame_count, keys, _, picture = shown(connection)
            assert (frame_count, keys) == (twin.frame_count, held)
            assert picture in (b"", twin.picture())
    assert client.get(f"/api/consoles/session/{session}").json()["frame_count"] == 68


def test_time_passes_at_the_pace_of_the_machine_and_unchanged_pictures_are_not_sent(
    hall: LoopbackServer, client: httpx.Client
) -> None:
    session = switched_on(client, "ALU_LOOP")  # its screen stays off
    with socket(hall, session, "?speed=8") as connection:
        first, *rest = [shown(connection) for _ in range(4)]
    client.delete(f"/api/consoles/session/{session}")

    assert len(first[3]) == PICTURE_BYTES
    assert all(picture == b"" for *_, picture in rest)
    counts = [first[0], *(count for count, *_ in rest)]
    assert counts == sorted(set(counts))


def test_a_client_that_looks_away_sees_the_newest_picture_when_it_looks_again(
    hall: LoopbackServer, session: str, client: httpx.Client
) -> None:
    with socket(hall, session, "?speed=16") as connection:
        before = [shown(connection, is_acknowledged=False)[0] for _ in range(3)]
        while client.get(f"/api/consoles/session/{session}").json()["frame_count"] < 400:
            pass  # time goes on without it
        connection.send(json.dumps({"seen": 3}))
        after = shown(connection)[0]

    assert max(before) < 300
    assert after >= 400


def test_a_tap_between_two_frames_is_not_lost(hall: LoopbackServer, client: httpx.Client) -> None:
    session = switched_on(client, "JOY_ECHO")
    with socket(hall, session) as connection:
        shown(connection)
        connection.send(json.dumps({"keys": RIGHT}))
        connection.send(json.dumps({"keys": 0}))
        connection.send(json.dumps({"frames": 1}))
        _, pressed, _, _ = shown(connection)
        connection.send(json.dumps({"frames": 1}))
        _, released, _, _ = shown(connection)
    client.delete(f"/api/consoles/session/{session}")

    assert (pressed, released) == (RIGHT, 0)


def test_a_state_is_saved_and_loaded_and_shown_at_once(
    hall: LoopbackServer, session: str, client: httpx.Client
) -> None:
    url = f"/api/consoles/session/{session}/savestate"
    with socket(hall, session) as connection:
        shown(connection)
        connection.send(json.dumps({"frames": 90}))
        shown(connection)
        saved = client.get(url)
        connection.send(json.dumps({"frames": 200}))
        shown(connection)
        loaded = client.post(url, content=saved.content)
        frame_count, _, _, picture = shown(connection)

    assert saved.content.startswith(b"GBST")
    assert saved.headers["content-disposition"] == 'attachment; filename="CATCH-90.gbst"'
    assert (loaded.status_code, loaded.json()["frame_count"], frame_count) == (200, 90, 90)
    assert len(picture) == PICTURE_BYTES
    assert client.get(url).content == saved.content


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(lambda data: b"", "0 bytes", id="empty"),
        pytest.param(lambda data: b"NOPE" + data[4:], "GBST", id="other-file"),
        pytest.param(lambda data: data[:-1], "hashes to", id="cut-short"),
    ],
)
def test_a_file_that_is_no_state_of_the_program_is_refused_and_changes_nothing(
    client: httpx.Client, session: str, spoil: Any, words: str
) -> None:
    url = f"/api/consoles/session/{session}/savestate"
    saved = client.get(url).content

    answer = client.post(url, content=spoil(saved))

    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert client.get(url).content == saved


def test_a_state_of_another_program_is_refused(client: httpx.Client, session: str) -> None:
    other = switched_on(client, "KEYDOOR")
    foreign = client.get(f"/api/consoles/session/{other}/savestate").content
    client.delete(f"/api/consoles/session/{other}")

    answer = client.post(f"/api/consoles/session/{session}/savestate", content=foreign)

    assert answer.status_code == 422
    assert "the ROM in use is" in answer.json()["detail"]


def test_a_restart_begins_anew_and_is_shown(hall: LoopbackServer, session: str, client: httpx.Client) -> None:
    with socket(hall, session) as connection:
        shown(connection)
        connection.send(json.dumps({"frames": 100}))
        shown(connection)
        answer = client.post(f"/api/consoles/session/{session}/restart")
        assert (answer.json()["frame_count"], shown(connection)[0]) == (0, 0)


def test_one_can_look_inside(hall: LoopbackServer, session: str, client: httpx.Client) -> None:
    with socket(hall, session) as connection:
        shown(connection)
        connection.send(json.dumps({"frames": 30}))
        shown(connection)
        seen = client.get(f"/api/consoles/session/{session}/inspection").json()

    registers = {row["name"]: row["value"] for row in seen["registers"]}
    (following,) = [line for line in seen["lines"] if line["is_next"]]
    assert (seen["frame_count"], following["address"]) == (30, registers["PC"])
    assert (len(seen["objects"]), seen["tiles"]["rows"], seen["tiles"]["columns"]) == (40, 192, 128)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param('{"keys": 256}', "less than or equal to 255", id="keys"),
        pytest.param('{"speed": 99}', "less than or equal to 16", id="speed"),
        pytest.param('{"frames": 0}', "greater than or equal to 1", id="frames"),
        pytest.param('{"jump": 1}', "no such key", id="unknown"),
        pytest.param("{", "JSON", id="no-json"),
        pytest.param(b"\1", "sent as text", id="binary"),
    ],
)
def test_a_wrong_command_gets_an_error_and_a_closing_code(
    hall: LoopbackServer, session: str, client: httpx.Client, command: str | bytes, words: str
) -> None:
    with socket(hall, session) as connection:
        connection.send(command)
        error, code = error_of(connection)

    assert (error["type"], error["status_code"], code) == ("error", 422, 1008)
    assert words in error["detail"]
    assert client.get(f"/api/consoles/session/{session}").status_code == 200


def test_the_newest_socket_takes_over(hall: LoopbackServer, session: str) -> None:
    with socket(hall, session) as first:
        shown(first)
        with socket(hall, session) as second:
            shown(second)
            error, code = error_of(first)
            assert (error["status_code"], code) == (409, 1008)


def test_there_are_only_so_many_consoles(client: httpx.Client) -> None:
    opened = [switched_on(client) for _ in range(4)]
    refused = client.post("/api/consoles/session", json={"world": WORLD, "program": GAME})
    for session_id in opened:
        assert client.delete(f"/api/consoles/session/{session_id}").json()["deleted"] is True

    assert refused.status_code == 429
    assert "4 play sessions are open" in refused.json()["detail"]
    assert client.get(f"/api/consoles/session/{opened[0]}").status_code == 404


def test_a_console_that_is_left_alone_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENTRIES, WORLD, ENTERED)
    clock = ManualClock()

    async def leave_it_alone() -> None:
        service = ConsoleService(None, limit=1, idle_seconds=60, clock=clock)
        try:
            state = await service.open(OpenConsole(world=WORLD, program=GAME))
            clock.at_seconds += 61
            with pytest.raises(SessionUnknown):
                await service.state(state.session_id)
            await service.open(OpenConsole(world=WORLD, program=GAME))  # there is room again
        finally:
            await service.close()

    asyncio.run(leave_it_alone())


def test_a_folder_of_roms_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^DIORAMA_ROMS_ROOT: .*absent.* is wrong; .*it is no folder$"):
        read_settings(roms_root=tmp_path / "absent")


def shot(picture: bytes, frame_count: int) -> Shot:
    return Shot(picture=picture, frame_count=frame_count, is_trapped=False)


def test_an_outbox_keeps_the_newest_picture_and_drops_the_rest() -> None:
    outbox = Outbox()
    sent = []
    for frame in range(10):
        outbox.offer(shot(bytes([frame]), frame), 0, is_paused=False)
        sent.append(outbox.take())

    outbox.see(1)
    late = outbox.take()

    assert [message is not None for message in sent] == [True] * 3 + [False] * 7
    assert late is not None
    assert (struct.unpack_from("<II", late), late[12:]) == ((4, 9), bytes([9]))
    assert outbox.take() is None


def test_an_outbox_tells_now_and_then_that_nothing_changes() -> None:
    outbox = Outbox()
    sizes = []
    for frame in range(31):
        outbox.offer(shot(b"same", frame), 0, is_paused=False)
        message = outbox.take()
        if message is not None:
            sizes.append((frame, len(message)))
            outbox.see(frame)

    assert sizes == [(0, 16), (15, 12), (30, 12)]


def test_an_outbox_tells_every_frame_that_is_run_by_hand() -> None:
    outbox = Outbox()
    sizes = []
    for frame in range(3):
        outbox.offer(shot(b"same", frame), 0, is_paused=True)
        message = outbox.take()
        sizes.append(None if message is None else len(message))
        outbox.see(frame + 1)

    assert sizes == [16, 12, 12]
