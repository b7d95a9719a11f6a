"""What `diorama townlet rehearse` does once its flags are read."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from diorama.cli.result_console import result_console
from diorama.cli.townlet.rehearse_plays import Occasion, play_anneal, play_console, play_demo, play_promotion
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.operate.rehearsals.rehearsal import Rehearsal, Step, StepFailed

_PLAYS: Final[Mapping[str, Callable[[Rehearsal, Occasion], None]]] = {
    "promotion": play_promotion,
    "anneal": play_anneal,
    "demo": play_demo,
    "console": play_console,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalFlags:
    """What the command line says; see `diorama townlet rehearse --help`."""

    name: str
    policy: str | None
    seed: int
    window_ticks: int
    root: Path | None
    run_root: Path
    as_json: bool


def hold_rehearsal(flags: RehearsalFlags) -> bool:
    """Rehearse and print what came of it; return whether every step passed.

    Raises:
        UnknownName: There is no such rehearsal, or no such policy.
        ConfigError: The folder is not empty.
    """
    if flags.name not in _PLAYS:
        raise UnknownName.among("rehearsal", flags.name, _PLAYS)
    if flags.root is not None:
        if flags.root.exists() and any(flags.root.iterdir()):
            raise ConfigError(f"{flags.root} is not empty; name a new folder, or none")
        return _hold(flags, flags.root)
    with TemporaryDirectory(prefix="diorama-rehearsal-") as folder:
        return _hold(flags, Path(folder))


def _hold(flags: RehearsalFlags, root: Path) -> bool:
    progress = Console(stderr=True)
    rehearsal = Rehearsal(flags.name, lambda step: progress.print(_line(step), highlight=False))
    occasion = Occasion(
        root=root, run_root=flags.run_root, policy=flags.policy, seed=flags.seed, window_ticks=flags.window_ticks
    )
    try:
        _PLAYS[flags.name](rehearsal, occasion)
    except StepFailed as failure:
        typer.echo(f"diorama: {flags.name}: {failure}", err=True)
    if flags.as_json:
        typer.echo(json.dumps(rehearsal.report(), indent=2))
    else:
        result_console().print(_table(rehearsal))
    return rehearsal.has_passed


def _line(step: Step) -> str:
    return f"{'passed' if step.has_passed else 'FAILED'}  {step.name}"


def _table(rehearsal: Rehearsal) -> Table:
    verdict = "[green]passed[/]" if rehearsal.has_passed else "[red]failed[/]"
    table = Table(title=f"rehearsal {rehearsal.name}: {verdict}", title_justify="left", box=SIMPLE)
    table.add_column("tick", justify="right")
    table.add_column("step")
    table.add_column("")
    table.add_column("outcome")
    for step in rehearsal.steps:
        table.add_row(
            "-" if step.tick is None else str(step.tick),
            step.name,
            "[green]ok[/]" if step.has_passed else "[red]failed[/]",
            step.detail,
        )
    return table
