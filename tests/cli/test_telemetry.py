"""`diorama telemetry`: what it prints and how it exits."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.telemetry.factories import ppo_record, write_log


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "ppo.ndjson", [ppo_record(1), ppo_record(2), ppo_record(3, kl_divergence=0.07)])


def telemetry(*arguments: str | Path) -> int:
    return run(["telemetry", *(str(argument) for argument in arguments)])


def test_valid_logs_are_code_0(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path / "ppo.ndjson.1", [ppo_record(4, mood=1.0)])

    exit_code = telemetry("validate", log)

    assert exit_code == 0
    assert capsys.readouterr().out.splitlines() == [
        f"warning: {log}.1 line 1: mood is no field of any version",
        f"{log}: 4 records in 2 files: valid, 1 warning",
    ]


def test_strictly_an_unknown_field_is_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = write_log(tmp_path / "ppo.ndjson", [ppo_record(1, mood=1.0)])

    exit_code = telemetry("validate", log, "--strict")

    assert exit_code == 1
    assert "error: " in capsys.readouterr().out


def test_one_invalid_log_of_many_is_code_1(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = write_log(tmp_path / "broken.ndjson", [[]] * 30)

    exit_code = telemetry("validate", log, broken)

    lines = capsys.readouterr().out.splitlines()
    assert exit_code == 1
    assert lines[0] == f"{log}: 3 records in 1 file: valid, 0 warnings"
    assert len(lines) == 1 + 20 + 1 + 1
    assert lines[-2:] == ["and 11 more", f"{broken}: 0 records in 1 file: INVALID, 31 errors, 0 warnings"]


def test_a_run_directory_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "telemetry").mkdir()
    write_log(tmp_path / "telemetry" / "ppo.ndjson", [ppo_record()])

    exit_code = telemetry("validate", tmp_path)

    assert exit_code == 0
    assert "1 record in 1 file: valid" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "exit_code"),
    [
        pytest.param([], 0, id="only-shown"),
        pytest.param(["--drift-threshold", "0.25"], 0, id="at-the-threshold"),
        pytest.param(["--drift-threshold", "0.24"], 1, id="beyond-the-threshold"),
        pytest.param(["--drift-threshold", "0.24", "--relative"], 1, id="relative-and-beyond"),
        pytest.param(["--drift-threshold", "0.34", "--relative"], 0, id="relative"),
    ],
)
def test_drift_is_shown_and_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], exit_code: int
) -> None:
    log = write_log(tmp_path / "new.ndjson", [ppo_record(1), ppo_record(2, loss_value=0.5)])
    baseline = write_log(tmp_path / "old.ndjson", [ppo_record(1), ppo_record(2), ppo_record(3)])

    assert telemetry("validate", log, "--baseline", baseline, *options) == exit_code

    said = capsys.readouterr().out
    (row,) = [line.split() for line in said.splitlines() if line.split()[:1] == ["loss_value"]]
    assert row[:3] == ["loss_value", "0.625", "0.75"]
    assert row[3] == ("-0.333333" if "--relative" in options else "-0.25")
    assert row[-1] == "2"
    assert ("beyond" in row) == (exit_code == 1)
    assert f"warning: only the first 2 records of {log} were compared" in said


def test_an_invalid_baseline_is_code_1(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = write_log(tmp_path / "old.ndjson", [ppo_record(1, lr=None)])

    exit_code = telemetry("validate", log, "--baseline", baseline)

    assert exit_code == 1
    assert f"error: {baseline} line 1: lr is missing" in capsys.readouterr().out


def test_a_watch_that_sees_nothing_wrong_is_code_0(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("watch", log, "--once", "--kl-max", "0.1", "--entropy-min", "1", "--max", "clip_fraction=0.3")

    heading, *lines = capsys.readouterr().out.splitlines()
    assert exit_code == 0
    assert heading.split()[:4] == ["epoch", "steps", "loss_total", "kl_divergence"]
    assert [line.split()[:2] for line in lines] == [["1", "512"], ["2", "1,024"], ["3", "1,536"]]


@pytest.mark.parametrize(
    ("options", "breach"),
    [
        pytest.param(["--kl-max", "0.05"], "line 3: kl_divergence is 0.07; it must be at most 0.05", id="kl"),
        pytest.param(["--grad-max", "0.4"], "line 1: grad_norm is 0.41; it must be at most 0.4", id="grad"),
        pytest.param(["--entropy-min", "3"], "line 1: loss_entropy is 2.5; it must be at least 3", id="entropy"),
        pytest.param(["--reward-corr-min", "0.5"], "reward_advantage_corr is 0.35; it must be at least", id="reward"),
        pytest.param(["--max", "adv_std=0.5"], "adv_std is 0.98; it must be at most 0.5", id="any-maximum"),
        pytest.param(["--min", "lr=0.01"], "lr is 0.0003; it must be at least 0.01", id="any-minimum"),
        pytest.param(["--queue-events-min", "1"], "no record has queue_conflict_events", id="queue-events"),
        pytest.param(["--late-help-min", "1"], "no record has late_help_events", id="late-help"),
        pytest.param(["--anneal-accuracy-min", "0.9"], "no record has anneal_bc_accuracy", id="anneal"),
    ],
)
def test_a_breach_is_told_and_code_1(
    log: Path, capsys: pytest.CaptureFixture[str], options: list[str], breach: str
) -> None:
    exit_code = telemetry("watch", log, "--once", *options)

    assert exit_code == 1
    assert breach in capsys.readouterr().out.splitlines()[-1]


def test_a_watch_ends_at_the_first_breach(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("watch", log, "--max", "grad_norm=0.1")

    assert exit_code == 1
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_a_watch_follows_a_log_until_nothing_comes(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("watch", log, "--interval", "0.01", "--idle-timeout", "0.02")

    assert exit_code == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.e2e
def test_a_watch_sees_a_record_that_is_written_while_it_waits(log: Path) -> None:
    watching = subprocess.Popen(
        [sys.executable, "-u", "-m", "diorama", "telemetry", "watch", str(log), "--interval", "0.05"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    seen = [watching.stdout.readline() for _ in range(4)]
    with log.open("a") as file:
        file.write(f"{json.dumps(ppo_record(4))}\n")
    seen.append(watching.stdout.readline())
    os.kill(watching.pid, signal.SIGINT)
    watching.communicate(timeout=60)

    assert seen[-1].split()[:2] == ["4", "2,048"]
    assert watching.returncode == 130


def test_a_summary_is_a_table(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("summary", log)

    said = capsys.readouterr().out
    assert exit_code == 0
    assert said.startswith(
        "3 records (version 1.1), 48 mini-batch updates, 1,536 transitions, 1,536 steps in total, 3.0 s\n"
    )
    (row,) = [line.split() for line in said.splitlines() if line.split()[:1] == ["kl_divergence"]]
    assert row == ["kl_divergence", "0.008", "0.07", "0.008", "0.07", "0.0286667"]


def test_a_summary_can_be_json(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("summary", log, "--format", "json")

    document = json.loads(capsys.readouterr().out)
    assert exit_code == 0
    assert (document["records"], document["steps"]) == (3, 1536)
    assert document["fields"]["kl_divergence"]["max"] == 0.07


def test_a_summary_can_be_markdown(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("summary", log, "--format", "markdown")

    lines = capsys.readouterr().out.splitlines()
    assert exit_code == 0
    assert lines[2:4] == ["| field | first | last | min | max | mean |", "|---|---:|---:|---:|---:|---:|"]
    assert "| `lr` | 0.0003 | 0.0003 | 0.0003 | 0.0003 | 0.0003 |" in lines


def test_a_summary_of_an_invalid_log_is_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry("summary", write_log(tmp_path / "ppo.ndjson", [ppo_record(lr=None)]))

    captured = capsys.readouterr()
    assert (exit_code, captured.out) == (1, "")
    assert "lr is missing" in captured.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["validate"], "Missing argument 'LOG...'", id="no-log"),
        pytest.param(["validate", "no/such.ndjson"], "no/such.ndjson does not exist; name a PPO log", id="validate"),
        pytest.param(["watch", "no/such.ndjson", "--once"], "no/such.ndjson does not exist", id="watch"),
        pytest.param(["summary", "no/such.ndjson"], "no/such.ndjson does not exist", id="summary"),
        pytest.param(["validate", "{log}", "--baseline", "gone"], "gone does not exist", id="baseline"),
        pytest.param(
            ["validate", "{log}", "--drift-threshold", "1"], "name it with --baseline", id="threshold-without-baseline"
        ),
        pytest.param(["validate", "{log}", "--relative"], "name it with --baseline", id="relative-without-baseline"),
        pytest.param(
            ["validate", "{log}", "--baseline", "{log}", "--drift-threshold", "-1"],
            "Invalid value for '--drift-threshold'",
            id="negative-threshold",
        ),
        pytest.param(["watch", "{log}", "--max", "lr"], "--max 'lr' is not of the form FIELD=VALUE", id="no-value"),
        pytest.param(["watch", "{log}", "--min", "lr=low"], "--min 'lr=low' is not of the form", id="no-number"),
        pytest.param(["watch", "{log}", "--max", "klm=1"], "'klm' is no field of PPO telemetry", id="no-field"),
        pytest.param(["summary", "{log}", "--format", "xml"], "'xml' is not one of", id="format"),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    log: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    exit_code = telemetry(*(argument.replace("{log}", str(log)) for argument in arguments))

    captured = capsys.readouterr()
    assert (exit_code, captured.out) == (2, "")
    assert message in captured.err
    assert captured.err.startswith("diorama: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("command", ["validate", "watch", "summary"])
def test_every_command_explains_itself_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = telemetry(command, "--help")

    said = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert exit_code == 0
    assert f"diorama telemetry {command} " in said.partition("Examples:")[2]
