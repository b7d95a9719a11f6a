"""What a reader types who follows a document from its beginning to its end."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.docs.blocks import SHELLS, Block, all_blocks, lines_of

# These go on until they are stopped, or wait for somebody at a terminal.
_ENDLESS: Final = (
    "diorama serve",
    "diorama live",
    "diorama watch",
    "diorama events",
    "diorama gameboy play",
    "diorama morphogenesis duel",
    "diorama morphogenesis watch",
    "diorama telemetry watch",
)
_ENDING: Final = ("--once", "--ticks")
_APPEND: Final = "append to "


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing a reader does: a line that is typed, a file that is written, or a program that is run.

    Attributes:
        text: The line, or what the file or the program has in it.
        file: Name of the file; None for a line.
        is_endless: Whether the line is stopped once it has shown something.
        is_last: Whether what is endless is stopped after it.
        exit_code: With which the line ends where all is well.
        missing: What this machine lacks for it; empty where it lacks nothing.
    """

    text: str
    file: str | None = None
    is_endless: bool = False
    is_last: bool = False
    exit_code: int = 0
    missing: str = ""


def journey(document: Path) -> list[Step]:
    """Return everything that can be typed from a document."""
    return [step for block in all_blocks(document) for step in _steps(block)]


def is_serving(document: Path) -> bool:
    """Whether a document starts a server, of which one at a time can have its port."""
    return any(step.is_endless for step in journey(document))


def _steps(block: Block) -> Iterator[Step]:
    if block.said("not run"):
        return
    if block.file is not None:
        yield Step(text=block.body, file=block.file)
    elif block.said("run") == ["python"]:
        program = _meant(block.body, block)
        yield Step(text=f"python -W ignore -c {shlex.quote(program)}", missing=_missing(block))
    elif block.language in SHELLS:
        yield from _typed(block)


def _typed(block: Block) -> Iterator[Step]:
    lines = [*block.said("first"), *(_filled(line, block) for line in lines_of(block.body))]
    for place, line in enumerate(lines):
        bare = " ".join(shlex.split(line, comments=True))
        yield Step(
            text=line,
            is_endless=bare.startswith(_ENDLESS) and not any(flag in bare for flag in _ENDING),
            is_last=place == len(lines) - 1,
            exit_code=int(any(bare.startswith(command) for command in block.said("exits 1"))),
            missing=_missing(block),
        )


def _meant(text: str, block: Block) -> str:
    """Put what is meant in the place of words that readers fill in."""
    for pairs in block.said("with"):
        for pair in pairs.split(", "):
            word, _, meant = pair.partition("=")
            text = re.sub(rf"\b{word}\b", meant, text)
    return text


def _filled(line: str, block: Block) -> str:
    command, mark, comment = _meant(line, block).partition("  #")
    for kind, text in block.comments:
        if kind.startswith(_APPEND) and command.startswith(kind.removeprefix(_APPEND)):
            command = f"{command.rstrip()} {text}"
    return f"{command}{mark}{comment}"


def _missing(block: Block) -> str:
    return ", ".join(need for need in block.said("needs") if not _has(need))


def _has(need: str) -> bool:
    if need != "cuda":
        return find_spec(need) is not None
    import torch

    return torch.cuda.is_available()
