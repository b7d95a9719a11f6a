"""Fenced blocks of the documentation, and what comments before them say about typing them.

A comment right before a block is not shown to readers:

<!-- not run: REASON -->             nobody can type it here
<!-- needs: MODULE -->               typed where that can be imported; `cuda` stands for a GPU
<!-- first: COMMAND -->              typed before the block, so that it finds what it speaks of
<!-- with: RUN=first, LOG=x -->      what stands for the words of the block that readers fill in
<!-- append to diorama train: ... --> added to commands that begin so, to make them short
<!-- exits 1: diorama tidebreak diff --> commands that begin so find something and say it by their exit code
<!-- run: python -->                 a Python block that is a whole program
<!-- from: PATH -->                  lines of a file of the repository

A block whose first line is a comment with a file name is written to that file.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = tuple(
    sorted(
        path
        for pattern in (
            "*.md",
            "docs/*.md",
            "docs/reference/*.md",
            "docs/reference/worlds/*.md",
            "src/diorama/worlds/**/README.md",
            "crates/*/README.md",
            "examples/**/*.md",
        )
        for path in ROOT.glob(pattern)
        if path.name != "CHANGELOG.md"
    )
)
SHELLS: Final = frozenset({"sh"})
SHOWN: Final = frozenset({"text", "json", "md", "mermaid"})  # what is read and not typed
LANGUAGES: Final = SHELLS | SHOWN | {"python", "yaml", "toml", "ts", "c", "ini", "nginx", "caddy", "dockerfile"}
_BLOCK: Final = re.compile(
    r"(?P<comments>(?:^<!-- [^\n]* -->\n)*)^```(?P<language>\w+)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL
)
_COMMENT: Final = re.compile(
    r"<!-- (?P<kind>not run|needs|first|with|exits 1|append to [\w ./-]+|run|from): (?P<text>.*) -->"
)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_MENTION: Final = re.compile(r"`((?:[A-Z_]+=\S+ )?(?:diorama|make|python|pytest|npm run) [^`]+)`")
_AROUND: Final = frozenset({">", "|"})  # what follows is another program's
_SETTING: Final = re.compile(r"[A-Z_]+=")
_FILE_NAME: Final = re.compile(r"(?:#|//) (?P<name>[\w./-]+\.\w+)\n")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    language: str
    body: str
    comments: tuple[tuple[str, str], ...]

    def said(self, kind: str) -> list[str]:
        """Return what the comments of a kind say, in order."""
        return [text for name, text in self.comments if name == kind]

    @property
    def file(self) -> str | None:
        """Name of the file that its first line tells; None where it tells none."""
        named = _FILE_NAME.match(self.body)
        return None if named is None or self.language in SHELLS else named["name"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command, without what a shell would do around it."""

    document: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.document}: {' '.join(self.words)}"


def all_blocks(document: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    return [
        Block(match["language"], match["body"], tuple(_comments(match["comments"])))
        for match in _BLOCK.finditer(document.read_text(encoding="utf-8"))
    ]


def blocks(document: Path, languages: frozenset[str]) -> list[str]:
    """Return the bodies of a document's fenced blocks in these languages."""
    return [block.body for block in all_blocks(document) if block.language in languages]


def prose(document: Path) -> str:
    """Return what a document says outside of its blocks."""
    return _FENCED.sub("", document.read_text(encoding="utf-8"))


def commands(program: str) -> list[Command]:
    """Return every call of a program in the documentation."""
    return [
        Command(name_of(document), tuple(words))
        for document in DOCUMENTS
        for block in blocks(document, SHELLS)
        for line in lines_of(block)
        for words in _calls(line)
        if words[0] == program
    ]


def mentions(document: Path) -> Iterator[list[str]]:
    """Return the commands that a document names in a sentence or a table."""
    for text in _MENTION.findall(prose(document)):
        words = shlex.split(text.replace("\\|", "|"))
        yield words[1:] if _SETTING.match(words[0]) else words


def name_of(document: Path) -> str:
    """Name a document by where it lies."""
    return document.relative_to(ROOT).as_posix()


def lines_of(body: str) -> list[str]:
    """Return the lines of a shell block, those that go on in the next put together."""
    return [line.removeprefix("$ ") for line in body.replace("\\\n", " ").splitlines() if line.strip()]


def _comments(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        match = _COMMENT.fullmatch(line)
        if match is not None:
            yield match["kind"], match["text"]


def _calls(line: str) -> Iterator[list[str]]:
    for call in line.split(" && "):
        words = [*takewhile(lambda word: word not in _AROUND, shlex.split(call, comments=True))]
        while words and _SETTING.match(words[0]):
            del words[0]
        if words:
            yield words
