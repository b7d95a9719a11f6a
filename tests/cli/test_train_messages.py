"""The messages of `diorama train`, as the command line prints them."""

from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.cli.invoking import store_random_run

RESUMED = "cannot be combined with --resume first: a run keeps its settings; only --steps may grow"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--eval-milestone-profit-thresholds", "1,many"],
            "--eval-milestone-profit-thresholds '1,many': write numbers with commas between them, like 100,500",
            id="thresholds",
        ),
        pytest.param(
            ["--ray", "auto"],
            "--ray auto names a cluster; add --ray-workers N, the number of its workers that collect the rollouts",
            id="cluster-without-workers",
        ),
        pytest.param(
            ["--ray-workers", "2", "--processes", "2"],
            "--ray-workers cannot be combined with --processes: one process learns from the rollouts of all workers",
            id="workers-and-processes",
        ),
        pytest.param(
            ["--set", "kickstarting={teacher: prudent_hualer}"],
            "no run directory, checkpoint, champion/WORLD or bot of 'prospector' (in kickstarting.teacher) is called"
            " 'prudent_hualer' (did you mean 'prudent_hauler'?); there are: cash_out, idle, random_valid, greedy_miner,"
            " cautious_scanner, market_timer, prudent_hauler, refiner, explorer",
            id="unknown-teacher",
        ),
        pytest.param(["--resume", "first", "--copies", "3"], f"--copies {RESUMED}", id="resume-with-flag"),
        pytest.param(["--resume", "first", "--set", "seed=1"], f"--set {RESUMED}", id="resume-with-set"),
        pytest.param(
            ["--resume", "first", "--eval-milestone-profit-thresholds", "1"],
            f"--eval-milestone-profit-thresholds {RESUMED}",
            id="resume-with-thresholds",
        ),
    ],
)
def test_a_wrong_command_line_ends_with_this_line(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", "prospector", "--preset", "default", "--run-root", str(tmp_path), *arguments]) == 2

    assert capsys.readouterr().err == f"diorama: {message}\n"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        pytest.param(
            "--ray-workers",
            "--ray-workers 2 cannot be combined with torchrun: start one process, which learns",
            id="workers",
        ),
        pytest.param(
            "--processes",
            "--processes 2: torchrun has started processes already; leave --processes out",
            id="processes",
        ),
    ],
)
def test_a_process_of_torchrun_that_is_to_start_others_ends_with_this_line(
    tmp_path: Path,
    option: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "wide")
    monkeypatch.setenv("WORLD_SIZE", "2")

    assert run(["train", "prospector", "--preset", "quick", option, "2", "--run-root", str(tmp_path)]) == 2

    assert capsys.readouterr().err == f"diorama: {message}\n"


def test_a_run_that_is_resumed_in_another_world_ends_with_this_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store_random_run(tmp_path, "first")
    capsys.readouterr()

    assert run(["train", "tidebreak", "--resume", "first", "--run-root", str(tmp_path)]) == 2

    assert capsys.readouterr().err == "diorama: run 'first' is of world 'prospector', not of 'tidebreak'\n"
