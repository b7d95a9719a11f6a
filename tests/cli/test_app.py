"""The command line as a whole: help, version, completion, and refusing bad input in one line."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import diorama
from diorama.cli.app import app, run
from diorama.cli.entries import ENTRIES

COMMANDS = ("worlds", "rollout", "parity", "eval", "bench", "doctor")

BAD_INPUT = [
    pytest.param(
        ["rollout", "nowhere", "--bot", "idle"], "no world is called 'nowhere'; there are: prospector", id="world"
    ),
    pytest.param(
        ["rollout", "prospector", "--bot", "nobody"],
        "no bot of 'prospector' is called 'nobody'; there are: ",
        id="bot",
    ),
    pytest.param(
        ["rollout", "prospector", "--bot", "idle", "--config", "color=red"],
        "prospector.color: there is no such key; keys are: time_max, ",
        id="config-key",
    ),
    pytest.param(
        ["rollout", "prospector", "--bot", "idle", "--seed", "seven"],
        "Invalid value for '--seed': 'seven' is wrong; it should be a whole number (try 'diorama rollout --help')",
        id="number",
    ),
]

MORE_BAD_INPUT = [
    pytest.param(["fly"], "No such command 'fly'", id="command"),
    pytest.param(["rollout"], "Missing argument 'WORLD'", id="missing-world"),
    pytest.param(["rollout", "prospector"], "Missing option '--bot'", id="missing-bot"),
    pytest.param(["rollout", "prospector", "--bots", "idle"], "No such option: --bots", id="option"),
    pytest.param(
        ["rollout", "prospector", "--bot", "idle", "-c", "time_max"],
        "--config 'time_max' is not of the form KEY=VALUE, such as time_max=2000",
        id="no-equals-sign",
    ),
    pytest.param(
        ["rollout", "prospector", "--bot", "idle", "-c", "time_max=-5"],
        "prospector.time_max: -5 is wrong; it should be greater than 0",
        id="config-value",
    ),
    pytest.param(
        ["rollout", "prospector", "--bot", "idle", "--tier", "slow"], "'--tier': 'slow' is not one of", id="tier"
    ),
    pytest.param(["worlds", "nowhere"], "no world is called 'nowhere'", id="contract-of-no-world"),
    pytest.param(
        ["train", "prospector", "--backend", "random"],
        "diorama: settings: cloning needs the backend ppo, because random learns nothing; cloning=null leaves it out",
        id="settings-that-contradict",
    ),
    pytest.param(["worlds", "--config", "a=1"], "--config describes one world; name it", id="config-of-no-world"),
    pytest.param(["parity", "nowhere"], "no world is called 'nowhere'", id="parity-world"),
    pytest.param(
        ["parity", "prospector", "--suite", "Z"],
        "no parity suite of 'prospector' is called 'Z'; there are: A, B, C, D, E",
        id="suite",
    ),
    pytest.param(
        ["parity", "prospector", "--steps", "0"],
        "Invalid value for '--steps': '0' is wrong; it should be greater than or equal to 1",
        id="steps",
    ),
    pytest.param(
        ["smoke", "--timeout", "inf"],
        "Invalid value for '--timeout': inf is wrong; it should be a finite number",
        id="infinite",
    ),
    pytest.param(
        ["rollout", "prospector", "--bot"],
        "Option '--bot' requires an argument. (try 'diorama rollout --help')",
        id="option-without-value",
    ),
    pytest.param(
        ["worlds", "prospectr"], "no world is called 'prospectr' (did you mean 'prospector'?); there are:", id="nearly"
    ),
    pytest.param(["parity", "prospector", "--time-max", "-1"], "prospector.time_max: -1.0 is wrong", id="budget"),
    pytest.param(["parity", "prospector", "--quick", "--full"], "--quick and --full were both given", id="both"),
    pytest.param(["parity", "prospector", "--replay", "no/such/dir"], "no/such/dir is no mismatch bundle", id="replay"),
    pytest.param(["parity", "prospector", "--profile", "vague"], "'vague' is not one of", id="profile"),
    pytest.param(
        ["bench", "prospector", "--copies", "1,x"], "--copies '1,x': 'x' is no number of 1 or more", id="list"
    ),
    pytest.param(["bench", "prospector", "--threads", "0"], "--threads '0': '0' is no number of 1", id="threads"),
    pytest.param(["bench", "prospector", "--seconds", "0"], "seconds is 0.0; use more than 0", id="seconds"),
    pytest.param(["bench", "prospector", "--seed", "-1"], "Invalid value for '--seed': '-1' is wrong", id="seed"),
    pytest.param(
        ["bench", "prospector", "--copies", "1", "--threads", "9999999"],
        "threads is 9999999; use 'auto' or 1..1024",
        id="many-threads",
    ),
    pytest.param(["train", "prospector", "--preset", "quick", "--run-id", ""], "run id '' is not allowed", id="run-id"),
    pytest.param(["eval", "prospector", "--suite", "--bot", "all"], "--suite goes with a run", id="suite-of-a-world"),
    pytest.param(
        ["tidebreak", "campaign", "report", "--day", "3"], "--day 3 goes with news alone", id="day-of-no-news"
    ),
    pytest.param(["tidebreak", "campaign", "day", "0"], "Invalid value for 'DAYS': '0' is wrong", id="argument"),
    pytest.param(["gameboy", "verify", "CATCH", "--lanes", "999999999"], "'999999999' is wrong", id="lanes"),
    pytest.param(["gameboy", "disasm", "grid_goal"], "(did you mean 'GRID_GOAL'?)", id="rom"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT)
def test_bad_input_ends_the_process_with_one_line_and_code_2(arguments: list[str], message: str) -> None:
    done = subprocess.run([sys.executable, "-m", "diorama", *arguments], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"diorama: {message}")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT + MORE_BAD_INPUT)
def test_bad_input_is_one_line_that_says_what_would_be_right(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code = run(arguments)

    said = capsys.readouterr().err
    assert exit_code == 2
    assert said.startswith("diorama: ")
    assert message in said
    assert said.count("\n") == 1


def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    exit_code = run(["bench", "prospector", "--copies", "1", "--seconds", "0.01", "--json", str(in_the_way / "report")])

    assert exit_code == 2
    message = f"diorama: {in_the_way / 'report'} cannot be written: {in_the_way} is no folder\n"
    assert capsys.readouterr().err == message


def test_help_names_every_command_and_shows_examples() -> None:
    result = CliRunner().invoke(app, ["--help"])

    assert result.exit_code == 0
    assert [command for command in COMMANDS if command not in result.output] == []
    assert "diorama rollout prospector --bot prudent_hauler" in result.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])

    assert result.exit_code == 0
    assert f"diorama {command} " in result.output.partition("Examples:")[2]


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run([])

    assert exit_code == 0
    assert "Usage: diorama" in capsys.readouterr().out


@pytest.mark.parametrize("group", [entry.name for entry in ENTRIES if entry.target.endswith("_app")])
def test_a_group_that_is_asked_for_nothing_shows_its_help(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run([group])

    said = capsys.readouterr()
    assert (exit_code, said.err) == (0, "")
    assert f"Usage: diorama {group} " in said.out
    assert run([group, "-h"]) == 0


def test_what_is_wrong_names_the_help_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    run(["replay", "list", "--never"])

    assert capsys.readouterr().err == "diorama: No such option: --never (try 'diorama replay list --help')\n"


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run(["--version"])

    assert exit_code == 0
    assert capsys.readouterr().out == f"diorama {diorama.__version__}\n"


def test_the_package_runs_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "diorama", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout == f"diorama {diorama.__version__}\n"
