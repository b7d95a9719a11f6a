"""What the documentation tells readers to type."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
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
            "src/diorama/worlds/*/README.md",
            "examples/**/*.md",
        )
        for path in ROOT.glob(pattern)
        if path.name != "CHANGELOG.md"
    )
)
_BLOCK: Final = re.compile(r"^```(?P<language>\w+)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)
_SETTING: Final = re.compile(r"[A-Z_]+=")
_SHELLS: Final = frozenset({"sh", "bash", "console"})


@dataclass(frozen=True, slots=True)
class Command:
    """One command, without what a shell would do around it."""

    document: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.document}: {' '.join(self.words)}"


def blocks(document: Path, languages: frozenset[str]) -> list[str]:
    """Return the bodies of a document's fenced blocks in these languages."""
    found = _BLOCK.finditer(document.read_text(encoding="utf-8"))
    return [match["body"] for match in found if match["language"] in languages]


def commands(program: str) -> list[Command]:
    """Return every call of a program in the documentation."""
    return [
        Command(document.relative_to(ROOT).as_posix(), tuple(words))
        for document in DOCUMENTS
        for block in blocks(document, _SHELLS)
        for words in _calls(block)
        if words[0] == program
    ]


def _calls(block: str) -> Iterator[list[str]]:
    for line in block.replace("\\\n", " ").splitlines():
        for call in line.removeprefix("$ ").split(" && "):
            words = shlex.split(call, comments=True)
            while words and _SETTING.match(words[0]):
                del words[0]
            if words:
                yield words
