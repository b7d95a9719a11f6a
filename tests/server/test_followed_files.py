"""What one look after another finds in the files of a run."""

from pathlib import Path

import pytest

from diorama.runs.checkpoints import files as checkpoint_files
from diorama.runs.checkpoints.files import write_checkpoint
from diorama.runs.checkpoints.headers import CheckpointHeader, RandomCheckpoint
from diorama.runs.metadata import LatestCheckpoint
from diorama.runs.writer import RunWriter, create_run
from diorama.server.following import files
from diorama.server.following.files import FollowedFiles
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import FakeClock, metadata


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

    def reading(path: Path) -> CheckpointHeader:
        read.append(path.name)
        return checkpoint_files.read_checkpoint_header(path)

    monkeypatch.setattr(files, "read_checkpoint_header", reading)
    with create_run(tmp_path, metadata("live"), {}, FakeClock()) as writer:
        followed = FollowedFiles(RunShelf(tmp_path), writer.layout)
        for window_id in range(12):
            writer.keeper.checkpoint_written(write(writer, window_id))
            followed.look()
        assert seen(followed) == [*range(12)]
    assert read == [f"ckpt_{window_id:06d}.json" for window_id in range(12)]
