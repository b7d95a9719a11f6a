"""`diorama check-world`: tries out everything a world promises, and says what to fix."""

import json
from typing import TYPE_CHECKING

import typer

from diorama.cli.options import ConfigOption, FormatOption, WorldArgument, parse_settings

if TYPE_CHECKING:
    from rich.table import Table

    from diorama.conformance.report import Outcome

_FAILED = 1
_COLORS = {"pass": "green", "fail": "red", "skip": "yellow"}


def check_world(
    world: WorldArgument,
    config: ConfigOption = None,
    form: FormatOption = "text",
) -> None:
    """Run the conformance kit on a world: seeds, masks, snapshots, parity, API checkers and more.

    Exits 0 when nothing is to be fixed, 1 when something is, 2 on bad input or where the world needs a package that is
    missing.
    """
    from diorama.cli.progress import progress_bar
    from diorama.conformance.kit import CHECKS, run_checks
    from diorama.conformance.report import Verdict
    from diorama.conformance.subject import Subject
    from diorama.worlds.registry import load_world

    subject = Subject.of(load_world(world), parse_settings(config))
    outcomes: list[Outcome] = []
    with progress_bar(f"check-world {world}", len(CHECKS)) as advance:
        for outcome in run_checks(subject):
            outcomes.append(outcome)
            advance()
    has_failed = any(outcome.verdict is Verdict.FAIL for outcome in outcomes)
    if form == "json":
        typer.echo(json.dumps(_document(world, subject.config.model_dump(mode="json"), outcomes), indent=2))
    else:
        _show(world, outcomes)
    if has_failed:
        raise typer.Exit(_FAILED)


def _document(world: str, config: dict[str, object], outcomes: "list[Outcome]") -> dict[str, object]:
    return {
        "world": world,
        "config": config,
        "passed": not any(outcome.findings for outcome in outcomes),
        "checks": [outcome.document() for outcome in outcomes],
    }


def _show(world: str, outcomes: "list[Outcome]") -> None:
    from rich.console import Console

    console = Console(highlight=False)
    console.print(_table(outcomes))
    for outcome in outcomes:
        for finding in outcome.findings:
            console.print(f"\n[red]{outcome.name}[/red]  ", end="")
            console.print(finding.what, markup=False)
            console.print(f"  fix: {finding.fix}", markup=False)
    console.print(f"\n{_summary(world, outcomes)}", markup=False)


def _table(outcomes: "list[Outcome]") -> "Table":
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("check", "verdict", "promise", "seen"):
        table.add_column(column, overflow="fold")
    table.add_column("s", justify="right")
    for outcome in outcomes:
        verdict = outcome.verdict.value
        seen = escape("; ".join(outcome.notes))
        table.add_row(
            outcome.name, f"[{_COLORS[verdict]}]{verdict}[/]", outcome.promise, seen, f"{outcome.seconds:.1f}"
        )
    return table


def _summary(world: str, outcomes: "list[Outcome]") -> str:
    findings = sum(len(outcome.findings) for outcome in outcomes)
    skipped = sum(outcome.verdict.value == "skip" for outcome in outcomes)
    aside = f" ({skipped} skipped)" if skipped else ""
    if findings:
        return f"{world}: {findings} thing{'s' if findings > 1 else ''} to fix{aside}"
    return f"{world}: all {len(outcomes) - skipped} checks pass{aside}"
