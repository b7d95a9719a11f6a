"""Every command of the command line, with its arguments and options."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path, PurePath
from typing import Any, Final, Literal, get_args, get_origin

import typer
from typer.core import TyperGroup
from typer.main import get_command

from diorama.cli.app import app
from diorama.cli.parameters import argument_name, argument_shape
from reference.markdown import code, page, table

_EXAMPLES: Final = "Examples:"
_PARSED: Final = "<!-- not run: examples of the help are parsed; what guides tell to type is typed -->"

_INTRODUCTION: Final = """\
`diorama COMMAND --help` says the same, and `diorama --install-completion` teaches a shell to complete commands, options
and names. Bad input is told in one line, and the command exits with 2.

A word means the same in every command: `--format json` prints a result for programs instead of people, `--json FILE`
writes a report beside what is printed, `--out` (`-o`) says where something that is made goes, `--config KEY=VALUE` sets
a key of a world's configuration, and `--config-file FILE` reads all of it."""

_KINDS: Final = {str: "text", int: "number", float: "number", Path: "path"}


def commands_page() -> str:
    """Return the page of the command line."""
    program = get_command(app)
    found = list(_commands("diorama", program))
    listing = table(
        ("Command", "What it does"),
        ((f"[`{name}`](#{name.replace(' ', '-')})", _first_sentence(command)) for name, command in found),
    )
    return page(
        "Commands",
        _INTRODUCTION,
        (listing, *(_section(name, command) for name, command in found)),
    )


def _commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield name, command
        return
    context = typer.Context(command, info_name=name)
    for word in command.list_commands(context):
        inner: Any = command.get_command(context, word)
        if not inner.hidden:
            yield from _commands(f"{name} {word}", inner)


def _section(name: str, command: Any) -> str:
    arguments = [item for item in command.params if item.param_type_name == "argument"]
    options = [item for item in command.params if item.param_type_name == "option" and not item.hidden]
    shape = " ".join([name, *(argument_shape(item) for item in arguments), *(["[OPTIONS]"] if options else [])])
    parts = [
        f"## {name}",
        code(shape),
        _told(command),
        table(("Argument", "Default", "Meaning"), (_argument_row(item) for item in arguments)),
        table(("Option", "Value", "Default", "Meaning"), (_option_row(item) for item in options)),
        _examples(command.epilog or ""),
    ]
    return "\n\n".join(part for part in parts if part)


def _told(command: Any) -> str:
    paragraphs = (command.help or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _first_sentence(command: Any) -> str:
    return _told(command).split("\n\n")[0]


def _argument_row(item: Any) -> tuple[str, ...]:
    return code(argument_name(item)), _default(item), item.help or ""


def _option_row(item: Any) -> tuple[str, ...]:
    names = ", ".join(code(name) for name in item.opts)
    if item.secondary_opts:
        names += " / " + ", ".join(code(name) for name in item.secondary_opts)
    many = " Repeatable." if item.multiple and "Repeatable" not in (item.help or "") else ""
    variable = f" Also `{item.envvar}`." if item.envvar else ""
    return names, _kind(item), _default(item), f"{item.help or ''}{many}{variable}"


def _kind(item: Any) -> str:
    if item.is_flag:
        return ""
    if item.metavar:
        return code(item.metavar)
    kind = item.type_descriptor.annotation
    if get_origin(kind) is list:
        (kind,) = get_args(kind)
    if get_origin(kind) is Literal:
        return ", ".join(code(str(choice)) for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(code(str(choice.value)) for choice in kind)
    low, high = item.min, item.max
    bounds = "" if low is None and high is None else f", {'' if low is None else low}..{'' if high is None else high}"
    return f"{_KINDS[kind]}{bounds}"


def _default(item: Any) -> str:
    if item.required:
        return "required"
    shown = getattr(item, "show_default", None)
    if isinstance(shown, str):
        return shown
    default = item.default
    if default is None or default == () or (item.param_type_name == "option" and item.is_flag and default is False):
        return ""
    if isinstance(default, bool):
        return code((item.opts if default else item.secondary_opts)[0])
    if isinstance(default, PurePath):
        return code(default.as_posix())
    return code(str(getattr(default, "value", default)))


def _examples(epilog: str) -> str:
    lines = [line.strip() for line in epilog.split("\n\n")]
    if lines[:1] != [_EXAMPLES]:
        return ""
    return "\n".join([_PARSED, "```sh", *lines[1:], "```"])
