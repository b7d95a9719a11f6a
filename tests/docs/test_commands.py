"""What the documentation tells readers to type exists; `test_journeys.py` types it."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from diorama.cli.app import app
from tests.docs.blocks import ROOT, Command, commands
from tests.docs.journeys import journey

FILES_OF_READERS: Final = frozenset({".yaml", ".jsonl", ".json", ".zip"})


def test_the_documentation_has_commands() -> None:
    assert len(commands("diorama")) > 30


@pytest.mark.parametrize("command", commands("diorama"), ids=str)
def test_commands_take_what_they_are_given(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for word in command.words:
        if Path(word).suffix in FILES_OF_READERS:
            (tmp_path / word).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / word).touch()

    with suppress(typer.Exit):  # `--version` is all it takes
        parse(command.words)


def test_an_option_that_does_not_exist_would_be_noticed() -> None:
    with pytest.raises(typer.TyperException, match="--never"):
        parse(("diorama", "eval", "prospector", "--never"))


def parse(words: Sequence[str]) -> None:
    """Read a command line as `diorama` would, and do nothing."""
    program = get_command(app)
    context = program.make_context(words[0], list(words[1:]))
    while isinstance(program, TyperGroup):
        name, command, rest = program.resolve_command(context, [*context._protected_args, *context.args])
        assert command is not None
        program, context = command, command.make_context(name, rest, parent=context)


@pytest.mark.parametrize("command", commands("make"), ids=str)
def test_targets_exist(command: Command) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert re.search(rf"^{command.words[1]}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("command", commands("python"), ids=str)
def test_scripts_exist(command: Command) -> None:
    written = [step.file for step in journey(ROOT / command.document)]

    assert command.words[1] in written or (ROOT / command.words[1]).is_file()
