"""A word of the command line means the same thing in every command."""

from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from diorama.cli.app import app

FORMATS: Final = {"text", "json"}


def options() -> list[tuple[str, Any]]:
    return [(name, item) for name, command in commands("diorama", get_command(app)) for item in command.params]


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    if not isinstance(command, TyperGroup):
        yield name, command
        return
    context = typer.Context(command, info_name=name)
    for word in command.list_commands(context):
        yield from commands(f"{name} {word}", command.get_command(context, word))


def called(option: str) -> list[tuple[str, Any]]:
    return [(name, item) for name, item in options() if option in item.opts]


def is_printing(item: Any) -> bool:
    return set(get_args(item.type_descriptor.annotation)) >= FORMATS and item.default == "text"


@pytest.mark.parametrize(
    ("option", "metavars"),
    [
        pytest.param("--json", {"FILE"}, id="a-report-goes-to-a-file"),
        pytest.param("--out", {"FILE", "DIR"}, id="what-is-made-goes-somewhere"),
        pytest.param("--config", {"KEY=VALUE"}, id="a-key-is-set"),
        pytest.param("--config-file", {"FILE"}, id="a-configuration-is-read"),
    ],
)
def test_an_option_takes_the_same_everywhere(option: str, metavars: set[str]) -> None:
    found = called(option)

    assert len(found) > 1
    assert [name for name, item in found if item.is_flag or item.metavar not in metavars] == []


def test_what_is_printed_is_chosen_the_same_way_everywhere() -> None:
    found = called("--format")

    assert len(found) > 20
    assert [name for name, item in found if not is_printing(item)] == []


def test_what_is_made_has_the_same_short_option_everywhere() -> None:
    assert [name for name, item in called("--out") if "-o" not in item.opts] == []
    assert [name for name, item in called("-o") if "--out" not in item.opts] == []
    assert called("--output") == []
