"""`diorama scoreboard`: scripts, the champion, runs and people of a world on the same seeds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.options import ReportOption, RunRootOption, WorldArgument
from diorama.contracts.errors import UnknownName

if TYPE_CHECKING:
    from rich.table import Table

    from diorama.contracts.spec import WorldSpec
    from diorama.contracts.values import JsonObject
    from diorama.training.scoreboard.board import Board
    from diorama.training.scoreboard.players import BoardRow


def scoreboard(
    world: WorldArgument,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Held-out episodes of each.", show_default="as the protocol says, 20 at most"),
    ] = None,
    sort: Annotated[
        str | None, typer.Option(metavar="METRIC", help="What to sort by.", show_default="the first headline metric")
    ] = None,
    known: Annotated[bool, typer.Option("--known", help="Show stored results only; play no episode.")] = False,
    run_root: RunRootOption = Path("runs"),
    json: ReportOption = None,
) -> None:
    """Rank scripts, the champion, your runs and people who played, all on the same held-out seeds.

    Players without a result play now; results are kept below the run root, by policy, so that the next call is quick.
    """
    from rich.console import Console

    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.cli.result_console import result_console
    from diorama.runs.clock import SystemClock
    from diorama.storage.report_files import write_report
    from diorama.training.interrupts import stop_on_interrupt
    from diorama.training.scoreboard.board import open_board
    from diorama.training.scoreboard.players import board_rows
    from diorama.training.scoreboard.playing import play_missing

    board = open_board(run_root, world, episodes)
    spec = board.venue.spec
    if sort is not None and sort not in spec.headline:
        raise UnknownName.among("headline metric", sort, spec.headline, code="unknown_headline_metric")
    if not known:
        with stop_on_interrupt() as stop, EvaluationBar(Console(stderr=True)) as bar:
            play_missing(board, clock=SystemClock(), progress=bar, stop=stop)
    rows = ranked(board_rows(board), spec, sort or spec.headline[0])
    if json is not None:
        write_report(json, _report(board, spec, rows))
    result_console().print(_table(world, len(board.seeds), spec.headline, rows))


def ranked(rows: "list[BoardRow]", spec: "WorldSpec", key: str) -> "list[BoardRow]":
    """Return the rows, best first by a metric; those without a result come last."""
    from diorama.contracts.spec import Better

    sign = -1.0 if spec.metrics[spec.metric_keys.index(key)].better is Better.LOWER else 1.0
    return sorted(rows, key=lambda row: (row.entry is None, -sign * row.entry.scores[key].value if row.entry else 0.0))


def _report(board: "Board", spec: "WorldSpec", rows: "list[BoardRow]") -> "JsonObject":
    import msgspec

    players = [
        {"name": row.player.name, "kind": row.player.kind, "result": row.entry, "problem": row.player.problem}
        for row in rows
    ]
    report = {"world": spec.world, "seeds": board.seeds, "headline": spec.headline, "rows": players}
    plain: JsonObject = msgspec.to_builtins(report)
    return plain


def _table(world: str, episodes: int, headline: tuple[str, ...], rows: "list[BoardRow]") -> "Table":
    from rich.box import SIMPLE
    from rich.table import Table

    from diorama.cli.champions.tables import score_words
    from diorama.cli.counting import counted

    title = f"{world}: {counted(episodes, 'held-out episode')} each, 95% intervals in brackets"
    table = Table(title=title, box=SIMPLE)
    for heading in ("player", "kind"):
        table.add_column(heading, no_wrap=True)
    for key in headline:
        table.add_column(key, justify="right", no_wrap=True)
    table.add_column("replay")
    for row in rows:
        entry = row.entry
        scores = ["-"] * len(headline) if entry is None else [score_words(entry.scores[key]) for key in headline]
        replay = row.player.problem or "has not played" if entry is None else f"{entry.run_id} {entry.replay_id}"
        style = "bold green" if row.player.kind == "champion" else None
        table.add_row(row.player.name, row.player.kind, *scores, replay, style=style)
    return table
