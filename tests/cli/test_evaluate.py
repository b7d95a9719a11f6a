"""`diorama eval`: tables, reports, exit codes."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from diorama.cli.app import app, run


def test_bots_are_scored_in_a_table() -> None:
    result = CliRunner().invoke(
        app, ["eval", "prospector", "--bot", "cash_out", "--bot", "greedy_miner", "--episodes", "3"]
    )

    assert result.exit_code == 0
    assert "cash_out" in result.output
    assert "greedy_miner" in result.output
    assert "net_profit" in result.output


def test_a_report_holds_every_episode(tmp_path: Path) -> None:
    target = tmp_path / "report.json"

    code = run(
        ["eval", "prospector", "--bot", "random_valid", "--episodes", "4", "--base-seed", "30", "--json", str(target)]
    )

    report = json.loads(target.read_text())
    (contender,) = report["contenders"]
    (seed_report,) = contender["seed_reports"]
    assert code == 0
    assert [row["seed"] for row in seed_report["episodes"]] == [30, 31, 32, 33]
    assert report["summary"]["pass"] is True


def test_all_names_every_bot_once(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    arguments = ["--bot", "idle", "--bot", "all", "--episodes", "1", "--config", "time_max=30", "--json", str(target)]

    assert run(["eval", "prospector", *arguments]) == 0

    report = json.loads(target.read_text())
    assert [contender["name"] for contender in report["contenders"]] == [
        *("idle", "cash_out", "random_valid", "greedy_miner", "cautious_scanner", "market_timer", "prudent_hauler"),
        *("refiner", "explorer"),
    ]
    assert report["config"]["time_max"] == 30


def test_an_episode_that_hits_the_guard_fails_the_command() -> None:
    assert run(["eval", "prospector", "--bot", "idle", "--episodes", "1", "--max-steps", "5"]) == 1


def test_the_protocol_fails_on_missed_expectations_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--protocol", "--bot", "cash_out", "--episodes", "1", "--enforce-protocol-expectations"]

    assert run(["eval", "prospector", *arguments]) == 1

    printed = capsys.readouterr().out
    assert "What is expected of cash_out" in printed
    assert "earns more than random_valid" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nowhere", "--bot", "idle"], "no world is called 'nowhere'", id="world"),
        pytest.param(["prospector", "--bot", "nobody"], "no bot of 'prospector' is called 'nobody'", id="bot"),
        pytest.param(["prospector"], "Missing option '--bot'", id="no-bot"),
        pytest.param(["prospector", "--bot", "idle", "-c", "color=red"], "there is no such key", id="config-key"),
        pytest.param(["prospector", "--bot", "idle", "--episodes", "0"], "--episodes", id="episodes"),
        pytest.param(["prospector", "--bot", "idle", "--protocol", "--base-seed", "3"], "seeds of its own", id="seed"),
        pytest.param(
            ["prospector", "--bot", "idle", "--protocol", "-c", "time_max=3"], "default configuration", id="config"
        ),
        pytest.param(["prospector", "--bot", "idle", "--reference", "idle"], "need --protocol", id="reference"),
        pytest.param(
            ["prospector", "--bot", "idle", "--protocol", "--reference", "x"], "no contender is called 'x'", id="ghost"
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["eval", *arguments])

    assert code == 2
    assert message in capsys.readouterr().err


def test_an_existing_report_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "report.json"
    target.write_text("precious")

    assert run(["eval", "prospector", "--bot", "idle", "--json", str(target)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == "precious"
