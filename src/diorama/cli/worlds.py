"""`diorama worlds`: which worlds there are, and the contract of one."""

import json
from typing import Annotated

import typer

from diorama.cli.completion import complete_world
from diorama.cli.options import ConfigOption, FormatName, parse_settings
from diorama.contracts.errors import ConfigError


def worlds(
    world: Annotated[
        str | None,
        typer.Argument(help="Show the contract of this world.", autocompletion=complete_world, show_default=False),
    ] = None,
    config: ConfigOption = None,
    form: Annotated[
        FormatName, typer.Option("--format", help="How to print it; json is the ids, or the world's descriptor.")
    ] = "text",
) -> None:
    """List the worlds, or show what one of them promises: observation, actions, metrics, events, bots."""
    if world is not None:
        _show(world, config, form)
    elif config:
        raise ConfigError("--config describes one world; name it, such as 'diorama worlds prospector'")
    else:
        _list(form)


def _list(form: FormatName) -> None:
    from diorama.worlds.registry import list_worlds

    listing = list_worlds()
    width = max(len(world_id) for world_id in listing.summaries)
    lines = (f"{world_id:{width}}  {summary}" for world_id, summary in listing.summaries.items())
    typer.echo(json.dumps(list(listing.summaries)) if form == "json" else "\n".join(lines))
    for problem in listing.problems:
        typer.echo(f"diorama: {' '.join(problem.split())}", err=True)


def _show(world_id: str, config: list[str] | None, form: FormatName) -> None:
    from diorama.cli.contract_tables import show_contract
    from diorama.contracts.config import parse_config
    from diorama.contracts.descriptor import describe_world
    from diorama.worlds.registry import load_world

    registered = load_world(world_id)
    parsed = parse_config(registered.id, registered.config_type, parse_settings(config))
    if form == "json":
        typer.echo(json.dumps(describe_world(registered, parsed), indent=2))
    else:
        show_contract(registered, registered.describe(parsed))
