"""Whatever lies on the disk, the server says what is wrong, reads nothing outside, and goes on."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from tests.runs.factories import empty_run, recorded
from tests.server.loopback import serving

SECRET = "a line of somebody else's file"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file beside the root."""
    path = tmp_path / "secret.json"
    path.write_text(SECRET)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def layout(root: Path) -> RunLayout:
    return empty_run(root, "a")


@pytest.fixture
def entry(layout: RunLayout) -> ReplayEntry:
    return recorded(layout, bot="idle", max_steps=5)


@pytest.fixture
def client(root: Path, entry: ReplayEntry) -> Iterator[httpx.Client]:
    empty_run(root, "healthy")
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=30) as opened:
        yield opened
        # Whatever was broken, the rest of the server is fine.
        rows = {row["run_id"]: row["status"] for row in opened.get("/api/runs").json()["runs"]}
        assert rows["healthy"] == "running"
        assert opened.get("/api/runs/healthy").status_code == 200


def spoil_json(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def spoil_entry(layout: RunLayout, **changes: object) -> None:
    index = json.loads(layout.replay_index.read_text())
    index["entries"][0].update(changes)
    layout.replay_index.write_text(json.dumps(index))


def refusal(client: httpx.Client, path: str, status: int, words: str) -> str:
    answer = client.get(path)
    detail: str = answer.json()["detail"]
    assert (answer.status_code, words in detail) == (status, True), answer.text
    assert "secret" not in detail.replace("secret.json", "")
    return detail


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="cut-short"),
        pytest.param(b"\xff\xfe\x00garbage", id="bytes"),
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b'{"schema_version": 2}', id="another-version"),
    ],
)
def test_garbage_for_metadata_is_told_and_listed(
    text: bytes, client: httpx.Client, layout: RunLayout, root: Path
) -> None:
    layout.metadata.write_bytes(text)

    detail = refusal(client, "/api/runs/a", 500, "a/run_metadata.json")
    row = next(row for row in client.get("/api/runs").json()["runs"] if row["run_id"] == "a")

    assert str(root) not in detail
    assert (row["status"], row["world"], row["replay_count"]) == ("unreadable", None, 1)
    assert "run_metadata.json" in row["problem"]
    refusal(client, "/api/runs/a/follow", 500, "a/run_metadata.json")


def test_a_directory_without_metadata_is_listed_as_unreadable(client: httpx.Client, root: Path) -> None:
    (root / "bare").mkdir()

    rows = {row["run_id"]: row["status"] for row in client.get("/api/runs").json()["runs"]}

    assert rows["bare"] == "unreadable"
    refusal(client, "/api/runs/bare", 404, "bare/run_metadata.json does not exist")
    assert client.get("/api/runs/bare/metrics/windows").json()["windows"] == []


def test_a_pipe_in_place_of_a_file_is_not_waited_for(client: httpx.Client, layout: RunLayout) -> None:
    for path in (layout.metadata, layout.replay_index):
        path.unlink()
        os.mkfifo(path)
    layout.windows.unlink()
    os.mkfifo(layout.windows)

    refusal(client, "/api/runs/a", 500, "is no file")
    refusal(client, "/api/runs/a/metrics/windows", 500, "is no file")
    refusal(client, "/api/runs/a/replays", 500, "is no file")
    row = next(row for row in client.get("/api/runs").json()["runs"] if row["run_id"] == "a")
    assert row["status"] == "unreadable"


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(b'{"window_id": ', id="cut-short"),
        pytest.param(b"", id="empty"),
        pytest.param(b"[]", id="no-object"),
        pytest.param(b'{"window_id": 9223372036854775808, "env_steps_total": 3}', id="huge-number"),
        pytest.param(b'{"window_id": 1, "env_steps_total": 3, "return_mean": NaN}', id="not-a-number"),
        pytest.param(b'{"window_id": 1, "env_steps_total": 3, "return_mean": 1e999}', id="infinite"),
        pytest.param(b'{"window_id": 1, "env_steps_total": 3, "return_mean": [[[]]]}', id="no-number"),
        pytest.param(b'{"window_id": 1, "env_steps_total": 3, "a": "\xff"}', id="no-text"),
        pytest.param(b'{"window_id": 1, "env_steps_total": 3, "a": ' + b"[" * 100_000, id="deep"),
    ],
)
def test_a_broken_window_is_told_and_the_others_are_shown(
    broken: bytes, client: httpx.Client, layout: RunLayout
) -> None:
    first, last = (b'{"window_id": %d, "env_steps_total": 10}' % number for number in (0, 2))
    layout.windows.write_bytes(b"\n".join((first, broken, last, b"")))

    answer = client.get("/api/runs/a/metrics/windows")

    assert answer.status_code == 200, answer.text
    assert [row["window_id"] for row in answer.json()["windows"]] == [2, 0]
    assert answer.json()["problem"]
    assert str(layout.directory) not in answer.text
    assert client.get("/api/runs/a").status_code == 200
    assert client.get("/api/runs/a/analytics/completeness").status_code == 200


@pytest.mark.parametrize("field", ["window_id", "steps", "ticks", "checkpoint_env_steps_total"])
@pytest.mark.parametrize("number", [1 << 63, 1 << 70, -(1 << 63) - 1], ids=["64-bits", "71-bits", "below"])
def test_a_number_that_fits_nowhere_breaks_no_list(
    field: str, number: int, client: httpx.Client, layout: RunLayout
) -> None:
    spoil_entry(layout, **{field: number})

    rows = {row["run_id"]: row for row in client.get("/api/runs").json()["runs"]}

    assert "replay_index.json" in rows["a"]["problem"]
    assert (rows["a"]["status"], rows["a"]["replay_count"]) == ("running", 0)
    assert rows["healthy"]["problem"] is None
    for path in ("/api/exports", "/api/best-replays"):
        assert client.get(path).status_code == 200, path


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"env_steps_total": 1 << 63}, id="counter"),
        pytest.param({"seed": 1 << 64}, id="seed"),
        pytest.param({"latest_replay": {"a": 1 << 64}}, id="number-inside"),
        pytest.param({"latest_replay": {"a": [[[[[[[[[]]]]]]]]] * 9, "b": json.loads("[" * 90 + "]" * 90)}}, id="deep"),
    ],
)
def test_metadata_that_could_not_be_written_again_are_unreadable(
    changes: dict[str, Any], client: httpx.Client, layout: RunLayout
) -> None:
    spoil_json(layout.metadata, **changes)

    rows = {row["run_id"]: row for row in client.get("/api/runs").json()["runs"]}

    assert rows["a"]["status"] == "unreadable"
    refusal(client, "/api/runs/a", 500, "a/run_metadata.json")
    assert client.get("/api/exports").status_code == 200


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "a\0b", "x" * 5000, "checkpoints", ""])
def test_a_checkpoint_that_the_metadata_misplace_breaks_no_list(
    path: str, client: httpx.Client, layout: RunLayout
) -> None:
    latest = {"window_id": 1, "env_steps_total": 3, "path": path, "sha256": "0" * 64, "created_at": "then"}
    spoil_json(layout.metadata, latest_checkpoint=latest, trainer_backend="ppo")

    rows = {row["run_id"]: row for row in client.get("/api/exports").json()["exports"]}

    assert rows["a"]["size_bytes"] is None


def test_a_window_that_is_being_written_is_left_out(client: httpx.Client, layout: RunLayout) -> None:
    rows = [{"window_id": number, "env_steps_total": number} for number in (2, 0, 1)]
    layout.windows.write_text("\n".join(json.dumps(row) for row in rows) + '\n{"window_id": 9, "env_st')

    answer = client.get("/api/runs/a/metrics/windows").json()

    assert [row["window_id"] for row in answer["windows"]] == [2, 1, 0]
    assert answer["total"] == 3


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_version": 1}', '{"entries": [{}]}'])
def test_a_broken_index_is_told(text: str, client: httpx.Client, layout: RunLayout) -> None:
    layout.replay_index.write_text(text)

    for path in ("/api/runs/a", "/api/runs/a/replays", "/api/runs/a/replays/replay-1/frames"):
        refusal(client, path, 500, "a/replay_index.json")
    row = next(row for row in client.get("/api/runs").json()["runs"] if row["run_id"] == "a")
    assert (row["status"], row["replay_count"]) == ("running", 0)
    assert "replay_index.json" in row["problem"]


@pytest.mark.parametrize("stored", ["../secret.json", "/etc/passwd", "replays/../../../secret.json", ""])
@pytest.mark.parametrize("field", ["replay_path", "meta_path"])
def test_an_entry_that_points_outside_is_refused(
    field: str, stored: str, client: httpx.Client, layout: RunLayout, entry: ReplayEntry, outside: Path
) -> None:
    spoil_entry(layout, **{field: stored})

    for path in ("", f"/{entry.replay_id}", f"/{entry.replay_id}/frames"):
        refusal(client, f"/api/runs/a/replays{path}", 500, "outside of its run")


@pytest.mark.parametrize(
    ("spoil", "path"),
    [
        pytest.param(lambda a, e: a.metadata, "", id="metadata"),
        pytest.param(lambda a, e: a.config, "/config", id="config"),
        pytest.param(lambda a, e: a.windows, "/metrics/windows", id="windows"),
        pytest.param(lambda a, e: a.replay_index, "/replays", id="index"),
        pytest.param(lambda a, e: a.resolve(e.meta_path), "/replays/{id}", id="sidecar"),
        pytest.param(lambda a, e: a.resolve(e.replay_path), "/replays/{id}/frames", id="frames"),
    ],
)
def test_a_link_that_leads_outside_is_refused(
    spoil: Callable[[RunLayout, ReplayEntry], Path],
    path: str,
    client: httpx.Client,
    layout: RunLayout,
    entry: ReplayEntry,
    outside: Path,
) -> None:
    address = f"/api/runs/a{path.format(id=entry.replay_id)}"
    assert client.get(address).status_code == 200  # it was fine, and may be remembered
    target = spoil(layout, entry)
    target.unlink()
    target.symlink_to(outside)

    detail = refusal(client, address, 500, "is a link")

    assert SECRET not in detail


def test_a_directory_of_replays_that_leads_outside_is_refused(
    client: httpx.Client, layout: RunLayout, entry: ReplayEntry, tmp_path: Path
) -> None:
    layout.replays.rename(tmp_path / "elsewhere")
    layout.replays.symlink_to(tmp_path / "elsewhere")

    refusal(client, f"/api/runs/a/replays/{entry.replay_id}/frames", 500, "is a link")


def test_a_run_that_is_a_link_is_no_run(client: httpx.Client, root: Path, tmp_path: Path) -> None:
    empty_run(tmp_path / "others", "stranger")
    (root / "stranger").symlink_to(tmp_path / "others" / "stranger")
    (root / "twin").symlink_to(root / "healthy")

    for run_id in ("stranger", "twin"):
        for path in ("", "/config", "/metrics/windows", "/replays", "/follow"):
            refusal(client, f"/api/runs/{run_id}{path}", 404, f"there is no run '{run_id}'")
    assert client.get("/api/runs").json()["total"] == 2


@pytest.mark.parametrize(
    ("spoil", "status", "words"),
    [
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-9]), 500, "cut short", id="cut-short"),
        pytest.param(lambda path: path.write_bytes(b""), 500, "cut short", id="empty"),
        pytest.param(lambda path: path.write_bytes(b"plain text"), 500, "is no gzip", id="no-gzip"),
        pytest.param(lambda path: path.unlink(), 404, "does not exist", id="gone"),
    ],
)
def test_broken_frames_are_told(
    spoil: Callable[[Path], object],
    status: int,
    words: str,
    client: httpx.Client,
    layout: RunLayout,
    entry: ReplayEntry,
) -> None:
    spoil(layout.resolve(entry.replay_path))

    refusal(client, f"/api/runs/a/replays/{entry.replay_id}/frames", status, words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(b'{"frame_index": 1, "reward": NaN}', "frame 1: JSON is malformed", id="not-a-number"),
        pytest.param(b'{"frame_index": 7}', "frame 1: says that it is frame 7", id="misplaced"),
        pytest.param(b'{"frame_index": 1}}', "frame 1", id="left-over"),
        pytest.param(b'{"frame_index": 1, "t": "\xff"}', "frame 1", id="no-utf8"),
        pytest.param(b"", "frame 1", id="empty-line"),
    ],
)
def test_a_broken_frame_never_reaches_a_page(
    line: bytes, words: str, client: httpx.Client, layout: RunLayout, entry: ReplayEntry
) -> None:
    import gzip

    path = layout.resolve(entry.replay_path)
    lines = gzip.decompress(path.read_bytes()).split(b"\n")
    lines[1] = line
    path.write_bytes(gzip.compress(b"\n".join(lines)))

    refusal(client, f"/api/runs/a/replays/{entry.replay_id}/frames", 500, words)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"member_offsets": [-5]}, id="negative-offset"),
        pytest.param({"member_offsets": [10**40]}, id="huge-offset"),
        pytest.param({"member_offsets": [3]}, id="wrong-offset"),
        pytest.param({"member_offsets": []}, id="no-offset"),
        pytest.param({"frame_count": 10**15, "member_frames": 10**15}, id="many-frames"),
        pytest.param({"frame_count": 4}, id="fewer-frames"),
        pytest.param({"replay_id": "other"}, id="another-replay"),
    ],
)
def test_a_sidecar_that_lies_is_told(
    change: dict[str, Any], client: httpx.Client, layout: RunLayout, entry: ReplayEntry
) -> None:
    spoil_json(layout.resolve(entry.meta_path), **change)

    answer = client.get(f"/api/runs/a/replays/{entry.replay_id}/frames")

    assert answer.status_code == 500
    assert entry.replay_id in answer.json()["detail"]


def test_what_was_repaired_is_served_again(client: httpx.Client, layout: RunLayout, entry: ReplayEntry) -> None:
    path = layout.resolve(entry.replay_path)
    whole, address = path.read_bytes(), f"/api/runs/a/replays/{entry.replay_id}/frames"

    before = client.get(address).json()
    path.write_bytes(whole[:-9])
    broken = client.get(address).status_code
    path.write_bytes(whole)

    assert broken == 500
    assert client.get(address).json() == before


def test_a_run_that_disappears_is_gone(client: httpx.Client, layout: RunLayout, tmp_path: Path) -> None:
    layout.directory.rename(tmp_path / "away")

    refusal(client, "/api/runs/a", 404, "there is no run 'a'")
    assert [row["run_id"] for row in client.get("/api/runs").json()["runs"]] == ["healthy"]


def test_a_pipe_or_a_link_that_is_named_like_a_checkpoint_stops_nobody(
    client: httpx.Client, layout: RunLayout, outside: Path
) -> None:
    layout.checkpoints.mkdir(exist_ok=True)
    pipe = layout.checkpoints / "ckpt_000001.safetensors"
    os.mkfifo(pipe)

    refusal(client, "/api/exports/a", 500, "is no file")
    pipe.unlink()
    pipe.symlink_to(outside)
    refusal(client, "/api/exports/a", 500, "is a link")
