"""The benchmark of gameboy: every field of a point, and runs that may not be related."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from consoles.goal_reward import GoalReward
from consoles.points import measure_point
from consoles.relating import read_run, relate
from consoles.runners import LanesRunner, packed2
from consoles.setting import Setting, no_keys, random_keys, rom_named
from diorama.contracts.errors import ConfigError, DocumentError
from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.lanes import open_lanes
from tests.worlds.gameboy.on_oracle import built, needs_oracle

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gameboy.py"


def small() -> Setting:
    return random_keys(warm_up_steps=1, steps=3, seconds=60.0)


def point(name: str = "JOY_DIVERGE_PERSIST", lanes: int = 40, setting: Setting | None = None) -> JsonObject:
    chosen = setting or small()
    runner = LanesRunner("rust", rom_named(name), lanes, "full_step", chosen, 1)
    return measure_point(runner, rom_named(name), lanes, "full_step", chosen, experiment="E2")


def test_a_point_tells_every_field() -> None:
    row: dict[str, Any] = dict(point())

    assert (row["rom"], row["lanes"], row["steps"], row["experiment"]) == ("JOY_DIVERGE_PERSIST", 40, 3, "E2")
    assert row["total_sps"] == pytest.approx(3 * 40 / row["seconds"])
    assert row["per_env_sps"] == pytest.approx(row["total_sps"] / 40)
    assert row["frames_per_sec"] == pytest.approx(row["total_sps"] * 24)
    assert row["realtime_multiple"] == pytest.approx(row["frames_per_sec"] / 59.7275, rel=1e-5)
    assert row["instructions_per_sec"] * row["seconds"] > 3 * 24 * 40 * 5_000
    assert row["state_bytes_per_lane"] > 16_896
    assert row["divergence"]["samples"] == 3
    assert 1.0 < row["divergence"]["distinct_pcs_per_block"] <= 32
    assert 0.0 < row["divergence"]["distinct_pcs_per_lane"] <= 1.0


def test_lanes_without_keys_stay_together() -> None:
    row: dict[str, Any] = dict(point(setting=no_keys(small())))

    assert row["divergence"]["distinct_pcs_per_lane"] == pytest.approx(1 / 40)
    assert row["divergence"]["distinct_pcs_per_block"] == 1.0


def test_both_sides_pack_pictures_alike() -> None:
    full, half = (open_lanes("rust", built("GRID_GOAL"), 1, picture=form) for form in ("shade_full", "packed2"))
    for lanes in (full, half):
        lanes.run_frames(60)

    np.testing.assert_array_equal(packed2(full.read_frame(0)), half.read_frame(0))
    assert half.read_frame(0).any()


def test_an_episode_ends_when_the_goal_is_shown_twice() -> None:
    goal = np.random.default_rng(0).integers(0, 256, (72, 20), dtype=np.uint8)
    reward = GoalReward(2, goal)
    pictures = np.stack([goal, ~goal])

    (_, once), (paid, twice) = reward.step(pictures), reward.step(pictures)

    assert (once.tolist(), twice.tolist()) == ([0, 0], [1, 0])
    assert paid[0] == pytest.approx(-0.01 + 10.0)


def stored(tmp_path: Path, name: str, **changed: object) -> Path:
    document: dict[str, Any] = {
        "schema_version": 1,
        "run_id": name,
        "config": dict(small().to_json()),
        "results": [dict(point(lanes=2))],
    }
    for key, value in changed.items():
        place, _, field = key.partition("__")
        if field:
            target = document[place][0] if place == "results" else document[place]
            target[field] = value
        else:
            document[place] = value
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def test_runs_that_measured_the_same_are_related(tmp_path: Path) -> None:
    first, second = (read_run(stored(tmp_path, name)) for name in ("a", "b"))

    ((before, after),) = relate(first, second)

    assert before.place == after.place


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        pytest.param({"config__schedule": {"frames_per_step": 4}}, "schedule is", id="schedule"),
        pytest.param({"config__action_source": {"name": "noop"}}, "action_source is", id="actions"),
        pytest.param({"config__codec": "other_v2"}, "codec is", id="codec"),
        pytest.param({"results__rom_sha256": "0" * 64}, "has other bytes", id="rom"),
        pytest.param({"results__stage": "emulate_only"}, "no stage, ROM and lane count", id="stage"),
    ],
)
def test_runs_that_measured_different_things_are_refused(
    tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    first, second = read_run(stored(tmp_path, "a")), read_run(stored(tmp_path, "b", **changed))

    with pytest.raises(ConfigError, match=message):
        relate(first, second)


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="is no run"):
        read_run(tmp_path / "absent.json")
    with pytest.raises(DocumentError, match="has schema version 9"):
        read_run(stored(tmp_path, "a", schema_version=9))


@pytest.mark.slow
def test_lanes_on_a_device_are_measured_without_leaving_it() -> None:
    pytest.importorskip("warp", reason="Warp is not installed (extra `gpu`): lanes on a device were not measured")
    from consoles.device_build import DeviceBuild
    from consoles.device_runner import DeviceRunner

    rom, setting = rom_named("GRID_GOAL"), small()
    runner = DeviceRunner(rom, 40, "full_step", setting, DeviceBuild(), device="cpu")

    row = measure_point(runner, rom, 40, "full_step", setting)

    assert (row["backend"], row["build"], row["steps"]) == ("warp_cpu", str(DeviceBuild()), 3)
    assert runner.pcs().shape == (40,)


@needs_oracle
@pytest.mark.slow
def test_the_quick_form_writes_a_report(tmp_path: Path) -> None:
    report = tmp_path / "gameboy.json"

    ended = subprocess.run(
        [sys.executable, str(SCRIPT), "--quick", "--json", str(report)], capture_output=True, text=True, check=False
    )

    assert ended.returncode in (0, 1), ended.stderr
    written = json.loads(report.read_text())
    assert {row["rom"] for row in written["one_core"]} == set(written["config"]["roms"])
    assert {"E0", "E1", "E2", "E2 control", "E3", "E4"} <= {row["experiment"] for row in written["results"]}
    assert {row["backend"] for row in written["results"]} >= {"rust", "pyboy"}
