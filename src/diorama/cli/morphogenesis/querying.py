"""`diorama morphogenesis query`: recorded events, asked in SQL."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.completion import complete_run
from diorama.cli.counting import counted
from diorama.cli.options import FormatOption, RunRootOption


def query(
    target: Annotated[
        str,
        typer.Argument(metavar="RUN|FILE", help="Name of a run, or a file of events.", autocompletion=complete_run),
    ],
    sql: Annotated[
        str | None, typer.Argument(metavar="[SQL]", help="A SELECT over the views; without one they are listed.")
    ] = None,
    run_root: RunRootOption = Path("runs"),
    form: FormatOption = "text",
) -> None:
    """Ask what was recorded in SQL: raw_events, and views of runs, epochs, decisions, rewards, seeds, updates and more.

    Lines that cannot be read are counted and told, never skipped in silence.
    """
    import json

    from rich.markup import escape

    from diorama.cli.morphogenesis.tables import NOTHING, counts_table
    from diorama.cli.morphogenesis.watching import events_of
    from diorama.cli.result_console import result_console
    from diorama.worlds.morphogenesis.views.querying import EventQueries

    queries = EventQueries()
    queries.load(events_of(target, run_root))
    if queries.malformed:
        typer.echo(f"note: {queries.malformed} of {queries.lines} lines could not be read", err=True)
    console = result_console()
    if sql is None:
        counts = queries.counts()
        if form == "json":
            typer.echo(json.dumps(counts, indent=1))
        else:
            lines = [(name, str(count)) for name, count in counts.items()]
            console.print(counts_table("views", ("view", "rows"), lines))
        return
    answer = queries.ask(sql)
    if form == "json":
        typer.echo(json.dumps(answer.to_json(), indent=1))
        return
    rows = [tuple(NOTHING if cell is None else escape(str(cell)) for cell in row) for row in answer.rows]
    console.print(counts_table(counted(len(rows), "row"), [escape(column) for column in answer.columns], rows))
