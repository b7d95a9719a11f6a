"""`diorama events`: what happens in a live world, line by line."""

import json
from typing import Annotated, Any

import typer

from diorama.cli.console.command import DEFAULT_URL, FAILED, TokenEnvOption, UrlOption, WorldOption, open_client
from diorama.cli.options import LineFormatOption


def events(
    url: UrlOption = DEFAULT_URL,
    token_env: TokenEnvOption = None,
    world: WorldOption = None,
    types: Annotated[
        str | None, typer.Option(metavar="CSV", help="Only events of these names.", show_default="all")
    ] = None,
    since: Annotated[
        int | None, typer.Option(min=0, metavar="SEQ", help="Begin after this batch.", show_default="now")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="End after so many events.", show_default="none")] = None,
    form: LineFormatOption = "text",
) -> int:
    """Follow the events of a live world until Ctrl-C."""
    from diorama.cli.console.client import ConsoleFailure

    left = limit
    try:
        client = open_client(url, token_env)
        for batch in client.events(client.world(world), since_seq=since, types=types):
            if batch.name == "gap":
                typer.echo(
                    f"diorama: events were missed: batches {batch.data['from_seq']} to {batch.data['to_seq']}", err=True
                )
                continue
            for event in batch.data["events"]:
                typer.echo(json.dumps(event, ensure_ascii=False) if form == "json" else _line(event))
                left = None if left is None else left - 1
                if left == 0:
                    return 0
    except ConsoleFailure as error:
        typer.echo(f"diorama: {error}", err=True)
        return FAILED
    return 0


def _line(event: dict[str, Any]) -> str:
    told = {key: value for key, value in event.items() if key not in ("event", "tick", "seq_in_tick", "priority")}
    return f"{event['tick']:>8}  {event['event']:<28}  {json.dumps(told, ensure_ascii=False) if told else ''}".rstrip()
