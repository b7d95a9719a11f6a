"""A live world with everything around it: pausing, saving, loading, failing, continuing."""

import json
import time
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, RunConflict, UnknownName
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.settings.operation import Snapshot
from diorama.operate.live import saving
from diorama.operate.live.orchestrator import RESOLVE, StageContext, StageFailure
from diorama.operate.live.runtime import LiveRuntime
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import QUIET, command, open_live_world, submit


class Saboteur:
    """A hook that raises before a stage of a tick."""

    def __init__(self, tick: int, stage: int) -> None:
        self._at = (tick, stage)

    def before_stage(self, number: int, ctx: StageContext) -> None:
        if (ctx.tick, number) == self._at:
            raise RuntimeError("the roof fell in")

    def after_stage(self, number: int, ctx: StageContext) -> None:
        """Do nothing."""


@pytest.mark.parametrize(
    ("policy", "spells"),
    [
        ("scripted", (1, 50)),
        ("novice", (1, 50)),
        pytest.param("scripted", (1, 50, 1000), marks=pytest.mark.slow),
        pytest.param("novice", (1, 50, 1000), marks=pytest.mark.slow),
    ],
)
def test_what_is_loaded_goes_on_like_what_was_never_saved(policy: str, spells: tuple[int, ...], tmp_path: Path) -> None:
    untrained_policy(tmp_path / "runs", "townlet")
    whole = open_live_world(tmp_path / "live", "townlet", policy=policy, run_root=tmp_path / "runs")
    whole.run_ticks(60)
    saved = whole.save("here")
    _die(whole)
    other = open_live_world(tmp_path / "live", "townlet", policy=policy, run_root=tmp_path / "runs", seed=99)

    loaded = other.load("here")

    assert (loaded["tick"], loaded["state_hash"]) == (saved["tick"], saved["state_hash"])
    for ticks in spells:
        whole.run_ticks(ticks)
        other.run_ticks(ticks)
        assert other.world.state_hash() == whole.world.state_hash()
    assert other.world.save() == whole.world.save()


def test_a_paused_world_answers_steps_and_tells(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, speed="pause")
    watching = runtime.publisher.subscribe()
    runtime.start()
    try:
        first = json.loads(watching.next(10) or b"{}")
        refused = submit(runtime, "snapshot_load", "none", cmd_id="a").result(10)
        stepped = submit(runtime, "step", 3, cmd_id="b").result(10)
        while runtime.world.clock.tick < 3:
            watching.next(10)
        moving = submit(runtime, "speed", "max", cmd_id="c").result(10)
        too_fast = submit(runtime, "step", 1, cmd_id="d").result(10)
    finally:
        runtime.stop()

    assert runtime.join(10) == 0
    assert (first["state"]["health"]["speed"], first["state"]["promotion"]["state"]) == ("pause", "monitoring")
    assert refused["error"]["code"] == "not_found"
    assert stepped["result"] == {"tick": 3, "steps": 3}
    assert moving["result"] == {"speed": "max"}
    assert too_fast["error"]["reason"] == "not_paused"


def test_a_failure_is_told_without_the_tick_it_cut_short(tmp_path: Path) -> None:
    settings = LiveSettings()
    runtime = open_live_world(tmp_path, settings=settings, autosave_ticks=100)
    failures: list[StageFailure] = []
    runtime.on_failure(failures.append)
    runtime.run_ticks(5)
    last = runtime.world.clock.tick
    runtime.add_hook(Saboteur(tick=last, stage=RESOLVE))

    runtime.start()

    assert runtime.join(10) == 1
    assert failures == [runtime.failure]
    lines = [json.loads(line) for line in (tmp_path / "telemetry/live.ndjson").read_text().splitlines()]
    (event,) = lines[-1]["events"]
    assert (event["event"], event["tick"], event["stage"]) == ("loop_failure", last, RESOLVE)
    assert max(line["tick"] for line in lines) < last
    kept = tmp_path / "snapshots" / event["snapshot_path"]
    assert kept.is_file()

    again = open_live_world(tmp_path, settings=settings, autosave_ticks=100, resume=True)
    assert again.world.clock.tick == last
    refused = command(again, "snapshot_load", event["snapshot_path"], cmd_id="x")
    assert "failed in stage" in refused["error"]["message"]
    again.close()


def test_only_the_newest_autosaves_are_kept_and_what_was_saved_by_name(tmp_path: Path) -> None:
    settings = QUIET.model_copy(update={"snapshot": Snapshot(autosave_cadence_ticks=100, retain=2)})
    runtime = open_live_world(tmp_path, settings=settings)

    runtime.save("mine")
    runtime.run_ticks(450)

    autosaves = sorted((tmp_path / "snapshots" / runtime.run_id).iterdir())
    assert len(autosaves) == 2
    assert len(list((tmp_path / "journals" / runtime.run_id).iterdir())) == 2
    assert [entry["path"] for entry in runtime.snapshots()][-1] == "mine.json.gz"
    assert [entry["tick"] for entry in runtime.snapshots()][-1] == 0


def test_a_run_that_was_left_in_the_middle_is_continued_with_its_commands(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, "townlet", autosave_ticks=100)
    runtime.run_ticks(30)
    given = command(runtime, "price", "meal_cost", 0.55, cmd_id="dear")
    runtime.run_ticks(20)
    waiting = submit(runtime, "set_exit_cap", 7, cmd_id="late")
    runtime._services.desk.drain()  # the process dies in stage 1 of the next tick
    left = runtime.world.state_hash(), runtime.world.clock
    _die(runtime)

    again = open_live_world(tmp_path, "townlet", autosave_ticks=100, resume=True)

    assert (again.world.state_hash(), again.world.clock) == left
    assert again.resumed_ticks == 51
    for cmd_id, before in (("dear", given), ("late", waiting.result(0))):
        name = str(before["name"])
        args = ("meal_cost", 0.55) if name == "price" else (7,)
        assert command(again, name, *args, cmd_id=cmd_id) == {**before, "replayed": True}
    again.close()


def test_what_the_log_cannot_repeat_is_saved_before_it_is_answered(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, "prospector", policy="greedy_miner", autosave_ticks=100)
    runtime.run_ticks(10)
    runtime.save("early")
    runtime.run_ticks(10)
    assert command(runtime, "policy_swap", "cautious_scanner", cmd_id="swap")["status"] == "ok"
    runtime.run_ticks(3)
    assert command(runtime, "snapshot_load", "early", cmd_id="back")["status"] == "ok"
    runtime.run_ticks(4)
    left = runtime.world.state_hash(), runtime.world.clock, runtime.promotion.export()
    _die(runtime)

    again = open_live_world(tmp_path, "prospector", autosave_ticks=100, resume=True)

    assert (again.world.state_hash(), again.world.clock, again.promotion.export()) == left
    again.close()


def test_a_swapped_policy_decides_from_the_next_tick_on_and_is_continued(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path, policy="idle", autosave_ticks=100)
    runtime.run_ticks(2)

    answer = command(runtime, "policy_swap", "greedy_miner", cmd_id="swap")
    decided = _policy(runtime)
    _die(runtime)
    again = open_live_world(tmp_path, autosave_ticks=100, resume=True)

    assert answer["result"]["checkpoint"] == decided == "greedy_miner"
    assert _policy(again) == "greedy_miner"
    assert command(again, "policy_swap", "nobody", cmd_id="e")["error"]["code"] == "not_found"
    again.close()


def test_a_candidate_lives_beside_the_release_and_survives_a_restart(tmp_path: Path) -> None:
    settings = QUIET.model_copy(update={"promotion": QUIET.promotion.model_copy(update={"window_ticks": 20})})
    runtime = open_live_world(tmp_path, policy="idle", shadow="greedy_miner", settings=settings, autosave_ticks=100)
    runtime.run_ticks(30)
    middle = runtime.promotion.export()
    _die(runtime)

    again = open_live_world(tmp_path, settings=settings, autosave_ticks=100, resume=True)

    assert again.promotion.export() == middle
    again.run_ticks(30)
    assert again.promotion.status()["state"] == "ready"
    promoted = command(again, "promote_policy", "greedy_miner", cmd_id="p")
    assert promoted["status"] == "ok"
    again.run_ticks(1)
    assert _policy(again) == "greedy_miner"
    again.close()


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    runtime = open_live_world(tmp_path)

    with pytest.raises(RunConflict):
        open_live_world(tmp_path)
    runtime.close()
    open_live_world(tmp_path).close()


def test_what_cannot_be_continued_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no live world"):
        open_live_world(tmp_path, resume=True)
    first = open_live_world(tmp_path, run_id="one", autosave_ticks=100)
    first.run_ticks(3)
    first.close()

    with pytest.raises(RunConflict, match="--resume"):
        open_live_world(tmp_path, run_id="one")
    with pytest.raises(ConfigError, match="not chosen"):
        open_live_world(tmp_path, resume=True, policy="idle")
    with pytest.raises(ConfigError, match="of world 'prospector'"):
        open_live_world(tmp_path, "tidebreak", resume=True)
    with pytest.raises(Exception, match="config_mismatch"):
        open_live_world(tmp_path, config={"time_max": 99}, resume=True)


def test_a_loop_that_cannot_save_what_it_owes_says_what_is_lost_and_ends_with_a_failure(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = open_live_world(tmp_path, speed="pause", autosave_ticks=100)
    runtime.run_ticks(3)
    _put_a_file_in_place_of(tmp_path / "snapshots" / runtime.run_id)
    runtime.start()

    answer = submit(runtime, "policy_swap", "greedy_miner", cmd_id="swap").result(10)
    runtime.stop()

    assert runtime.join(10) == 1
    assert "cannot be written" in str(runtime.failure)
    assert answer["error"]["reason"] == "not_kept"
    assert f"everything since tick {runtime.world.clock.tick} is lost" in caplog.text


def test_a_paused_world_tries_again_to_save_what_it_owes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "RETRY_SECONDS", 0.0)
    runtime = open_live_world(tmp_path, speed="pause", autosave_ticks=100)
    folder = tmp_path / "snapshots" / runtime.run_id
    _put_a_file_in_place_of(folder)
    runtime.start()
    refused = submit(runtime, "policy_swap", "greedy_miner", cmd_id="swap").result(10)

    folder.unlink()
    deadline = time.monotonic() + 10
    while not any(folder.glob("snapshot-*.json.gz")) and time.monotonic() < deadline:
        time.sleep(0.05)

    again = submit(runtime, "policy_swap", "greedy_miner", cmd_id="swap").result(10)
    saves = list(folder.glob("snapshot-*.json.gz"))
    runtime.stop()
    assert refused["error"]["reason"] == "not_kept"
    assert (again["error"]["reason"], again["replayed"]) == ("not_kept", True)
    assert (runtime.join(10), runtime.world.clock.tick, len(saves)) == (0, 0, 1)


def _put_a_file_in_place_of(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("somebody put a file where the folder was")


def _policy(runtime: LiveRuntime) -> str:
    return runtime._services.decider.pointer.checkpoint


def _die(runtime: LiveRuntime) -> None:
    """Leave everything as it is, as a killed process would; only the hold of the folder goes with it."""
    runtime._lock.release()
