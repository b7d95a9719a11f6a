"""`diorama doctor`: what works on this machine, and why the rest does not."""

import json as json_format
from typing import Annotated

import typer

_UNUSABLE_WORLD = 1


def doctor(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show versions, which tiers of each world run and why not, cores, GPU and optional packages.

    Exits 1 when a world has no tier that runs.
    """
    from diorama.cli.examination import examine

    found = examine()
    typer.echo(json_format.dumps(found.document(), indent=2) if json else found.words())
    if not all(world.can_run for world in found.worlds):
        raise typer.Exit(_UNUSABLE_WORLD)
