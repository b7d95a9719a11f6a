"""`diorama train`: flags, presets, resuming, exit codes."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.runs.run import open_run

QUICK = ("--preset", "quick", "--steps", "4096", "--eval-replays-per-window", "0", "--closing-episodes", "1")


def trained(root: Path, *arguments: str) -> int:
    return run(["train", "prospector", "--run-root", str(root), *arguments])


def test_a_run_ends_with_its_score_and_what_to_do_next(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert trained(tmp_path, "--run-id", "first", *QUICK) == 0

    printed = capsys.readouterr()
    assert "prudent_hauler" in printed.out
    assert "held-out" in printed.out
    assert f"watch it:   diorama serve --open --run-root {tmp_path}" in printed.out
    assert f"diorama replay export first --run-root {tmp_path}" in printed.out
    assert "steps/s" in printed.err or "steps" in printed.err
    assert open_run(tmp_path, "first").metadata().status.value == "completed"


def test_flags_beat_set_and_set_beats_the_preset(tmp_path: Path) -> None:
    arguments = ("--backend", "random", "--steps", "64", "--copies", "4", "--env-time-max", "50")

    code = trained(
        tmp_path,
        *("--run-id", "first", "--preset", "quick", *arguments),
        *("--set", "copies=9", "--set", "ppo.gamma=0.5", "--config", "pirates=false"),
        *("--eval-milestone-profit-thresholds", "1,2.5", "--eval-milestone-survival-thresholds=1"),
    )

    settings = json.loads((tmp_path / "first/config.json").read_text())
    assert code == 0
    assert (settings["copies"], settings["ppo"]["gamma"], settings["seed"]) == (4, 0.5, 0)
    assert settings["config"] == {"reward_profile": "v2", "time_max": 50.0, "pirates": False}
    assert settings["evaluation"]["milestones"] == {"profit": [1.0, 2.5], "survival": [1.0]}


def test_the_defaults_without_a_preset_are_those_of_the_specification(tmp_path: Path) -> None:
    assert trained(tmp_path, "--run-id", "first", "--preset", "none", "--backend", "random", "--steps", "8") == 0

    settings = json.loads((tmp_path / "first/config.json").read_text())
    assert settings["windows"] == {"env_steps": 2000, "flush_partial": False}
    assert settings["checkpoints"] == {"every_windows": 1, "keep_newest": None}
    assert settings["ppo"]["rollout_steps"] == 128
    assert (settings["ppo"]["num_minibatches"], settings["ppo"]["update_epochs"]) == (4, 4)
    assert (settings["ppo"]["gamma"], settings["ppo"]["gae_lambda"], settings["ppo"]["clip_coef"]) == (0.997, 0.95, 0.2)
    assert (settings["ppo"]["ent_coef"], settings["ppo"]["vf_coef"]) == (0.01, 0.5)
    assert (settings["optimizer"]["learning_rate"], settings["optimizer"]["max_grad_norm"]) == (3e-4, 0.5)
    assert settings["ppo"]["use_action_mask"] is True
    assert settings["evaluation"]["seed_offset"] == 100_000
    assert settings["evaluation"]["max_steps_per_episode"] == 512
    assert settings["telemetry"]["wandb_mode"] == "disabled"


def test_a_run_is_resumed_to_a_larger_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--preset", "quick", "--backend", "random", "--steps", "128")
    assert trained(tmp_path, "--run-id", "first", *arguments) == 0

    assert trained(tmp_path, "--resume", "first", "--steps", "256") == 0

    assert open_run(tmp_path, "first").metadata().env_steps_total == 256
    assert "completed after 256 env steps" in capsys.readouterr().out


def test_runs_get_an_id_of_their_own(tmp_path: Path) -> None:
    assert trained(tmp_path, "--preset", "quick", "--backend", "random", "--steps", "32") == 0

    (directory,) = tmp_path.iterdir()
    assert directory.name[8] == "T"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--gamma", "2"], "--gamma: ppo.gamma: 2.0 is wrong", id="out-of-range"),
        pytest.param(["--set", "ppo.gama=1"], "--set: ppo.gama: there is no such setting", id="typo"),
        pytest.param(["--set", "gamma"], "--set 'gamma' is not of the form", id="malformed"),
        pytest.param(["--preset", "huge"], "no preset of 'prospector' is called 'huge'", id="preset"),
        pytest.param(["--backend", "dqn"], "--backend: backend: 'dqn' is wrong", id="backend"),
        pytest.param(["--run-id", "../x"], "not allowed", id="run-id"),
        pytest.param(["--eval-milestone-profit-thresholds", "a"], "write numbers", id="thresholds"),
        pytest.param(["--eval-milestone-fame-thresholds", "1"], "'fame'", id="milestone-metric"),
        pytest.param(["--resume", "gone"], "there is no run 'gone'", id="resume-nothing"),
        pytest.param(["--wandb-mode", "maybe"], "--wandb-mode: telemetry.wandb_mode", id="wandb-mode"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(tmp_path, *arguments) == 2

    printed = capsys.readouterr().err
    assert message in printed
    assert len(printed.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--run-id", "first"], "exists already", id="twice"),
        pytest.param(["--resume", "first", "--copies", "3"], "--copies does not go with --resume", id="copies"),
        pytest.param(["--resume", "first", "--preset", "quick"], "--preset does not go with --resume", id="preset"),
        pytest.param(["--resume", "first", "--set", "seed=1"], "--set does not go with --resume", id="set"),
        pytest.param(["--resume", "first"], "larger number", id="done"),
    ],
)
def test_a_run_that_exists_keeps_its_settings(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(tmp_path, "--run-id", "first", "--preset", "quick", "--backend", "random", "--steps", "32") == 0
    capsys.readouterr()

    assert trained(tmp_path, *arguments) == 2

    assert message in capsys.readouterr().err
