"""Options that several commands share, and how their text becomes values."""

from collections.abc import Iterator
from pathlib import Path
from reprlib import Repr
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from diorama.contracts.config import WorldConfig
    from diorama.contracts.world import World

TierName = Literal["auto", "reference", "fast"]
FormatName = Literal["text", "json"]


def complete_world(incomplete: str) -> Iterator[str]:
    """Offer world ids to the shell, which waits: no world is loaded."""
    from diorama.worlds.registry import world_ids

    return (name for name in world_ids() if name.startswith(incomplete))


def complete_bot(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer the bots of the world that was named before."""
    return (bot for world in _named_worlds(context) for bot in world.bots if bot.startswith(incomplete))


def complete_suite(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer the parity suites of the world that was named before."""
    suites = (suite for world in _named_worlds(context) for suite in world.parity.suites)
    return ((suite.name, suite.summary) for suite in suites if suite.name.startswith(incomplete))


def _named_worlds(context: typer.Context) -> "list[World[WorldConfig]]":
    """The world that was typed before; all of them if none was. An unfinished line may leave it among the rest."""
    from diorama.worlds.registry import count_worlds, load_world, world_ids

    typed = (context.params.get("world"), *context.args)
    return [load_world(name) for name in world_ids() if name in typed] or [*count_worlds().worlds.values()]


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
    typer.Option("--json", metavar="FILE", dir_okay=False, help="Write a report to this file.", show_default=False),
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
    from diorama.contracts.yaml_text import parse_yaml

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
