"""The prompt of `diorama console`: lines of commands, with completion where the terminal can."""

import shlex
import sys
from collections.abc import Callable
from typing import Any, Final

import typer

from diorama.cli.console.client import ConsoleFailure
from diorama.cli.console.completion import Completer
from diorama.cli.console.tables import show_answer

_LEAVE: Final = ("exit", "quit")
_FAILED: Final = 1

Give = Callable[[list[str]], dict[str, Any]]


def converse(world: str, give: Give, *, as_json: bool) -> int:
    """Read lines and give them as commands until the input ends; returns 1 if the last one failed."""
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        _complete_with(give)
        typer.echo("Commands as 'help' lists them; 'exit' or Ctrl-D ends.")
    failed = 0
    while (line := _read(f"{world}> " if is_terminal else "")) is not None:
        try:
            words = shlex.split(line, comments=True)
        except ValueError as error:
            typer.echo(f"diorama: the line cannot be read: {error}", err=True)
            failed = _FAILED
            continue
        if not words:
            continue
        if words[0] in _LEAVE:
            break
        failed = _give(give, words, as_json=as_json)
    return failed


def _give(give: Give, words: list[str], *, as_json: bool) -> int:
    try:
        answer = give(words)
    except ConsoleFailure as error:
        typer.echo(f"diorama: {error}", err=True)
        return _FAILED
    show_answer(answer, as_json=as_json)
    return 0 if answer["status"] == "ok" else _FAILED


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        if prompt:
            typer.echo()
        return None


def _complete_with(give: Give) -> None:
    try:
        import readline
    except ModuleNotFoundError:  # a system without it has no completion, and the prompt works all the same
        return
    answer = give(["help"])
    commands = answer["result"]["commands"] if answer["status"] == "ok" else []
    readline.set_completer_delims(" ")
    readline.set_completer(Completer(commands, readline.get_line_buffer).complete)
    readline.parse_and_bind("tab: complete")
