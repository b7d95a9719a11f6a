"""Single frames as pictures."""

import gzip
import json
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from diorama.engine.venue import open_venue
from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from tests.runs.factories import empty_run, recorded
from tests.server.conftest import LONG
from tests.server.loopback import LoopbackServer, serving


@pytest.fixture
def frames_path(server: LoopbackServer) -> str:
    (entry,) = read_index(open_run(server.run_root, LONG).layout).entries
    return f"/api/runs/{LONG}/replays/{entry.replay_id}/frames"


def test_a_frame_is_drawn_as_its_world_draws_it(client: httpx.Client, frames_path: str) -> None:
    first, last = (client.get(f"{frames_path}/{index}/picture") for index in (0, 699))

    assert first.headers["content-type"] == "image/jpeg"
    pictures = [Image.open(BytesIO(answer.content)) for answer in (first, last)]
    assert {picture.format for picture in pictures} == {"JPEG"}
    assert pictures[0].size == pictures[1].size
    assert first.content != last.content


@pytest.mark.parametrize(
    ("index", "status", "words"),
    [
        pytest.param("700", 404, "there is no frame 700", id="after-the-end"),
        pytest.param("-1", 422, "greater than or equal to 0", id="negative"),
        pytest.param("x", 422, "whole number", id="no-number"),
        pytest.param("9" * 40, 422, "", id="huge"),
    ],
)
def test_a_frame_that_is_not_there_is_told(
    index: str, status: int, words: str, client: httpx.Client, frames_path: str
) -> None:
    answer = client.get(f"{frames_path}/{index}/picture")

    assert answer.status_code == status
    assert words in answer.json()["detail"]


def test_a_frame_that_cannot_be_drawn_is_told(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    entry = recorded(layout, bot="idle", max_steps=3)
    path = layout.resolve(entry.replay_path)
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    lines[1]["render_state"] = {"schema_version": 1}
    path.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))

    with serving(tmp_path) as server:
        answer = httpx.get(f"{server.base_url}/api/runs/a/replays/{entry.replay_id}/frames/1/picture")

    assert answer.status_code == 500
    assert "frame 1" in answer.json()["detail"]
    assert "cannot be drawn" in answer.json()["detail"]


def test_a_frame_that_would_take_long_to_draw_is_refused_at_once(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    town = open_venue("townlet", {"world": {"seats": 1, "population": 1}}, threads=1)
    entry = recorded(layout, bot="scripted", venue=town, max_steps=2)
    path = layout.resolve(entry.replay_path)
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    lines[0]["render_state"]["map"]["zones"][0]["rect"][2] = 2**63
    lines[1]["render_state"]["map"]["zones"][0]["rect"][2] = 10**9
    path.write_bytes(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))

    with serving(tmp_path) as server:
        base = f"{server.base_url}/api/runs/a/replays/{entry.replay_id}/frames"
        answers = [httpx.get(f"{base}/{index}/picture", timeout=10) for index in (0, 1)]

    assert [answer.status_code for answer in answers] == [500, 500]
    assert "numbers lie between" in answers[0].json()["detail"]
