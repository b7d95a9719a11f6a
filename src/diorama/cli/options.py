"""Options that several commands share, and how their text becomes values."""

from pathlib import Path
from reprlib import Repr
from typing import Annotated, Literal

import typer
from typer.models import OptionInfo

from diorama.cli.completion import complete_world
from diorama.cli.destinations import checked_destination
from diorama.contracts.errors import ConfigError

TierName = Literal["auto", "reference", "fast"]
FormatName = Literal["text", "json"]


def settings_option(example: str) -> OptionInfo:
    """The option that sets anything a preset can; the example is a key that matters to the command."""
    option: OptionInfo = typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help=f"Set anything a preset can, such as {example}; values are read as YAML. Repeatable.",
        show_default=False,
    )
    return option


WorldArgument = Annotated[
    str,
    typer.Argument(metavar="WORLD", help="World id, as 'diorama worlds' lists them.", autocompletion=complete_world),
]
RunRootOption = Annotated[
    Path, typer.Option("--run-root", envvar="DIORAMA_RUNS_ROOT", file_okay=False, help="Directory of the runs.")
]
TierOption = Annotated[
    TierName, typer.Option("--tier", help="Which tier runs; auto takes the fast one where it works.")
]
CheckpointOption = Annotated[
    str | None,
    typer.Option(
        "--checkpoint",
        metavar="newest|best|clone|WINDOW",
        help="Which checkpoint of the run plays: by name, or by the number of a window.",
        show_default="the best by validation, else the newest",
    ),
]
ConfigFileOption = Annotated[
    Path | None,
    typer.Option(
        "--config-file",
        dir_okay=False,
        metavar="FILE",
        help="The world's configuration as YAML.",
        show_default="as it ships",
    ),
]
FormatOption = Annotated[FormatName, typer.Option("--format", help="How to print it.")]
LineFormatOption = Annotated[FormatName, typer.Option("--format", help="How to print it; json is one object per line.")]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        dir_okay=False,
        help="Write a report to this file.",
        show_default=False,
        callback=checked_destination,
    ),
]
ConfigOption = Annotated[
    list[str] | None,
    typer.Option(
        "--config",
        "-c",
        metavar="KEY=VALUE",
        help="Set a key of the world's configuration; values are read as YAML, dots reach inside. Repeatable.",
        show_default=False,
    ),
]


def parse_settings(pairs: list[str] | None, *, option: str = "--config") -> dict[str, object]:
    """Turn the `KEY=VALUE` texts of an option into a configuration; `a.b=1` sets `b` inside `a`.

    Raises:
        ConfigError: A text is not of that form, or two of them contradict each other.
    """
    settings: dict[str, object] = {}
    for pair in pairs or []:
        key, separator, text = pair.partition("=")
        path = key.strip().split(".")
        if not separator or not all(path):
            raise ConfigError(f"{option} {_quoted(pair)} is not of the form KEY=VALUE, such as time_max=2000")
        place = f"{option} {_quoted(pair)}"
        _put(settings, path, _parse_value(place, text), place)
    return settings


def parse_counts(option: str, text: str) -> tuple[int, ...]:
    """Turn `1,64,1024` into numbers of 1 and more.

    Raises:
        ConfigError: An entry is no such number.
    """
    entries = [entry.strip() for entry in text.split(",")]
    wrong = [entry for entry in entries if not entry.isdecimal() or int(entry) < 1]
    if wrong:
        raise ConfigError(f"{option} {text!r}: {wrong[0]!r} is no number of 1 or more; write it like 1,64,1024")
    return tuple(int(entry) for entry in entries)


def _parse_value(place: str, text: str) -> object:
    from diorama.storage.yaml_text import parse_yaml

    try:
        return parse_yaml(text, place)
    except ConfigError:
        raise ConfigError(f"{place}: {_quoted(text)} cannot be read as a YAML value; quote it if it is text") from None


def _quoted(text: str) -> str:
    """Quote what was typed, without the middle of what is long."""
    quoting = Repr()
    quoting.maxstring = 200
    return quoting.repr(text)


def _put(settings: dict[str, object], path: list[str], value: object, place: str) -> None:
    inner = settings
    for part in path[:-1]:
        branch = inner.setdefault(part, {})
        if not isinstance(branch, dict):
            raise ConfigError(f"{place}: {_quoted(part)} was given a value of its own before")
        inner = branch
    if path[-1] in inner:
        raise ConfigError(f"{place}: {_quoted('.'.join(path))} was given before")
    inner[path[-1]] = value
