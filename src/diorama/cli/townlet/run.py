"""`diorama townlet run`: a town lives on its own for some days."""

from pathlib import Path
from typing import Annotated

import typer

from diorama.cli.options import FormatOption


def run(
    config: Annotated[
        Path | None,
        typer.Argument(
            metavar="CONFIG", help="A configuration as YAML.", show_default="the town as it ships", dir_okay=False
        ),
    ] = None,
    ticks: Annotated[int, typer.Option(min=1, help="How long; a day has 1000 ticks unless configured.")] = 1000,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Luck of the town.", show_default="the configured seed")
    ] = None,
    commands: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="What an operator does, as YAML: a list of {tick, name, args, kwargs}.",
            show_default=False,
        ),
    ] = None,
    form: FormatOption = "text",
) -> None:
    """Let a town live on its own under the scripted controller, and report how it did, day by day.

    The town is simulated by the readable tier, tick by tick, so that commands can be given in between. Numbers beyond
    their bounds are shown in yellow and red. Exits 2 with one line when a file is wrong.
    """
    import json

    from diorama.cli.progress import progress_bar
    from diorama.cli.townlet.files import read_commands, read_town_config
    from diorama.cli.townlet.run_tables import print_run
    from diorama.worlds.townlet.headless import run_headless
    from diorama.worlds.townlet.tables.compiling import load_tables

    settings = read_town_config(config)
    tables = load_tables(settings, None if config is None else config.parent)
    planned = read_commands(commands, ticks)
    with progress_bar("town", ticks) as advance:
        report = run_headless(settings, tables, ticks=ticks, seed=seed, commands=planned, advance=advance)
    if form == "json":
        typer.echo(json.dumps(report.to_json(), indent=1))
    else:
        print_run(report, settings, warnings=tables.warnings)
