"""Plays scenarios for the command line, and tells what came of them."""

import json

import typer
from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.progress import progress_bar
from diorama.cli.result_console import result_console
from diorama.contracts.errors import ConfigError
from diorama.storage.atomic_files import replace_file
from diorama.worlds.townlet.scenarios import ScenarioResult, load_scenario, run_scenario, scenario_names
from diorama.worlds.townlet.scenarios.golden import differences, golden_path, golden_text, read_golden
from diorama.worlds.townlet.scenarios.loading import StoredScenario

ALL = "all"


def list_scenarios() -> None:
    """Print the scenarios that ship with the town."""
    table = Table(box=SIMPLE)
    for heading in ("scenario", "ticks", "what it shows"):
        table.add_column(heading, justify="right" if heading == "ticks" else "left")
    for name in scenario_names():
        scenario = load_scenario(name).scenario
        table.add_row(name, str(scenario.ticks), scenario.summary)
    result_console().print(table)


def play_scenarios(name: str, *, seed: int | None, events: bool, write_golden: bool, as_json: bool) -> bool:
    """Play one scenario, or all that ship with the town; return whether everything holds.

    Raises:
        UnknownName: There is no such scenario.
        ConfigError: A file is wrong, or a golden run is asked for where there can be none.
    """
    stored = [load_scenario(each) for each in (scenario_names() if name == ALL else (name,))]
    if write_golden and (seed is not None or any(each.folder is not None for each in stored)):
        raise ConfigError("--write-golden is for scenarios that ship with the town, played with their own seed")
    verdicts = [_play(each, seed, events, write_golden, as_json) for each in stored]
    return all(verdicts)


def _play(stored: StoredScenario, seed: int | None, events: bool, write_golden: bool, as_json: bool) -> bool:
    with progress_bar(stored.scenario.name, stored.scenario.ticks) as advance:
        result = run_scenario(stored, seed=seed, advance=advance)
    if write_golden:
        replace_file(golden_path(result.name), golden_text(result).encode())
    changed = _changes(stored, result, seed)
    if as_json:
        typer.echo(json.dumps({**result.to_json(), "golden_differences": changed}))
    else:
        _print(stored, result, changed, events=events)
    return result.is_met and not changed


def _changes(stored: StoredScenario, result: ScenarioResult, seed: int | None) -> list[str]:
    if stored.folder is not None or seed is not None:
        return []
    golden = read_golden(result.name)
    return ["there is no golden run; --write-golden keeps this one"] if golden is None else differences(result, golden)


def _print(stored: StoredScenario, result: ScenarioResult, changed: list[str], *, events: bool) -> None:
    console = result_console()
    verdict = "holds" if result.is_met and not changed else "does not hold"
    console.print(f"{result.name}: {verdict} ({result.ticks} ticks, seed {result.seed})")
    console.print(stored.scenario.summary, style="dim")
    if events:
        for entry in result.happened:
            fields = ", ".join(f"{name} {value}" for name, value in entry.fields.items() if value is not None)
            console.print(f"{entry.tick:6d}  {entry.event}  {fields}", highlight=False, markup=False)
    table = Table(box=SIMPLE)
    for heading in ("", "expected", "found"):
        table.add_column(heading)
    for finding in result.findings:
        table.add_row("[green]yes[/]" if finding.is_met else "[red]no[/]", finding.expected, finding.found)
    console.print(table)
    for line in (*(f"command: {text}" for text in result.surprises), *(f"golden run: {text}" for text in changed)):
        console.print(line, style="red", markup=False)
