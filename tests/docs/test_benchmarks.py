"""Benchmarks that are named anywhere take the options they are named with, and run at night."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import DOCUMENTS, ROOT, commands, mentions

FOLDER: Final = "benchmarks/"
BY_HAND: Final = {
    "gpu_training": "needs a GPU",
    "learning": "trains every world with three seeds, which takes hours",
    "townlet_training": "needs a GPU and minutes of it",
    "morphogenesis_hill_climbing": "tens of minutes of episodes, whose outcome no check depends on",
    "morphogenesis_training": "nine processes for six minutes",
    "tidebreak_balance": "the slow tests of tests/worlds/tidebreak fight the same battles",
}


def named() -> Iterator[tuple[str, ...]]:
    """Every call of a benchmark in blocks, sentences and tables, and in what the scripts say of themselves."""
    yield from (command.words for command in commands("python"))
    yield from (tuple(words) for document in DOCUMENTS for words in mentions(document) if words[0] == "python")
    for script in sorted((ROOT / FOLDER).glob("*.py")):
        told = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
        yield from (tuple(line.split()) for line in told.splitlines() if line.strip().startswith("python "))


CALLS: Final = sorted({words for words in named() if words[1].startswith(FOLDER)})


def test_every_benchmark_runs_at_night_or_says_why_not() -> None:
    at_night = (ROOT / "Makefile").read_text(encoding="utf-8")
    names = {Path(words[1]).stem for words in CALLS}

    assert sorted(name for name in names if f"measure {name}" not in at_night) == sorted(BY_HAND)


@pytest.mark.slow
@pytest.mark.parametrize("script", sorted({words[1] for words in CALLS}))
def test_the_options_of_benchmarks_exist(script: str) -> None:
    asked = [sys.executable, str(ROOT / script), "--help"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    options = {word for words in CALLS if words[1] == script for word in words if word.startswith("--")}
    assert sorted(word for word in options if word not in told) == []
