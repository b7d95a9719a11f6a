"""Goal templates: capture, storing, every mismatch, the replay gate, and what a goal pays."""

import json
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, StorageError
from diorama.worlds.gameboy.config import GameboyConfig, Start
from diorama.worlds.gameboy.envs.arrays import HOST
from diorama.worlds.gameboy.envs.goals.capture import capture_template, replay_gate
from diorama.worlds.gameboy.envs.goals.matching import GoalPay, count_matches, distance_of, pay_step
from diorama.worlds.gameboy.envs.goals.sources import expected_of, goals_of
from diorama.worlds.gameboy.envs.goals.template import META_FILE, PICTURE_FILE, load_template, save_template
from diorama.worlds.gameboy.envs.starts import own_start, setup_of
from diorama.worlds.gameboy.errors import CodecMismatch, GoalTemplateMismatch
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from tests.worlds.gameboy.envs.batches import SHORT, opened, play

CONFIG = GameboyConfig.model_validate(SHORT)
SOLUTION = TASK_ROMS["GRID_GOAL"].solve().actions[1:]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    save_template(capture_template(setup_of(CONFIG), own_start(CONFIG), SOLUTION), tmp_path / "goal")
    return tmp_path / "goal"


def test_a_stored_template_is_what_was_captured(folder: Path) -> None:
    stored = load_template(folder, expected_of(CONFIG))

    np.testing.assert_array_equal(stored.picture, goals_of(CONFIG)[0].picture)
    assert (stored.meta.tau, stored.meta.k_consecutive, stored.meta.pipeline_version) == (0.05, 2, 2)
    assert len(stored.meta.state_sha256) == len(stored.meta.actions_sha256) == 64


def test_a_template_is_not_written_over_unless_forced(folder: Path) -> None:
    template = load_template(folder, expected_of(CONFIG))

    with pytest.raises(StorageError, match="there is a goal template already"):
        save_template(template, folder)
    save_template(template, folder, force=True)


@pytest.mark.parametrize(
    ("field", "stored"),
    [
        ("schema_version", 2),
        ("rom_sha256", "00"),
        ("frames_per_step", 24),
        ("release_after_frames", 8),
        ("downsample_h", 144),
        ("downsample_w", 160),
        ("stack_k", 4),
        ("shade_levels", 2),
        ("dist_metric", "l2"),
        ("pipeline_version", 1),
        ("template_sha256", "11"),
        ("tau", 0.0),
        ("k_consecutive", 0),
    ],
)
def test_a_template_captured_under_other_conditions_is_refused(folder: Path, field: str, stored: object) -> None:
    change_meta(folder, field, stored)

    with pytest.raises(GoalTemplateMismatch, match=f"{field} is {stored!r}; expected"):
        load_template(folder, expected_of(CONFIG))


@pytest.mark.parametrize("stored", ["other_codec_v2", None], ids=["another", "none"])
def test_another_action_codec_is_refused_loudly(folder: Path, stored: str | None) -> None:
    change_meta(folder, "action_codec_id", stored)

    with pytest.raises(CodecMismatch, match="recapture it"):
        load_template(folder, expected_of(CONFIG))
    with pytest.raises(GoalTemplateMismatch):
        load_template(folder, expected_of(CONFIG))


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        pytest.param(np.zeros((72, 80), np.int16), "dtype is 'int16'; expected 'uint8'", id="type"),
        pytest.param(np.zeros((144, 160), np.uint8), r"shape is \[144, 160\]; expected", id="shape"),
        pytest.param(np.full((72, 80), 4, np.uint8), "largest shade is 4", id="shades"),
        pytest.param(np.zeros((72, 80), np.uint8), "template_sha256 is", id="other-pixels"),
    ],
)
def test_a_picture_that_is_not_the_captured_one_is_refused(
    folder: Path, picture: np.ndarray[tuple[int, int], np.dtype[np.generic]], message: str
) -> None:
    np.save(folder / PICTURE_FILE, picture)

    with pytest.raises(GoalTemplateMismatch, match=message):
        load_template(folder, expected_of(CONFIG))


@pytest.mark.parametrize("name", [PICTURE_FILE, META_FILE])
def test_files_that_are_no_template_are_refused(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"{]")

    with pytest.raises(GoalTemplateMismatch, match=name):
        load_template(folder, expected_of(CONFIG))
    (folder / name).unlink()
    with pytest.raises(GoalTemplateMismatch, match="does not exist"):
        load_template(folder, expected_of(CONFIG))


def test_the_solution_passes_the_replay_gate(folder: Path) -> None:
    template = load_template(folder, expected_of(CONFIG))

    report = replay_gate(setup_of(CONFIG), own_start(CONFIG), [*SOLUTION, 0], template)
    calibration = report.calibration()

    assert (report.exit_code, report.reached_at) == (0, len(SOLUTION))
    assert calibration["recommended_tau"] == pytest.approx(0.01)
    assert (calibration["min"], len(calibration["histogram"])) == (0.0, 20)  # type: ignore[arg-type]


def test_a_trace_that_misses_the_goal_leaves_its_distances_and_last_picture(folder: Path, tmp_path: Path) -> None:
    template = load_template(folder, expected_of(CONFIG))

    report = replay_gate(setup_of(CONFIG), own_start(CONFIG), [0, 0, 0], template)
    report.write_failure(tmp_path / "failure")

    assert report.exit_code == 1
    assert json.loads((tmp_path / "failure/distances.json").read_text()) == report.distances.tolist()
    assert np.load(tmp_path / "failure/last_picture.npy").shape == (72, 80)


def test_a_stored_goal_is_played_for_with_its_own_threshold(folder: Path) -> None:
    change_meta(folder, "k_consecutive", 1)
    batch = opened(goal=str(folder))

    rewards = play(batch, SOLUTION)

    assert batch.terminated[0]
    assert rewards[-1] == np.float32(-0.01) + batch.step_record(0).reward_terms[0]["progress"] + np.float32(10)


def test_a_goal_of_the_whole_stack_is_compared_with_the_whole_stack(tmp_path: Path) -> None:
    stacked = GameboyConfig.model_validate({**SHORT, "stack": 3})
    template = capture_template(setup_of(stacked), own_start(stacked), SOLUTION, stack_k=3, whole_stack=True)
    save_template(template, tmp_path)
    batch = opened(stack=3, goal=str(tmp_path), k_consecutive=1)
    packed = opened(stack=3, goal=str(tmp_path), k_consecutive=1, observation="packed2")

    assert template.picture.shape == (3, 72, 80)
    assert play(batch, SOLUTION) == play(packed, SOLUTION)
    assert batch.metrics[0, :3].tolist() == [1.0, 0.0, len(SOLUTION)]


def test_a_rom_without_a_goal_says_what_would_be_right() -> None:
    with pytest.raises(ConfigError, match="goal is empty and 'ALU_LOOP' has no solution of its own"):
        opened(rom="ALU_LOOP")
    with pytest.raises(ConfigError, match="stages is empty"):
        opened(rom="CATCH", kind="gb_curriculum")


def test_rewards_are_float32_in_one_order() -> None:
    previous, total = np.array([0.3, 0.7], np.float32), np.array([1234, 8640], np.int32)
    distance = distance_of(total, 5760, HOST)
    consecutive = count_matches(np.array([1, 1], np.int32), distance, np.array([0.1, 0.1], np.float32), HOST)

    paid = pay_step(previous, distance, consecutive >= 2, GoalPay(alpha=3.3), HOST)

    assert distance.dtype == paid.total.dtype == np.float32
    assert distance[0] == np.float32(1234) / np.float32(17280)
    assert consecutive.tolist() == [2, 0]
    progress = np.float32(3.3) * (previous - distance)
    np.testing.assert_array_equal(paid.total, (np.float32(-0.01) + progress) + np.array([10, 0], np.float32))


def test_the_start_of_a_trace_may_be_a_recipe_of_its_own() -> None:
    start = Start(actions=(*own_start(CONFIG).actions, *SOLUTION))

    template = capture_template(setup_of(CONFIG), start)

    np.testing.assert_array_equal(template.picture, goals_of(CONFIG)[0].picture)


def change_meta(folder: Path, field: str, value: object) -> None:
    meta = json.loads((folder / META_FILE).read_text())
    meta[field] = value
    if value is None:
        del meta[field]
    (folder / META_FILE).write_text(json.dumps(meta))
