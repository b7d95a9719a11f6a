"""`diorama train`: options, presets, resuming, exit codes."""

import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import pytest
import typer
from typer.testing import CliRunner

from diorama.cli.app import app, run
from diorama.cli.training.options import SETTING_OPTIONS, Given, SettingOption, TrainCommand, with_setting_options
from diorama.contracts.errors import ConfigError, DioramaError, RunConflict
from diorama.runs.run import open_run
from diorama.training.presets import Layer, settings_of
from diorama.training.settings import TrainingSettings
from tests.cli.invoking import store_random_run
from tests.refusals import refused

QUICK = ("--preset", "quick", "--steps", "4096", "--eval-replays-per-window", "0", "--closing-episodes", "1")


def trained(root: Path, *arguments: str) -> int:
    return run(["train", "prospector", "--run-root", str(root), *arguments])


def train_prospector(root: Path, *arguments: str) -> None:
    """Train in this process and let errors pass."""
    app(["train", "prospector", "--run-root", str(root), *arguments], standalone_mode=False)


def field_types(setting: str) -> set[Any]:
    """Return the types that the settings model allows a setting."""
    annotation: Any = TrainingSettings
    for name in setting.split("."):
        annotation = annotation.model_fields[name].annotation
    members = get_args(annotation) or (annotation,)
    return {get_args(member)[0] if get_origin(member) is Annotated else member for member in members}


TRAINING_OPTIONS = [option for option in SETTING_OPTIONS if not option.setting.startswith("config.")]


@pytest.mark.parametrize("option", TRAINING_OPTIONS, ids=lambda option: option.flag)
def test_an_option_has_the_type_of_its_setting(option: SettingOption) -> None:
    types = field_types(option.setting)

    enums = [kind for kind in types if issubclass(kind, Enum)]
    assert option.value_type in types or (option.value_type is str and enums)
    for kind in enums:
        assert set(option.choices) == {member.value for member in kind}


@pytest.mark.parametrize(
    "option", [option for option in SETTING_OPTIONS if option.choices], ids=lambda option: option.flag
)
def test_a_setting_takes_the_choices_of_its_option_and_no_other(option: SettingOption) -> None:
    for choice in option.choices:
        settings_of([Layer(source="test", values={"world": "prospector", **option.nested(choice)})])

    with pytest.raises(ConfigError, match="other"):
        settings_of([Layer(source="test", values={"world": "prospector", **option.nested("other")})])


def test_a_command_receives_the_given_settings_by_flag() -> None:
    received: dict[str, Any] = {}

    def command(context: typer.Context, world: str, *, given: Given) -> None:
        received.update(given)

    program = typer.Typer()
    program.command(cls=TrainCommand)(with_setting_options(command))
    arguments = ["prospector", "--gamma", "0.5", "--no-action-mask", "--eval-milestone-mean-profit-thresholds", "1,2"]
    result = CliRunner().invoke(program, arguments)

    assert result.exit_code == 0, result.output
    assert received == {
        "--gamma": {"ppo": {"gamma": 0.5}},
        "--use-action-mask": {"ppo": {"use_action_mask": False}},
        "--eval-milestone-mean-profit-thresholds": {"evaluation": {"milestones": {"mean_profit": [1.0, 2.0]}}},
    }


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
    assert settings["checkpoints"] == {"every_windows": 1, "keep_newest": None, "keep_clone": False}
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
    "arguments",
    [
        pytest.param(["--gamma", "2"], id="out-of-range"),
        pytest.param(["--gamma", "high"], id="no-number"),
        pytest.param(["--set", "ppo.gama=1"], id="typo"),
        pytest.param(["--set", "gamma"], id="malformed"),
        pytest.param(["--preset", "huge"], id="preset"),
        pytest.param(["--backend", "dqn"], id="backend"),
        pytest.param(["--run-id", "../x"], id="run-id"),
        pytest.param(["--eval-milestone-profit-thresholds", "a"], id="thresholds"),
        pytest.param(["--eval-milestone-fame-thresholds", "1"], id="milestone-metric"),
        pytest.param(["--resume", "gone"], id="resume-nothing"),
        pytest.param(["--wandb-mode", "maybe"], id="wandb-mode"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(tmp_path, *arguments) == 2

    printed = capsys.readouterr().err
    assert printed.startswith("diorama: ")
    assert len(printed.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "source"),
    [
        pytest.param(["--gamma", "2"], "--gamma: ppo.gamma: ", id="flag"),
        pytest.param(["--wandb-mode", "maybe"], "--wandb-mode: telemetry.wandb_mode: ", id="choice"),
        pytest.param(["--set", "ppo.gama=1"], "--set: ppo.gama: ", id="set"),
    ],
)
def test_a_wrong_setting_is_named_with_the_option_that_gave_it(
    tmp_path: Path, arguments: list[str], source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert trained(tmp_path, *arguments) == 2

    assert capsys.readouterr().err.startswith(f"diorama: {source}")


def test_thresholds_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    with refused(ConfigError, "thresholds_not_numbers", flag="--eval-milestone-profit-thresholds", text="a"):
        train_prospector(tmp_path, "--eval-milestone-profit-thresholds", "a")


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--copies", "3"),
        ("--preset", "quick"),
        ("--run-id", "second"),
        ("--set", "seed=1"),
        ("--config", "time_max=9"),
        ("--eval-milestone-profit-thresholds", "1"),
    ],
)
def test_a_resumed_run_keeps_its_settings(tmp_path: Path, flag: str, value: str) -> None:
    with refused(ConfigError, "resumed_run_keeps_settings", flag=flag, run_id="first"):
        train_prospector(tmp_path, "--resume", "first", flag, value)


def test_a_run_is_resumed_in_its_own_world_only(tmp_path: Path) -> None:
    store_random_run(tmp_path, "first")

    with refused(ConfigError, "run_of_another_world", run_id="first", world="prospector", asked="tidebreak"):
        app(["train", "tidebreak", "--run-root", str(tmp_path), "--resume", "first"], standalone_mode=False)


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        pytest.param(RunConflict, ["--run-id", "first"], id="twice"),
        pytest.param(ConfigError, ["--resume", "first"], id="done"),
    ],
)
def test_a_run_that_exists_is_not_written_again(tmp_path: Path, kind: type[DioramaError], arguments: list[str]) -> None:
    store_random_run(tmp_path, "first")
    stored = (tmp_path / "first/run_metadata.json").read_bytes()

    with pytest.raises(kind):
        train_prospector(tmp_path, *arguments)

    assert (tmp_path / "first/run_metadata.json").read_bytes() == stored
