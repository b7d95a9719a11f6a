"""How commands explain themselves: names stay whole in any terminal, and nothing heavy is loaded for it."""

import os
from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, Final

import typer

from diorama.cli.parameters import argument_name, argument_shape, option_shape, remarks

_WIDEST, _NARROWEST = 100, 30  # columns; longer lines are hard to read
_MARGIN: Final = 2
_WIDEST_NAME: Final = 26  # columns; what is longer gets a line of its own

Row = tuple[str, str]


def help_page(command: Any, context: Any, *, commands: Iterable[Row] = ()) -> str:
    """Return the help of a command, or of a group with these commands, as wide as the terminal."""
    width = max(_NARROWEST, min(get_terminal_size().columns, _WIDEST))
    parts = [_usage(command, context, width), *_paragraphs(command.help or "", width)]
    sections = [*_parameter_sections(command, context), ("Commands", list(commands))]
    parts += ["\n".join([_bold(f"{title}:"), *_rows(rows, width)]) for title, rows in sections if rows]
    if command.epilog:
        title, *lines = command.epilog.split("\n\n")
        parts.append("\n".join([_bold(title), *(f"{' ' * _MARGIN}{line}" for line in lines)]))
    return "\n\n".join(parts)


def _usage(command: Any, context: Any, width: int) -> str:
    shapes = [argument_shape(item) for item in command.params if item.param_type_name == "argument"]
    ending = "COMMAND" if hasattr(command, "commands") else "[OPTIONS]"
    words = " ".join([f"Usage: {context.command_path}", *shapes, ending])
    return "\n".join(_wrapped(words, width, after=" " * 7))


def _paragraphs(text: str, width: int) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield "\n".join(_wrapped(" ".join(paragraph.split()), width))


def _parameter_sections(command: Any, context: Any) -> Iterator[tuple[str, list[Row]]]:
    sections: dict[str, list[Row]] = {"Arguments": [], "Options": []}
    for item in command.get_params(context):
        if item.hidden:
            continue
        if item.param_type_name == "argument":
            title, name = "Arguments", argument_name(item)
        else:
            title, name = item.rich_help_panel or "Options", option_shape(item)
        sections.setdefault(title, []).append((name, f"{item.help or ''} {remarks(item)}".strip()))
    yield from sections.items()


def _rows(rows: list[Row], width: int) -> Iterator[str]:
    fitting = [len(name) for name, _ in rows if len(name) <= _WIDEST_NAME]
    column = _MARGIN + max(fitting, default=0) + _MARGIN if width > 2 * _WIDEST_NAME else 3 * _MARGIN
    for name, words in rows:
        told = _wrapped(words, width - column) or [""]
        if _MARGIN + len(name) + _MARGIN <= column:
            yield f"{' ' * _MARGIN}{_colored(name)}{' ' * (column - _MARGIN - len(name))}{told.pop(0)}".rstrip()
        else:
            yield f"{' ' * _MARGIN}{_colored(name)}"
        yield from (f"{' ' * column}{line}".rstrip() for line in told)


def _wrapped(text: str, width: int, *, after: str = "") -> list[str]:
    return wrap(text, width, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)


def _bold(text: str) -> str:
    return text if os.environ.get("NO_COLOR") else typer.style(text, bold=True)


def _colored(name: str) -> str:
    return name if os.environ.get("NO_COLOR") else typer.style(name, fg=typer.colors.CYAN)
