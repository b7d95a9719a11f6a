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
    from diorama.cli.contract_tables import show_contract
    from diorama.contracts.config import parse_config
    from diorama.contracts.descriptor import describe_world
    from diorama.worlds.registry import count_worlds, load_world

    if world is None:
        if config:
            raise ConfigError("--config describes one world; name it, such as 'diorama worlds prospector'")
        census = count_worlds()
        rows = {world_id: registered.summary for world_id, registered in census.worlds.items()}
        typer.echo(json.dumps(list(rows)) if form == "json" else _listing(rows))
        for problem in census.problems:
            typer.echo(f"diorama: {' '.join(problem.split())}", err=True)
        return
    registered = load_world(world)
    parsed = parse_config(registered.id, registered.config_type, parse_settings(config))
    if form == "json":
        typer.echo(json.dumps(describe_world(registered, parsed), indent=2))
    else:
        show_contract(registered, registered.describe(parsed))


def _listing(summaries: dict[str, str]) -> str:
    width = max(len(world_id) for world_id in summaries)
    return "\n".join(f"{world_id:{width}}  {summary}" for world_id, summary in summaries.items())
