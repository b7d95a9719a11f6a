"""Lists words that a package must not use, with the word to use instead; exit status 1 if it finds any.

Each file of `tools/vocabulary/` is about the Python files of one package:

    paths:       globs, relative to the root of the repository
    forbidden:   regular expression of a word in an identifier, and the word to use instead
    prose:       the same for words in comments, docstrings and other strings
    exceptions:  pattern, path and why: uses that are right, such as stored names

Expressions match whole words, case-sensitively. Underscores separate words, so `lane` matches in `lane_copies`.
Identifiers are the names in the code, names in backticks and the path of the file, which is line 0. An exception
allows the matches that its pattern covers in the files that its path, a glob, names; one that allows nothing is an
error, too.
"""

import argparse
import io
import re
import sys
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = "tools/vocabulary"
_KEYS: Final = frozenset({"paths", "forbidden", "prose", "exceptions"})
_EXCEPTION_KEYS: Final = frozenset({"pattern", "path", "why"})
_BACKTICKS: Final = re.compile(r"`[^`\n]+`")


class BadVocabulary(Exception):
    """A vocabulary file cannot be used; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a source file; offsets count from the start of its text."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A Python file: its text, and where its identifiers, its comments and its strings are."""

    path: str
    text: str
    names: tuple[Span, ...]
    prose: tuple[Span, ...]

    def line(self, offset: int) -> int:
        """Return the number of a line; the path, which precedes the text, is line 0."""
        return self.text.count("\n", 0, offset)


@dataclass(slots=True, kw_only=True)
class Allowed:
    """An exception; `uses` counts the matches that it has allowed."""

    pattern: re.Pattern[str]
    path: str
    uses: int = 0

    def covers(self, source: Source, match: re.Match[str]) -> bool:
        """Whether it allows a match; counts the match if it does."""
        if not fnmatch(source.path, self.path):
            return False
        first = source.text.rfind("\n", 0, match.start()) + 1
        last = source.text.find("\n", match.end())
        around = self.pattern.finditer(source.text, first, len(source.text) if last < 0 else last)
        found = any(item.start() <= match.start() and match.end() <= item.end() for item in around)
        self.uses += found
        return found


@dataclass(slots=True, kw_only=True)
class Words:
    """Forbidden expressions with their replacements, and one expression that matches wherever any of them does."""

    replacements: Sequence[tuple[re.Pattern[str], str]]
    any_of_them: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        """Join the expressions; most spans match none of them."""
        joined = "|".join(f"(?:{pattern.pattern})" for pattern, _ in self.replacements)
        self.any_of_them = re.compile(joined or r"(?!)")

    def found_in(self, source: Source, spans: Sequence[Span]) -> Iterator[tuple[re.Match[str], str]]:
        """Yield every match and its replacement."""
        for span in spans:
            if self.any_of_them.search(source.text, span.start, span.stop):
                for pattern, replacement in self.replacements:
                    for match in pattern.finditer(source.text, span.start, span.stop):
                        yield match, replacement


@dataclass(slots=True, kw_only=True)
class Vocabulary:
    """The contents of one vocabulary file."""

    file: str
    paths: Sequence[str]
    forbidden: Words
    prose: Words
    exceptions: Sequence[Allowed]

    def problems(self, root: Path, sources: dict[Path, Source]) -> list[str]:
        """Return one line per forbidden word, then one per exception that allows nothing.

        Args:
            root: Folder of the repository.
            sources: Files that have been read; it is filled.
        """
        files = sorted({path for glob in self.paths for path in root.glob(glob) if path.is_file()})
        if not files:
            return [f"{self.file}: no file matches {', '.join(self.paths)}"]
        found: list[str] = []
        for file in files:
            if file not in sources:
                sources[file] = read_source(file, file.relative_to(root).as_posix())
            found += self._problems_of(sources[file])
        unused = [item for item in self.exceptions if not item.uses]
        return found + [
            f"{self.file}: the exception {item.pattern.pattern!r} for {item.path} allows nothing; remove it"
            for item in unused
        ]

    def _problems_of(self, source: Source) -> list[str]:
        matches = [*self.forbidden.found_in(source, source.names), *self.prose.found_in(source, source.prose)]
        return [
            f"{source.path}:{source.line(match.start())}: {' '.join(match.group().split())} -> {replacement}"
            for match, replacement in sorted(matches, key=lambda item: item[0].start())
            if not any(item.covers(source, match) for item in self.exceptions)
        ]


def read_source(file: Path, path: str) -> Source:
    """Return a Python file with the spans of its identifiers, comments and strings."""
    text = f"{path}\n{file.read_text(encoding='utf-8')}"
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    names, prose = [Span(0, len(path))], []
    for token in tokenize.generate_tokens(io.StringIO(text[starts[1] :]).readline):
        start = starts[token.start[0]] + token.start[1]
        stop = starts[token.end[0]] + token.end[1]
        if token.type == tokenize.NAME:
            names.append(Span(start, stop))
        elif token.type in (tokenize.STRING, tokenize.COMMENT):
            prose.append(Span(start, stop))
            names += [Span(quoted.start(), quoted.end()) for quoted in _BACKTICKS.finditer(text, start, stop)]
    return Source(path=path, text=text, names=tuple(names), prose=tuple(prose))


def read_vocabulary(path: Path) -> Vocabulary:
    """Return the contents of a vocabulary file.

    Raises:
        BadVocabulary: It has other keys, or an expression is invalid.
    """
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not {"paths"} <= content.keys() <= _KEYS:
        raise BadVocabulary(f"{path.name}: has the keys {sorted(content)}; use {sorted(_KEYS)}")
    exceptions = content.get("exceptions") or []
    for item in exceptions:
        if item.keys() != _EXCEPTION_KEYS or not all(item.values()):
            raise BadVocabulary(f"{path.name}: the exception {item} needs {sorted(_EXCEPTION_KEYS)}")
    return Vocabulary(
        file=path.name,
        paths=content["paths"],
        forbidden=_words(path.name, content.get("forbidden") or {}),
        prose=_words(path.name, content.get("prose") or {}),
        exceptions=[Allowed(pattern=_compiled(path.name, item["pattern"]), path=item["path"]) for item in exceptions],
    )


def check(root: Path, folder: Path) -> list[str]:
    """Return the problems that the vocabulary files of a folder find under `root`."""
    sources: dict[Path, Source] = {}
    return [line for path in sorted(folder.glob("*.yaml")) for line in read_vocabulary(path).problems(root, sources)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every problem; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the repository")
    options = parser.parse_args(arguments)
    try:
        problems = check(options.root, options.root / FOLDER)
    except BadVocabulary as error:
        problems = [str(error)]
    for line in problems:
        print(line)
    return 1 if problems else 0


def _words(file: str, replacements: Mapping[str, str]) -> Words:
    # A line break in a docstring separates words like a space.
    spaced = {word.replace(" ", r"\s+"): instead for word, instead in replacements.items()}
    return Words(
        replacements=[
            (_compiled(file, rf"(?<![A-Za-z0-9])(?:{word})(?![A-Za-z0-9])"), instead)
            for word, instead in spaced.items()
        ]
    )


def _compiled(file: str, expression: str) -> re.Pattern[str]:
    try:
        return re.compile(expression)
    except re.error as error:
        raise BadVocabulary(f"{file}: {expression!r} is not a regular expression ({error})") from None


if __name__ == "__main__":
    sys.exit(main())
