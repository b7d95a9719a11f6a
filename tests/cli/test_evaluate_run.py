"""`diorama eval RUN`: the policy of a run beside every baseline."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.runs.run import open_run
from diorama.worlds.registry import load_world
from tests.training.small_runs import small_plan, train_small


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    train_small(root, "taught", small_plan(steps=512))
    train_small(root, "aimless", small_plan(steps=512, backend="random"))
    return root


def test_a_run_is_scored_beside_every_baseline_of_its_world(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "2", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) == 0

    report = json.loads(target.read_text())
    bots = load_world("prospector").bots
    assert [item["kind"] for item in report["contenders"]] == ["run", *["bot"] * len(bots)]
    assert {item["name"] for item in report["contenders"]} == {"taught", *bots}
    assert report["config"]["time_max"] == 300.0
    assert report["training_runs"][0]["run_id"] == "taught"
    assert report["training_runs"][0]["deterministic"] is True


def test_the_table_shows_intervals(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "taught", "--run-root", str(root), "--episodes", "2", "--bot", "cash_out"]) == 0

    printed = capsys.readouterr().out
    assert "95% intervals" in printed
    assert "taught" in printed
    assert ".." in printed


def test_a_policy_can_draw_its_actions(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "2", "--bot", "idle", "--stochastic", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) == 0

    assert json.loads(target.read_text())["training_runs"][0]["deterministic"] is False


def test_the_protocol_judges_the_run_in_the_default_configuration(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--run-root", str(root), "--episodes", "1", "--bot", "cash_out", "--protocol", "--json", str(target)]

    assert run(["eval", "taught", *arguments]) in (0, 1)

    report = json.loads(target.read_text())
    assert report["comparison"]["reference_policy"] == "taught"
    assert report["config"]["time_max"] == 20000.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nobody"], "no world", id="neither-world-nor-run"),
        pytest.param(["../evil"], "not allowed", id="traversal"),
        pytest.param(["aimless"], "played at random", id="no-policy"),
        pytest.param(["prospector"], "--bot", id="a-world-needs-bots"),
        pytest.param(["prospector", "--bot", "idle", "--stochastic"], "go with a run", id="stochastic-bots"),
    ],
)
def test_bad_input_is_one_line(
    root: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", *arguments, "--run-root", str(root)]) == 2

    printed = capsys.readouterr().err
    assert message in printed
    assert len(printed.splitlines()) == 1


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("judged")
    evaluation = {"validation_episodes": 2, "closing_episodes": 0, "max_steps_per_episode": 16}
    cloning = {"bot": "prudent_hauler", "decisions": 256, "copies": 8, "epochs": 1}
    plan = small_plan(
        steps=1024,
        windows={"env_steps": 256},
        checkpoints={"every_windows": 1, "keep_clone": True},
        evaluation=evaluation,
        cloning=cloning,
    )
    train_small(root, "judged", plan)
    return root


@pytest.mark.parametrize("choice", [None, "best", "newest", "clone", "0"])
def test_a_checkpoint_of_the_run_can_be_named(judged: Path, tmp_path: Path, choice: str | None) -> None:
    target = tmp_path / "report.json"
    named = [] if choice is None else ["--checkpoint", choice]
    arguments = ["--run-root", str(judged), "--episodes", "1", "--bot", "idle", "--json", str(target), *named]

    assert run(["eval", "judged", *arguments]) == 0

    best = open_run(judged, "judged").metadata().best_checkpoint
    assert best is not None
    others = {"newest": "ckpt_000003", "clone": "clone", "0": "ckpt_000000"}
    wanted = f"checkpoints/{others[choice]}.safetensors" if choice in others else best.path
    assert json.loads(target.read_text())["training_runs"][0]["checkpoint"] == wanted


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["judged", "--checkpoint", "9"],
            "no checkpoint of run 'judged' is called '9'; there are: newest, best, clone, 0, 1, 2, 3",
            id="window",
        ),
        pytest.param(
            ["prospector", "--bot", "idle", "--checkpoint", "newest"],
            "--checkpoint goes with a run; bots have none",
            id="world",
        ),
    ],
)
def test_a_checkpoint_that_is_not_there_is_refused(
    judged: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", *arguments, "--run-root", str(judged), "--episodes", "1"]) == 2

    assert capsys.readouterr().err == f"diorama: {message}\n"


def test_a_checkpoint_that_the_run_never_kept_says_how_to_keep_one(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["eval", "taught", "--run-root", str(root), "--checkpoint", "best"]) == 2

    assert capsys.readouterr().err == (
        "diorama: run 'taught' has no checkpoint 'best': it chose none; evaluation.validation_episodes makes a run"
        " choose one\n"
    )
