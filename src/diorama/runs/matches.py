"""What a run leaves behind about its matches: who played whom, ratings, frozen policies, and an audit of changes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.contracts.matches import RatingEstimate
from diorama.contracts.values import JsonObject
from diorama.runs.documents import Document, RawObject, encode, read_document, replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.lines import read_lines
from diorama.storage.line_files import LineFile

MATCHES_PER_FILE: Final = 50_000
FILES_KEPT: Final = 2
_FOLDER: Final = "matches"


class RatingTable(Document, frozen=True, kw_only=True):
    """Everybody's rating after so many matches, strongest first.

    Attributes:
        matches: How many have been recorded.
        anchor: The player whose rating is fixed.
        ratings: Elo ratings as they stand, updated match by match.
        estimates: Ratings with intervals, fitted to the results; empty in files of earlier versions.
    """

    matches: int
    anchor: str
    ratings: list[tuple[str, float]]
    estimates: tuple[RatingEstimate, ...] = ()


class MatchFiles:
    """Writes them; only the newest matches are kept, the audit only grows."""

    def __init__(self, layout: RunLayout) -> None:
        """Write under a run's directory, which need not exist yet."""
        self._folder = layout.directory / _FOLDER
        self.recorded = 0
        self._open: tuple[int, LineFile] | None = None

    def snapshot_path(self, name: str) -> Path:
        """Return where a frozen policy lies."""
        return self._folder / "pool" / f"{name}.safetensors"

    def record(self, lines: Sequence[JsonObject]) -> None:
        """Add finished matches.

        Raises:
            StorageError: The disk refuses.
        """
        for line in lines:
            self._file(self.recorded // MATCHES_PER_FILE).append(encode(line))
            self.recorded += 1

    def audit(self, entry: JsonObject) -> None:
        """Add a line to the audit.

        Raises:
            StorageError: The disk refuses.
        """
        with LineFile(self._folder / "audit.jsonl") as file:
            file.append(encode(entry))
            file.sync()

    def rate(self, table: RatingTable) -> None:
        """Replace the ratings.

        Raises:
            StorageError: The disk refuses.
        """
        replace_document(self._folder / "ratings.json", table)

    def continue_from(self, recorded: int) -> None:
        """Forget the matches after the first `recorded`: they will be played again, and end the same."""
        self.close()
        number, rest = divmod(recorded, MATCHES_PER_FILE)
        for path in self._folder.glob("results_*.jsonl"):
            if path.name > _name(number):
                path.unlink()
        if rest:
            self._file(number).keep(rest)
        else:
            (self._folder / _name(number)).unlink(missing_ok=True)
        self.recorded = recorded

    def close(self) -> None:
        """Close the file that is open."""
        if self._open is not None:
            self._open[1].close()
            self._open = None

    def _file(self, number: int) -> LineFile:
        if self._open is None or self._open[0] != number:
            self.close()
            self._open = number, LineFile(self._folder / _name(number))
            for path in sorted(self._folder.glob("results_*.jsonl"))[:-FILES_KEPT]:
                path.unlink()
        return self._open[1]


def read_ratings(layout: RunLayout) -> RatingTable | None:
    """Read the ratings of a run; None where nobody was rated.

    Raises:
        DocumentError: The file is broken.
    """
    try:
        return read_document(layout.directory / _FOLDER / "ratings.json", RatingTable, within=layout.directory)
    except UnknownName:
        return None


def read_matches(layout: RunLayout) -> list[RawObject]:
    """Read the matches that are kept, oldest first.

    Raises:
        DocumentError: A file is broken.
    """
    paths = sorted((layout.directory / _FOLDER).glob("results_*.jsonl"))
    return [line for path in paths for line in read_lines(path, RawObject, within=layout.directory)]


def read_audit(layout: RunLayout) -> list[RawObject]:
    """Read the audit, oldest entry first.

    Raises:
        DocumentError: The file is broken.
    """
    return list(read_lines(layout.directory / _FOLDER / "audit.jsonl", RawObject, within=layout.directory))


def _name(number: int) -> str:
    return f"results_{number:06d}.jsonl"
