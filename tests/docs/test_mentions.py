"""Commands that are named in a sentence or a table exist, with their options, and every command is told by a guide."""

import json
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.core import TyperGroup
from typer.main import get_command

from diorama.cli.app import app
from tests.docs.blocks import DOCUMENTS, ROOT, commands, mentions, name_of

PAGES: Final = (*DOCUMENTS, *sorted((ROOT / "docs" / "decisions").glob("*.md")))


def wrong(words: list[str]) -> list[str]:
    """Say what does not exist of a command."""
    program, *rest = words
    if program == "diorama":
        return [problem for choice in choices(rest) for problem in wrong_words(choice)]
    known = {"make": is_target, "python": is_script, "pytest": is_collected, "npm": is_web_script}[program]
    return [] if known(rest) else [shlex.join(words)]


def choices(words: list[str]) -> Iterator[list[str]]:
    """Every command that `verify|asm|play` stands for."""
    place = next((place for place, word in enumerate(words) if re.fullmatch(r"[a-z0-9|]+\|[a-z0-9|]+", word)), None)
    if place is None:
        yield words
        return
    for word in words[place].split("|"):
        yield from choices([*words[:place], word, *words[place + 1 :]])


def wrong_words(words: list[str]) -> list[str]:
    command, rest = resolved(words)
    if isinstance(command, TyperGroup):
        is_a_name = bool(rest) and not rest[0].startswith("-") and not rest[0].isupper()  # COMMAND stands for any
        return [f"diorama has no command {rest[0]!r}"] if is_a_name else []
    known = {"--help", "--version"} | {flag for item in command.params for flag in (*item.opts, *item.secondary_opts)}
    flags = [word for word in rest if re.fullmatch(r"--?[a-z][\w-]*", word)]
    return [f"{command.name} has no option {flag}" for flag in flags if flag not in known]


def resolved(words: list[str]) -> tuple[Any, list[str]]:
    """Return the command that words lead to, and the words after its name."""
    command: Any = get_command(app)
    context = typer.Context(command)
    while isinstance(command, TyperGroup) and words:
        inner: Any = command.get_command(context, words[0])
        if inner is None:
            break
        command, words = inner, words[1:]
        context = typer.Context(command, parent=context)
    return command, words


def is_target(words: list[str]) -> bool:
    return re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE) is not None


def is_script(words: list[str]) -> bool:
    return find_spec(words[1]) is not None if words[0] == "-m" else (ROOT / words[0]).is_file()


def is_collected(words: list[str]) -> bool:
    paths = [word for word in words if word.startswith("tests")]
    return bool(paths) and all((ROOT / path).exists() for path in paths)


def is_web_script(words: list[str]) -> bool:
    return words[1] in json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["scripts"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_is_named_in_passing_exists(page: Path) -> None:
    assert [problem for words in mentions(page) for problem in wrong(words)] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("`diorama trian prospector`", id="command"),
        pytest.param("`diorama train --nerver`", id="option"),
        pytest.param("`diorama gameboy asm|burn`", id="choice"),
        pytest.param("`make everything`", id="target"),
        pytest.param("`python benchmarks/none.py`", id="script"),
        pytest.param("`python -m tests.none`", id="module"),
        pytest.param("`pytest tests/none`", id="tests"),
        pytest.param("`npm run none`", id="web"),
    ],
)
def test_what_does_not_exist_is_noticed(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"Type {text} now.\n", encoding="utf-8")

    assert [problem for words in mentions(page) for problem in wrong(words)] != []


@cache
def told_by_guides() -> frozenset[str]:
    """Every command that a page names which people wrote."""
    named = [words for page in DOCUMENTS for words in mentions(page) if words[0] == "diorama"]
    named += [[*command.words] for command in commands("diorama") if command.document != "docs/reference/cli.md"]
    paths = [choice for words in named for choice in choices(words[1:])]
    return frozenset(" ".join(words[: len(words) - len(resolved(words)[1])]) for words in paths)


def test_every_command_is_told_by_a_guide() -> None:
    listed = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    found = re.findall(r"^## diorama (.+)$", listed, re.MULTILINE)

    assert len(found) > 60
    assert [name for name in found if name not in told_by_guides()] == []
