"""What one look after another finds in the files of a run."""

import json
import tracemalloc
from pathlib import Path

import pytest

from diorama.runs.checkpoints import files as checkpoint_files
from diorama.runs.checkpoints.files import write_checkpoint
from diorama.runs.checkpoints.headers import CheckpointHeader, RandomCheckpoint
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.writer import RunWriter, create_run
from diorama.server.following import files
from diorama.server.following.cursor import Cursor, WindowKey
from diorama.server.following.files import FollowedFiles
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import FakeClock, empty_run, metadata


def write(writer: RunWriter, window_id: int) -> LatestCheckpoint:
    header = RandomCheckpoint(
        run_id="live", world="prospector", window_id=window_id, env_steps_total=10, created_at="2031-05-06T00:00:00Z"
    )
    return LatestCheckpoint(
        window_id=window_id,
        env_steps_total=10,
        path=f"checkpoints/ckpt_{window_id:06d}.json",
        sha256=write_checkpoint(writer.layout, header, {}),
        created_at=header.created_at,
    )


def line(key: WindowKey, text: str = "") -> str:
    return json.dumps({"window_id": key[0], "env_steps_total": key[1], "text": text}) + "\n"


def followed_rows(layout: RunLayout, text: str) -> FollowedFiles:
    layout.windows.parent.mkdir(exist_ok=True)
    layout.windows.write_text(text)
    return FollowedFiles(RunShelf(layout.directory.parent), layout)


def texts(followed: FollowedFiles, after: WindowKey = (-1, -1)) -> list[str]:
    return [json.loads(row)["text"] for _, row in followed.look().windows.after(after)]


def seen(followed: FollowedFiles) -> list[int]:
    return [window_id for window_id, _ in followed.look().checkpoints]


def test_a_checkpoint_that_is_there_before_the_run_names_it_is_told_with_a_later_one(tmp_path: Path) -> None:
    with create_run(tmp_path, metadata("live"), {}, FakeClock()) as writer:
        followed = FollowedFiles(RunShelf(tmp_path), writer.layout)
        writer.keeper.checkpoint_written(write(writer, 1))
        write(writer, 2)
        assert seen(followed) == [1]
        writer.keeper.checkpoint_written(write(writer, 3))
        assert seen(followed) == [1, 2, 3]


def test_the_header_of_a_checkpoint_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reading(path: Path, *, within: Path) -> CheckpointHeader:
        read.append(path.name)
        return checkpoint_files.read_checkpoint_header(path, within=within)

    monkeypatch.setattr(files, "read_checkpoint_header", reading)
    with create_run(tmp_path, metadata("live"), {}, FakeClock()) as writer:
        followed = FollowedFiles(RunShelf(tmp_path), writer.layout)
        for window_id in range(12):
            writer.keeper.checkpoint_written(write(writer, window_id))
            followed.look()
        assert seen(followed) == [*range(12)]
    assert read == [f"ckpt_{window_id:06d}.json" for window_id in range(12)]


def test_the_rows_of_a_long_run_are_not_kept(tmp_path: Path) -> None:
    rows, row_bytes = 2000, 4000
    layout = empty_run(tmp_path, "long")
    followed = followed_rows(layout, "".join(line((number, 0), "x" * row_bytes) for number in range(rows)))
    FollowedFiles(RunShelf(tmp_path), layout).look()  # what is made once and for all, such as decoders

    tracemalloc.start()
    try:
        picture = followed.look()
        held_bytes, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert picture.windows.end == (rows - 1, 0)
    assert held_bytes < rows * 100


def test_rows_are_told_in_the_order_of_their_keys_whatever_that_of_the_file_and_the_last_of_a_key_counts(
    tmp_path: Path,
) -> None:
    layout = empty_run(tmp_path, "mixed")
    mixed = [line((2, 5), "c"), line((0, 9), "a"), "no row\n", line((1, 3), "old"), line((1, 4), "b2")]
    followed = followed_rows(layout, "".join([*mixed, line((10**30, 0), "beyond"), line((1, 3), "b1")]))

    assert texts(followed) == ["a", "b1", "b2", "c"]
    assert texts(followed, after=(1, 3)) == ["b2", "c"]
    assert texts(followed, after=(1, 99)) == ["c"]
    assert texts(followed, after=(2, 5)) == texts(followed, after=(7, 0)) == []

    with layout.windows.open("a") as file:
        file.write(line((0, 10), "a2") + line((3, 0), "d") + '{"window_id": 4, "env_st')
    assert texts(followed) == ["a", "a2", "b1", "b2", "c", "d"]


@pytest.mark.parametrize("becomes", ["shorter", "other", "gone", "link"])
def test_of_a_file_that_is_written_anew_nothing_wrong_is_told_and_nothing_after_what_is_missing(
    tmp_path: Path, becomes: str
) -> None:
    layout = empty_run(tmp_path, "anew")
    picture = followed_rows(layout, "".join(line((number, 0), "x" * number) for number in range(9))).look()
    before = layout.windows.read_text()
    (tmp_path / "elsewhere.jsonl").write_text(before)
    layout.windows.unlink()
    match becomes:
        case "shorter":
            layout.windows.write_text("".join(before.splitlines(keepends=True)[:4]))
        case "other":
            layout.windows.write_text("".join(before.splitlines(keepends=True)[:4]) + line((4, 1), "y" * 500))
        case "link":
            layout.windows.symlink_to(tmp_path / "elsewhere.jsonl")

    told = [event.event for event in picture.after(Cursor())]

    assert told == ["window"] * (4 if becomes in ("shorter", "other") else 0)
