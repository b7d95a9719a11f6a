"""Help is whole in any terminal, and tells of every parameter what it takes and what it is by default."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from diorama.cli.app import app, run

WIDTHS: Final = (30, 40, 80, 200)


def commands(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    if isinstance(command, TyperGroup):
        context = typer.Context(command)
        for name in command.list_commands(context):
            yield from commands((*words, name), command.get_command(context, name))


def all_commands() -> list[tuple[tuple[str, ...], Any]]:
    return list(commands((), get_command(app)))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_name_is_whole_at_every_width(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for words, command in all_commands():
        assert run([*words, "--help"]) == 0
        said = capsys.readouterr().out

        names = {name for item in command.params for name in (*item.opts, *item.secondary_opts) if name[0] == "-"}
        assert {name for name in names if name not in said} == set(), words


def test_lines_are_no_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")

    run(["eval", "--help"])

    told = capsys.readouterr().out.partition("Examples:")[0]
    assert max(len(line) for line in told.splitlines()) <= 60


def test_an_option_is_told_with_what_it_takes_its_bounds_its_default_and_its_variable(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")

    run(["replay", "export", "--help"])

    said = capsys.readouterr().out
    assert said.startswith("Usage: diorama replay export RUN [REPLAY] [OPTIONS]\n\nDraw a replay")
    assert "  -o, --out FILE   File to write; it ends in .gif or .webp. [default: REPLAY.gif in this directory]" in said
    assert "  --fps NUMBER     Pictures per second. [0.5 to 50; default: 10.0]" in said
    assert "[default: runs; also DIORAMA_RUNS_ROOT]" in said


def test_a_pipe_gets_no_colors() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "diorama", "--help"], env=os.environ | {"COLUMNS": "80"}, capture_output=True
    )

    assert b"\x1b" not in done.stdout
    assert done.stdout.startswith(b"Usage: diorama COMMAND\n")


def test_a_full_disk_is_one_line() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "diorama", "--help"], stdout=full, stderr=subprocess.PIPE, text=True
        )

    assert done.returncode == 2
    assert done.stderr == "diorama: the output cannot be written: no space is left on its device\n"
