import shutil
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict, StorageError, UnknownName
from diorama.runs.checkpoints.files import checkpoint_paths
from diorama.runs.documents import RawObject
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run, run_ids
from diorama.runs.windows.row import Totals
from diorama.runs.writer import continue_run, create_run
from tests.refusals import refused
from tests.runs.factories import FakeClock, empty_run, metadata
from tests.runs.full_disk import no_file_longer_than
from tests.runs.random_training import RandomTraining

CLOCK_FIELDS = ("wall_seconds", "steps_per_sec", "created_at")


def rows(runs_root: Path, run_id: str) -> list[RawObject]:
    found = open_run(runs_root, run_id).windows()
    return [{name: value for name, value in row.items() if name not in (*CLOCK_FIELDS, "run_id")} for row in found]


def test_a_run_appears_with_configuration_and_metadata(tmp_path: Path) -> None:
    with create_run(tmp_path / "runs", metadata(), {"world": "prospector", "steps": 10}, FakeClock()) as writer:
        run = open_run(tmp_path / "runs", "run-a")

        assert run.config() == {"world": "prospector", "steps": 10}
        assert run.metadata() == metadata() == writer.keeper.current
        assert run.windows() == []
        assert run.replay_index().entries == ()
        assert run_ids(tmp_path / "runs") == ["run-a"]


def test_a_run_that_exists_is_not_started_again(tmp_path: Path) -> None:
    layout = empty_run(tmp_path)
    before = layout.metadata.read_bytes()

    with pytest.raises(RunConflict, match="exists already; choose another run id, or resume"):
        create_run(tmp_path, metadata(seed=99), {}, FakeClock())

    assert layout.metadata.read_bytes() == before


def test_a_run_that_cannot_be_started_leaves_nothing(tmp_path: Path) -> None:
    with no_file_longer_than(50), pytest.raises(StorageError):
        create_run(tmp_path, metadata(), {}, FakeClock())
    with pytest.raises(ConfigError, match="is not allowed"):
        create_run(tmp_path, metadata("../escape"), {}, FakeClock())

    assert list(tmp_path.iterdir()) == []


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    with create_run(tmp_path, metadata(), {}, FakeClock()), pytest.raises(RunConflict, match="another process"):
        continue_run(tmp_path, "run-a", FakeClock())


def test_an_unknown_run_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="there are none yet"):
        open_run(tmp_path, "nope")
    for number in range(7):
        empty_run(tmp_path, f"run-{number}")

    with pytest.raises(UnknownName, match="there are: run-6, run-5, run-4, run-3, run-2 and 2 more"):
        open_run(tmp_path, "nope")
    with pytest.raises(UnknownName, match="nothing to continue from"):
        continue_run(tmp_path, "run-0", FakeClock())


def test_a_failed_attempt_to_continue_lets_go_of_the_run(tmp_path: Path) -> None:
    empty_run(tmp_path)

    for _ in range(2):
        with pytest.raises(UnknownName, match="nothing to continue from"):
            continue_run(tmp_path, "run-a", FakeClock())


@pytest.mark.parametrize("name", ["checkpoints", "metrics", "replays", "telemetry", "matches"])
def test_a_run_with_a_link_is_not_written_through_it(name: str, tmp_path: Path) -> None:
    layout, outside = empty_run(tmp_path), tmp_path / "outside"
    outside.mkdir()
    (outside / ".file.unfinished-1-1").write_text("of somebody else")
    shutil.rmtree(layout.directory / name, ignore_errors=True)
    (layout.directory / name).symlink_to(outside)

    with refused(DocumentError, "path_is_link", stored=name):
        continue_run(tmp_path, "run-a", FakeClock())

    assert [path.name for path in outside.iterdir()] == [".file.unfinished-1-1"]


def test_a_full_disk_adds_no_part_of_a_window(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(10)
    before = rows(tmp_path, "run-a")
    size = training.writer.layout.windows.stat().st_size

    with no_file_longer_than(size + 100), pytest.raises(StorageError, match=r"windows\.jsonl"):
        training.run(20)
    training.close()

    assert rows(tmp_path, "run-a") == before
    assert open_run(tmp_path, "run-a").metadata().windows_emitted == len(before)


@pytest.mark.parametrize(("killed_at", "checkpoint_every"), [(9, 4), (12, 4), (23, 5), (30, 7)])
def test_a_resumed_run_writes_what_an_uninterrupted_one_does(
    killed_at: int, checkpoint_every: int, tmp_path: Path
) -> None:
    straight = RandomTraining.start(tmp_path, "straight", FakeClock())
    straight.run(40, checkpoint_every=checkpoint_every)
    straight.close()
    killed = RandomTraining.start(tmp_path, "killed", FakeClock())
    killed.run(killed_at, checkpoint_every=checkpoint_every)
    killed.close()

    resumed = RandomTraining.resume(tmp_path, "killed", FakeClock())
    resumed.run(40, checkpoint_every=checkpoint_every)
    resumed.writer.keeper.completed(Totals(env_steps=200))
    resumed.close()

    assert len(rows(tmp_path, "straight")) == 25
    assert rows(tmp_path, "killed") == rows(tmp_path, "straight")
    found, expected = (open_run(tmp_path, run_id).metadata() for run_id in ("killed", "straight"))
    assert found.status is RunStatus.COMPLETED
    assert found.windows_emitted == expected.windows_emitted == 25
    assert found.latest_window == expected.latest_window
    assert found.checkpoints_written == expected.checkpoints_written
    assert found.target_env_steps == 1000


def test_resuming_forgets_windows_after_the_checkpoint_and_leftovers(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(9, checkpoint_every=4)  # the checkpoint at step 8 knows 5 windows
    training.close()
    layout = training.writer.layout
    with layout.windows.open("ab") as file:
        file.write(b'{"window_id": 5, "half')
    (layout.checkpoints / ".ckpt_000009.json.unfinished-1-0").write_text("{")

    resumed = RandomTraining.resume(tmp_path, "run-a", FakeClock())
    resumed.close()

    assert [row["window_id"] for row in rows(tmp_path, "run-a")] == [0, 1, 2, 3, 4]
    found = open_run(tmp_path, "run-a").metadata()
    assert (found.status, found.windows_emitted, found.env_steps_total) == (RunStatus.RUNNING, 5, 40)
    assert found.latest_window is not None
    assert found.latest_window.window_id == 4
    assert not list(layout.checkpoints.glob(".*"))


def test_checkpoints_that_were_removed_stay_counted(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(12, checkpoint_every=4)
    training.close()
    written = open_run(tmp_path, "run-a").metadata().checkpoints_written
    for path in checkpoint_paths(training.writer.layout)[:-1]:
        path.unlink()

    RandomTraining.resume(tmp_path, "run-a", FakeClock()).close()

    assert written == 3
    assert open_run(tmp_path, "run-a").metadata().checkpoints_written == written


def test_a_checkpoint_that_nobody_could_count_any_more_is_counted(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(4, checkpoint_every=4)
    uncounted = training.writer.layout.metadata.read_bytes()
    training.run(8, checkpoint_every=4)
    training.close()
    training.writer.layout.metadata.write_bytes(uncounted)

    RandomTraining.resume(tmp_path, "run-a", FakeClock()).close()

    assert open_run(tmp_path, "run-a").metadata().checkpoints_written == 2


def test_windows_that_are_missing_cannot_be_made_up(tmp_path: Path) -> None:
    training = RandomTraining.start(tmp_path, "run-a", FakeClock())
    training.run(8, checkpoint_every=4)
    training.close()
    training.writer.layout.windows.write_text("")

    with pytest.raises(DocumentError, match="5 are needed"):
        RandomTraining.resume(tmp_path, "run-a", FakeClock())
