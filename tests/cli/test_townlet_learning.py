"""`diorama townlet capture` and `clone`: from the scripted controller to a policy that training starts from."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.cli.townlet.annealing import plan_annealing, read_schedule
from diorama.cli.townlet.cloning import plan_cloning
from diorama.contracts.errors import ConfigError
from diorama.learn.settings.imitation import GateSettings
from diorama.runs.run import open_run
from diorama.training.presets import preset_names
from tests.worlds.townlet.small_scene import small_scene

EASY = ("--accuracy", "0.2", "--set", "cloning.gate.recall=0", "--set", "cloning.gate.value_error=1000")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a dataset of a small scene."""
    folder = tmp_path_factory.mktemp("learning")
    (folder / "small.yaml").write_text(small_scene(ticks=90))
    assert captured(folder, "first") == 0
    return folder


def captured(folder: Path, name: str, *arguments: str) -> int:
    scene = ("--scene", str(folder / "small.yaml"), "--rounds", "2", "--preset", "quick")
    return run(["townlet", "capture", name, "--root", str(folder / "datasets"), *scene, *arguments])


def cloned(folder: Path, name: str, *arguments: str, dataset: str = "first") -> int:
    runs = ("--run-root", str(folder / "runs"), "--run-id", name, "--preset", "quick")
    return run(["townlet", "clone", str(folder / "datasets" / dataset), *runs, *arguments])


def test_a_clone_that_passes_is_kept(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cloned(root, "clone", *EASY) == 0

    printed = capsys.readouterr().out
    assert "accuracy" in printed
    assert "<= 1000" in printed
    assert "--set start=" in printed
    result = json.loads((root / "runs/clone/cloning.json").read_text())
    assert result["dataset"] == "first"
    assert len(result["policy_hash"]) == 64
    assert open_run(root / "runs", "clone").metadata().status.value == "completed"


@pytest.mark.slow
def test_training_starts_from_a_clone(root: Path) -> None:
    assert cloned(root, "begin", *EASY) == 0

    steps = ("--steps", "64", "--eval-replays-per-window", "0", "--closing-episodes", "0")
    quick = ("--run-id", "on", "--run-root", str(root / "runs"), "--preset", "quick", "--set", "copies=1")
    assert run(["train", "townlet", *quick, *steps, "--set", f"start={root / 'runs/begin'}"]) == 0


def test_without_a_gate_every_clone_is_kept(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cloned(root, "any", "--set", "cloning.gate=null", "--set", "cloning.epochs=1") == 0

    assert "asked for" in capsys.readouterr().out


def test_a_clone_that_does_not_pass_leaves_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cloned(root, "poor", "--accuracy", "1.0", "--set", "cloning.epochs=1") == 1

    assert "does not pass its gate: accuracy is" in capsys.readouterr().err
    assert not (root / "runs/poor").exists()


def test_a_changed_dataset_is_refused_in_one_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert captured(root, "spoiled") == 0
    sample = next((root / "datasets/spoiled").glob("*.npz"))
    sample.write_bytes(sample.read_bytes()[:-1] + b"?")

    assert cloned(root, "none", dataset="spoiled") == 2

    message = capsys.readouterr().err.strip().splitlines()[-1]
    assert message.startswith("diorama: ")
    assert "the file was changed" in message
    assert not (root / "runs/none").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param(("--preset", "none"), "observation width is 128; the world's is 612", id="observation"),
        pytest.param(("--preset", "nothing"), "no preset of 'townlet' is called 'nothing'", id="preset"),
        pytest.param(("--set", "cloning.epochs=0"), "cloning.epochs", id="setting"),
    ],
)
def test_bad_input_for_a_clone_is_one_line(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    assert cloned(root, "bad", *arguments) == 2

    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        pytest.param("first", (), "exists already", id="exists"),
        pytest.param("a/b", (), "cannot be called", id="name"),
        pytest.param("next", ("--replaces", "gone"), "'gone'", id="replaces"),
        pytest.param("next", ("--scene", "nowhere"), "no scenario is called 'nowhere'", id="scene"),
        pytest.param("next", ("--scene", "queue_conflict"), "the controller leads nobody in it", id="nobody"),
        pytest.param("next", ("-c", "policy_runtime.action_level=primitive"), "primitives", id="level"),
    ],
)
def test_bad_input_for_a_capture_is_one_line_and_leaves_nothing(
    root: Path, capsys: pytest.CaptureFixture[str], name: str, arguments: tuple[str, ...], reason: str
) -> None:
    before = sorted((root / "datasets").rglob("*"))

    assert captured(root, name, *arguments) == 2

    assert reason in capsys.readouterr().err
    assert sorted((root / "datasets").rglob("*")) == before


@pytest.mark.parametrize("preset", preset_names("townlet"))
def test_a_dataset_can_be_cloned_into_the_network_of_every_preset(preset: str) -> None:
    plan = plan_cloning(Path("datasets/first"), preset=preset, overrides=[], gate=GateSettings(accuracy=0.8))

    cloning = plan.settings.cloning
    assert cloning is not None
    assert (cloning.bot, cloning.dataset, cloning.rounds) == (None, "datasets/first", 1)
    assert cloning.gate == GateSettings(accuracy=0.8)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param(("anneal",), "name a dataset to clone", id="no-dataset"),
        pytest.param(("anneal", "{first}", "--schedule", "nowhere.yaml"), "there is no such file", id="no-schedule"),
        pytest.param(("anneal", "{first}", "--set", "steps=10"), "set steps to 25600, not 10", id="steps"),
        pytest.param(("anneal", "--resume", "nobody"), "there is no run 'nobody'", id="no-run"),
        pytest.param(("anneal", "{first}", "--resume", "nobody"), "leave out all others", id="both"),
        pytest.param(("replay", "nowhere"), "nowhere is not a dataset: it has no manifest.json", id="replay"),
        pytest.param(("clone", "nowhere"), "nowhere is not a dataset: it has no manifest.json", id="clone"),
    ],
)
def test_what_cannot_be_learned_from_is_told_in_one_line(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], reason: str
) -> None:
    given = [argument.replace("{first}", str(root / "datasets/first")) for argument in arguments]

    assert run(["townlet", *given, "--preset", "quick", "--run-root", str(root / "runs")]) == 2

    told = capsys.readouterr().err.strip().splitlines()
    assert len(told) == 1
    assert reason in told[0]


def test_a_schedule_is_read_from_the_configuration_of_a_town(root: Path) -> None:
    text = "training:\n  anneal_accuracy_threshold: 0.5\n  anneal_schedule:\n"
    stages = "    - {cycle: 1, mode: ppo, epochs: 4}\n    - {cycle: 0, mode: bc, epochs: 2}\n"
    (root / "schedule.yaml").write_text(text + stages)

    plan = plan_annealing(
        root / "datasets/first", preset="quick", overrides=[], schedule=read_schedule(root / "schedule.yaml")
    )

    anneal = plan.settings.anneal
    assert anneal is not None
    assert [(stage.mode.value, stage.epochs, stage.cloning_weight) for stage in anneal.in_order] == [
        ("bc", 2, 1.0),
        ("ppo", 4, 0.0),
    ]
    assert (anneal.accuracy_threshold, plan.settings.steps) == (0.5, 4 * 64 * 4)
    (root / "schedule.yaml").write_text("training: {}\n")
    with pytest.raises(ConfigError, match="anneal_schedule is empty"):
        read_schedule(root / "schedule.yaml")
