"""How answers of a console look in a terminal."""

import json
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text


def show_answer(answer: dict[str, Any], *, as_json: bool) -> None:
    """Print an answer: its result, or one line that says why there is none."""
    if as_json:
        typer.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif answer["status"] != "ok":
        error = answer["error"]
        typer.echo(f"diorama: {error['code']} ({error['reason']}): {' '.join(error['message'].split())}", err=True)
    elif answer["name"] == "help" and "commands" in answer["result"]:
        show_help(answer["result"]["commands"])
    else:
        note = ", answered before" if answer["replayed"] else ""
        typer.echo(json.dumps(answer["result"], indent=2, ensure_ascii=False))
        typer.echo(f"tick {answer['tick']}, {answer['latency_ms']:.0f} ms{note}", err=True)


def show_help(commands: list[dict[str, Any]]) -> None:
    """Print commands: of one its arguments, too."""
    if len(commands) == 1:
        show_command(commands[0])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("command", "role", "what it does"):
        table.add_column(title, overflow="fold")
    for command in sorted(commands, key=lambda command: str(command["name"])):
        table.add_row(command["name"], command["role"], Text(command["summary"]))
    Console().print(table)


def show_command(command: dict[str, Any]) -> None:
    """Print one command with its arguments."""
    marks = [command["role"], *(["cmd_id needed"] if command["needs_id"] else [])]
    typer.echo(f"{command['summary']} ({', '.join(marks)})\nusage: {command['usage']}")
    schema = command["arguments"]
    if schema.get("description"):
        typer.echo(schema["description"])
    if command["aliases"]:
        typer.echo(f"also called: {', '.join(command['aliases'])}")
