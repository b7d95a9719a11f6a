"""`diorama townlet run`, `scenario` and `validate`."""

import json
from functools import partial
from pathlib import Path

import pytest

from diorama.cli.app import run
from tests.cli.invoking import invoke as command

TOWN = "config_id: small\nfeatures: {}\nrewards: {}\nworld: {population: 2}\n"
SCENARIO = """
name: mine
summary: Ann waits.
ticks: 5
citizens: [{id: ann, script: [Idle]}]
expect: [{measure: population, equals: %d}]
"""


invoke = partial(command, "townlet")


@pytest.fixture
def town(tmp_path: Path) -> Path:
    path = tmp_path / "town.yaml"
    path.write_text(TOWN)
    return path


def test_a_run_is_told_day_by_day(town: Path) -> None:
    told = invoke("run", str(town), "--ticks", "30", "--seed", "3")

    assert told.exit_code == 0
    assert "small+hybrid." in told.stdout
    assert "seed 3: 30 ticks" in told.stdout
    assert "citizen_001" in told.stdout
    assert "self-sufficiency" in told.stdout
    assert "citizens with ties" not in told.stdout  # relationships are off
    assert "rewards: mean" in told.stdout


def test_a_run_is_given_commands_and_told_as_json(town: Path, tmp_path: Path) -> None:
    commands = tmp_path / "commands.yaml"
    commands.write_text("- {tick: 2, name: price, args: [meal_cost, 0.3]}\n")

    told = invoke("run", str(town), "--ticks", "5", "--commands", str(commands), "--format", "json")

    report = json.loads(told.stdout)
    assert (report["ticks"], report["seed"], report["events"]["economy_price_update"]) == (5, 1337, 1)
    assert len(report["citizens"]) == 2
    assert report["surprises"] == []


def test_a_scenario_that_ships_is_compared_with_its_golden_run() -> None:
    told = invoke("scenario", "outage_mid_shower", "--events")

    assert told.exit_code == 0
    assert "outage_mid_shower: holds (80 ticks, seed 1337)" in told.stdout
    assert "affordance_fail" in told.stdout


def test_a_scenario_of_ones_own_fails_with_1(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(SCENARIO % 2)

    told = invoke("scenario", str(path))
    assert told.exit_code == 1
    assert "does not hold" in told.stdout
    assert "population = 2" in told.stdout
    path.write_text(SCENARIO % 1)
    answer = json.loads(invoke("scenario", str(path), "--format", "json").stdout)
    assert (answer["is_met"], answer["golden_differences"]) == (True, [])


def test_scenarios_are_listed() -> None:
    assert "queue_conflict" in invoke("scenario", "--list").stdout


def test_files_are_checked_one_by_one(town: Path, tmp_path: Path) -> None:
    scenario, broken = tmp_path / "mine.yaml", tmp_path / "broken.yaml"
    scenario.write_text(SCENARIO % 1)
    broken.write_text(TOWN + "weather: rain\neconomy: {meal_cost: -1}\n")

    told = invoke("validate", str(town), str(scenario), str(broken))

    assert told.exit_code == 2
    assert "town.yaml: configuration, small+hybrid." in told.stdout
    assert "22 objects, 6 affordances, 4 jobs" in told.stdout
    assert "mine.yaml: scenario, 1 citizens" in told.stdout
    assert "weather: there is no such key" in told.stderr
    assert "economy.meal_cost: -1 is wrong" in told.stderr
    assert invoke("validate", str(town)).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["run", "nowhere.yaml"], "nowhere.yaml: there is no such file", id="config"),
        pytest.param(["run", "--commands", "nowhere.yaml"], "nowhere.yaml: there is no such file", id="commands"),
        pytest.param(["run", "--ticks", "0"], "--ticks", id="ticks"),
        pytest.param(["scenario"], "name a scenario, or list them with --list", id="no-scenario"),
        pytest.param(["scenario", "siege"], "no scenario is called 'siege'", id="scenario"),
        pytest.param(["scenario", "exit_cap", "--seed", "3", "--write-golden"], "with their own seed", id="golden"),
        pytest.param(["validate"], "Missing argument", id="nothing"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["townlet", *arguments]) == 2

    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("tick: 3", "write a list of", id="mapping"),
        pytest.param("- {name: price}", "0.tick: it is missing", id="no-tick"),
        pytest.param("- {tick: 9, name: price}", "price is due at tick 9; the last tick is 4", id="late"),
    ],
)
def test_wrong_commands_are_refused(
    town: Path, tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = tmp_path / "commands.yaml"
    commands.write_text(text)

    assert run(["townlet", "run", str(town), "--ticks", "5", "--commands", str(commands)]) == 2
    assert message in capsys.readouterr().err
