"""A disk that refuses while a world is live: it lives on, says so once, and is saved when there is room again."""

import logging
from pathlib import Path

import pytest

from diorama.contracts.errors import StorageError
from diorama.operate.live.journal import segments as segments_module
from diorama.operate.live.journal.segments import segments
from diorama.operate.live.saving import RETRY_TICKS
from diorama.storage.line_files import LineFile
from tests.operate.live.runtimes import command, open_live_world
from tests.runs.full_disk import no_file_longer_than


def test_a_world_on_a_full_disk_lives_on_and_is_saved_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    live = open_live_world(tmp_path / "full", "prospector", seed=5, autosave_ticks=500)
    live.run_ticks(30)

    with no_file_longer_than(0), caplog.at_level(logging.WARNING):
        live.run_ticks(200)
        assert live.world.clock.tick >= 230
    live.run_ticks(2 * RETRY_TICKS)

    newest = segments(next((tmp_path / "full" / "journals").iterdir()))[-1]
    assert newest.header.base.tick >= 230
    told = [record.message for record in caplog.records if record.name.endswith("saving")]
    assert [message.partition(":")[0] for message in told] == [
        "the world lives on and is saved when there is room",
        f"the world is saved again, at tick {newest.header.base.tick}",
    ]
    assert "File too large" in told[0]
    tick, state = live.world.clock.tick, live.world.state_hash()
    live.close()
    again = open_live_world(tmp_path / "full", "prospector", resume=True, autosave_ticks=20)
    assert (again.world.clock.tick, again.world.state_hash()) == (tick, state)
    again.close()


def test_only_whoever_saves_learns_which_file_the_disk_refused(tmp_path: Path) -> None:
    live = open_live_world(tmp_path / "full", "townlet", seed=5, autosave_ticks=1000)

    with no_file_longer_than(1 << 12):
        refused = command(live, "snapshot_save", "kept", cmd_id="a")

    shown = str(live.desk.results[-1])
    assert str(tmp_path) in refused["error"]["message"]
    assert "'reason': 'storage'" in shown
    assert str(tmp_path) not in shown


def test_a_world_killed_on_a_full_disk_goes_on_at_the_last_tick_that_was_kept(tmp_path: Path) -> None:
    live = open_live_world(tmp_path / "full", "prospector", seed=5, autosave_ticks=20)
    live.run_ticks(30)
    tick, state = live.world.clock.tick, live.world.state_hash()

    with no_file_longer_than(0):
        live.run_ticks(60)
        live._lock.release()  # as a killed process leaves it: nothing is written any more

    again = open_live_world(tmp_path / "full", "prospector", resume=True, autosave_ticks=20)
    assert (again.world.clock.tick, again.world.state_hash()) == (tick, state)
    again.run_ticks(5)
    again.close()


def test_a_command_that_cannot_be_audited_says_so_and_is_kept_once_there_is_room(tmp_path: Path) -> None:
    live = open_live_world(tmp_path / "full", "townlet", seed=5, autosave_ticks=1000)
    live.run_ticks(3)

    with no_file_longer_than(0):
        refused = command(live, "price", "meal_cost", 0.7, cmd_id="a")
    kept = command(live, "price", "meal_cost", 0.9, cmd_id="b")

    again = command(live, "price", "meal_cost", 0.7, cmd_id="a")

    # What cannot stand in the audit is not done, and may be sent again.
    assert refused["error"]["reason"] == "not_audited"
    assert (kept["status"], again["status"]) == ("ok", "ok")
    tick, state = live.world.clock.tick, live.world.state_hash()
    live._lock.release()
    resumed = open_live_world(tmp_path / "full", "townlet", resume=True, autosave_ticks=1000)
    assert (resumed.world.clock.tick, resumed.world.state_hash()) == (tick, state)
    resumed.close()


@pytest.mark.parametrize("refusing", ["former", "new"])
def test_a_log_goes_on_in_the_segment_at_which_a_restart_begins(
    refusing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    live = open_live_world(tmp_path, "prospector", seed=5, autosave_ticks=20)
    live.run_ticks(10)
    with monkeypatch.context() as broken:
        if refusing == "former":
            broken.setattr(LineFile, "sync", _refuse)
        else:
            broken.setattr(segments_module, "LineFile", _refuse)  # after the new segment has got its name
        live.run_ticks(20)
    assert "the world lives on" in caplog.text
    live.run_ticks(10)
    tick, state = live.world.clock.tick, live.world.state_hash()
    live._lock.release()

    again = open_live_world(tmp_path, "prospector", resume=True, autosave_ticks=20)
    assert (again.world.clock.tick, again.world.state_hash()) == (tick, state)
    again.close()


def test_an_old_save_that_cannot_be_removed_ends_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    live = open_live_world(tmp_path, "prospector", seed=5, autosave_ticks=20, run_id="here", policy="idle")
    (tmp_path / "snapshots" / "here" / "snapshot-7.json.gz").mkdir()  # nothing that `unlink` removes

    live.run_ticks(45)

    assert segments(tmp_path / "journals" / "here")[-1].header.base.tick == 40
    assert "an old save cannot be removed" in caplog.text
    live.close()


def _refuse(*_: object) -> None:
    raise StorageError("the disk is broken")
