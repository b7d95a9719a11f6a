"""`diorama doctor`: what works on this machine, and why the rest does not."""

import json
import sys
from shutil import get_terminal_size

import typer

from diorama.cli.options import FormatOption

_UNUSABLE_WORLD = 1


def doctor(form: FormatOption = "text") -> None:
    """Show versions, which tiers of each world run and why not, cores, GPU and optional packages.

    Exits 1 when a world has no tier that runs.
    """
    from diorama.cli.examination import examine

    found = examine()
    columns = get_terminal_size().columns if sys.stdout.isatty() else None
    typer.echo(json.dumps(found.document(), indent=2) if form == "json" else found.words(columns))
    if not all(world.can_run for world in found.worlds):
        raise typer.Exit(_UNUSABLE_WORLD)
