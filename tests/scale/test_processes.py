"""`diorama train --processes`: started, interrupted, robbed of a process, and continued."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from diorama.cli.app import app, run
from diorama.cli.training.run import RunRequest, report_processes
from diorama.contracts.errors import ConfigError
from diorama.runs.clock import SystemClock
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.runs.windows.row import Totals
from diorama.scale.processes import Launched, verdict
from diorama.training.envs import one_copy
from diorama.training.plan import plan_training
from diorama.training.run_directory import create
from diorama.training.settings import TrainingSettings
from tests.refusals import refused

ENDLESS = ["--preset", "quick", "--steps", "50000000", "--set", "evaluation.replays_per_window=0", "--threads", "1"]


def started(root: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "diorama", "train", "prospector", *arguments, "--run-root", str(root)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not happened():
        assert process.poll() is None, process.communicate()[0]
        sleep(0.05)


def windows(root: Path) -> int:
    path = root / "pair" / "metrics" / "windows.jsonl"
    return len(path.read_bytes().splitlines()) if path.exists() else 0


def members(launcher: int) -> dict[int, int]:
    """Process ids by rank."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (entry / "stat").exists():
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == launcher:
                told = dict(item.partition("=")[::2] for item in (entry / "environ").read_text().split("\0"))
                found[int(told["RANK"])] = int(entry.name)
    return found


@pytest.mark.slow
def test_an_interrupt_ends_all_with_a_checkpoint_and_the_loss_of_one_ends_all_with_a_word(tmp_path: Path) -> None:
    pair = started(tmp_path, *ENDLESS, "--run-id", "pair", "--processes", "2")
    wait_for(lambda: windows(tmp_path) > 0, pair)
    everybody = members(pair.pid)
    pair.send_signal(signal.SIGINT)
    said, _ = pair.communicate()

    assert pair.returncode == 0, said
    assert "go on with: diorama train prospector --resume pair" in said
    stopped = open_run(tmp_path, "pair").metadata()
    assert stopped.status is RunStatus.STOPPED
    assert stopped.latest_checkpoint is not None
    assert stopped.latest_checkpoint.env_steps_total == stopped.env_steps_total
    assert sorted(everybody) == [0, 1]
    assert not any(Path(f"/proc/{process}").exists() for process in everybody.values())

    before = windows(tmp_path)
    four = started(tmp_path, "--resume", "pair", "--processes", "4")
    wait_for(lambda: windows(tmp_path) > before, four)
    everybody = members(four.pid)
    os.kill(everybody[2], signal.SIGKILL)
    said, _ = four.communicate()

    assert four.returncode == 2
    assert "process 2 of 4 was ended by SIGKILL; run 'pair' has a checkpoint; resume it with:" in said
    assert f"diorama train prospector --resume pair --run-root {tmp_path} --processes 4" in said
    assert "Traceback" not in said
    assert open_run(tmp_path, "pair").metadata().status is RunStatus.FAILED
    assert not any(Path(f"/proc/{process}").exists() for process in everybody.values())

    steps = str(stopped.env_steps_total + 4096)
    assert run(["train", "prospector", "--resume", "pair", "--steps", steps, "--run-root", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        pytest.param(["--processes", "2", "--copies", "31"], "copies_not_divisible", id="copies"),
        pytest.param(
            ["--processes", "2", "--set", "execution.pipeline=true"], "distributed_excludes_pipeline", id="pipeline"
        ),
        pytest.param(
            ["--processes", "2", "--set", "normalization.rewards=running_std"],
            "processes_exclude_running_std",
            id="running-std",
        ),
        pytest.param(["--ray-workers", "33"], "more_workers_than_copies", id="workers"),
        pytest.param(["--ray-workers", "2", "--processes", "2"], "ray_workers_with_processes", id="workers-processes"),
        pytest.param(["--ray", "auto"], "ray_without_workers", id="cluster-without-workers"),
    ],
)
def test_options_that_cannot_be_combined_are_refused(arguments: list[str], code: str, tmp_path: Path) -> None:
    with refused(ConfigError, code):
        train_prospector(tmp_path, *arguments)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "code"),
    [("--ray-workers", "ray_workers_with_torchrun"), ("--processes", "processes_with_torchrun")],
)
def test_processes_of_torchrun_start_no_others(
    option: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "wide")
    monkeypatch.setenv("WORLD_SIZE", "2")

    with refused(ConfigError, code):
        train_prospector(tmp_path, option, "2")


def train_prospector(root: Path, *arguments: str) -> None:
    app(["train", "prospector", "--preset", "quick", *arguments, "--run-root", str(root)], standalone_mode=False)


def test_an_interrupt_is_well_only_if_the_run_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_training(TrainingSettings.model_validate({"world": "prospector", "steps": 64, "copies": 4}))
    request = RunRequest(plan=plan, run_root=tmp_path, run_id="pair")
    interrupted = Launched(exit_code=0, is_interrupted=True)

    assert report_processes(request, interrupted, 2) == 2
    assert "did not end the run themselves; run 'pair' had not begun" in capsys.readouterr().err

    with create(tmp_path, "pair", plan, one_copy(plan), SystemClock()) as writer:
        assert report_processes(request, interrupted, 2) == 2
        assert (
            "run 'pair' has no checkpoint yet; start it again with:"
            f" diorama train prospector --resume pair --run-root {tmp_path} --processes 2"
        ) in capsys.readouterr().err

        writer.keeper.stopped(Totals())
        assert report_processes(request, interrupted, 2) == 0
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("codes", "exit_code"),
    [({0: 2, 1: 4}, 4), ({0: -signal.SIGTERM, 1: 4}, 4), ({0: 1, 1: 2}, 1), ({1: 1, 2: 2}, 2)],
)
def test_the_process_that_knows_what_is_wrong_decides_the_exit_code(codes: dict[int, int], exit_code: int) -> None:
    assert verdict(codes, 3) == Launched(exit_code=exit_code)


def test_the_loss_of_a_process_is_told_rather_than_what_the_launcher_ended() -> None:
    lost = verdict({0: 2, 1: -signal.SIGTERM, 2: -signal.SIGKILL}, 3)
    assert lost == Launched(exit_code=2, why="process 2 of 3 was ended by SIGKILL")
