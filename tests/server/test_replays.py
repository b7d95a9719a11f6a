"""Replays and pages of frames over HTTP."""

import gzip
import json
from pathlib import Path

import httpx
import pytest

from diorama.runs.replays.index import read_index
from diorama.runs.run import open_run
from diorama.server.models.frames import FramePage
from diorama.server.models.replays import ReplayDetail, ReplayList
from tests.runs.factories import empty_run, recorded
from tests.server.conftest import LONG, TRAINED
from tests.server.loopback import LoopbackServer, serving


@pytest.fixture
def long_replay(server: LoopbackServer) -> tuple[str, list[object]]:
    """The path of a replay of three members, and its frames as any tool would read them."""
    layout = open_run(server.run_root, LONG).layout
    (entry,) = read_index(layout).entries
    lines = gzip.decompress(layout.resolve(entry.replay_path).read_bytes()).splitlines()
    return f"/api/runs/{LONG}/replays/{entry.replay_id}", [json.loads(line) for line in lines]


def test_replays_are_listed_newest_first(client: httpx.Client) -> None:
    listing = ReplayList.model_validate_json(client.get(f"/api/runs/{TRAINED}/replays").content)

    assert [entry.window_id for entry in listing.replays] == [3, 1]
    assert (listing.count, listing.index_path) == (2, "replay_index.json")


def test_replays_are_filtered_by_tags_and_window(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "a")
    for window, seed in ((0, 7), (1, 8), (2, 9)):
        recorded(layout, bot="idle", max_steps=3 - window, window_id=window, seed=seed)
    recorded(layout, bot="cash_out", max_steps=1, window_id=2, milestones={"survival": [1.0]})

    def windows(**query: str | int) -> list[int]:
        found = client.get("/api/runs/a/replays", params=query).json()["replays"]
        return [entry["window_id"] for entry in found]

    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url) as client:
        assert windows() == [2, 2, 1, 0]
        assert windows(limit=3) == [2, 2, 1]
        assert windows(tag="every_window") == [2, 2, 1, 0]
        assert windows(tag="every") == []
        assert windows(tag="milestone:survival:1") == [2]
        assert windows(tags_any="milestone:survival:1, nothing") == [2]
        assert windows(tags_all="milestone:survival:1,every_window") == [2]
        assert windows(tags_all="milestone:survival:1,nothing") == []
        assert windows(tags_any=",") == [2, 2, 1, 0]
        assert windows(window_id=1) == [1]
        assert windows(window_id=1, tag="nothing") == []


def test_a_run_without_replays_has_none(tmp_path: Path) -> None:
    empty_run(tmp_path, "a")

    with serving(tmp_path) as server:
        listing = httpx.get(f"{server.base_url}/api/runs/a/replays").json()

    assert listing == {"run_id": "a", "index_path": None, "count": 0, "replays": []}


def test_a_replay_is_shown_with_what_is_known_about_it(
    client: httpx.Client, long_replay: tuple[str, list[object]]
) -> None:
    path, frames = long_replay

    detail = ReplayDetail.model_validate_json(client.get(path).content)

    assert detail.replay.replay_id == detail.meta.replay_id
    assert detail.meta.frame_count == len(frames) == 700
    assert detail.meta.policy is not None
    assert detail.meta.policy.name == "idle"


def test_an_unknown_replay_is_told_with_the_newest(client: httpx.Client) -> None:
    for path in ("", "/frames"):
        answer = client.get(f"/api/runs/{TRAINED}/replays/replay-000009-00000000{path}")

        assert answer.status_code == 404
        assert "the newest are: replay-000003-" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("offset", "limit", "expected"),
    [
        pytest.param(0, 256, range(256), id="first-member"),
        pytest.param(250, 12, range(250, 262), id="across-members"),
        pytest.param(0, 5000, range(700), id="everything"),
        pytest.param(699, 1, range(699, 700), id="last"),
        pytest.param(690, 256, range(690, 700), id="to-the-end"),
        pytest.param(700, 10, range(0), id="after-the-end"),
        pytest.param(10**30, 10, range(0), id="far-beyond"),
    ],
)
def test_a_page_is_a_slice_of_the_whole(
    offset: int, limit: int, expected: range, client: httpx.Client, long_replay: tuple[str, list[object]]
) -> None:
    path, frames = long_replay

    answer = client.get(f"{path}/frames", params={"offset": offset, "limit": limit})
    page = answer.json()

    assert FramePage.model_validate_json(answer.content).count == len(expected)
    assert page["frames"] == [frames[index] for index in expected]
    assert (page["offset"], page["next_offset"]) == (offset, offset + len(expected))
    assert page["has_more"] == (offset + len(expected) < 700)


def test_following_next_offset_gives_the_whole_replay(
    client: httpx.Client, long_replay: tuple[str, list[object]]
) -> None:
    path, frames = long_replay
    gathered: list[object] = []

    offset, has_more = 0, True
    while has_more:
        page = client.get(f"{path}/frames", params={"offset": offset, "limit": 99}).json()
        gathered += page["frames"]
        offset, has_more = page["next_offset"], page["has_more"]

    assert gathered == frames


def test_a_page_ends_early_rather_than_grow_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = recorded(empty_run(tmp_path, "a"), bot="idle", max_steps=20)
    monkeypatch.setattr("diorama.server.reading.frames.PAGE_BYTES", 6000)

    with serving(tmp_path) as server:
        page = httpx.get(f"{server.base_url}/api/runs/a/replays/{entry.replay_id}/frames").json()

    assert 1 <= page["count"] < 20
    assert page["has_more"]
    assert page["next_offset"] == page["count"]
