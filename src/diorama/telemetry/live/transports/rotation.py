"""`Rotation`: when a file that grows is put aside, under which name, and which of those before it stay."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.storage.atomic_files import storage_errors

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """Puts files aside as `<name>.000001`, `<name>.000002` and so on, the oldest first; none is ever renamed again.

    Attributes:
        most_bytes: A file that has come to this size is put aside.
        keep: How many of those that were put aside stay; None for all.
    """

    most_bytes: int
    keep: int | None

    def is_due(self, path: Path) -> bool:
        """Whether a file has come to its size."""
        return path.is_file() and path.stat().st_size >= self.most_bytes

    def put_aside(self, path: Path) -> None:
        """Give a file its number, and remove the oldest where there are too many.

        Raises:
            StorageError: The disk refuses; the file is still there, under one of its names.
        """
        with storage_errors(path):
            aside = put_aside_files(path)
            number = 1 + (int(aside[-1].suffix[1:]) if aside else 0)
            kept = path.with_name(f"{path.name}.{number:0{_DIGITS}d}")
            path.rename(kept)
            for old in [] if self.keep is None else [*aside, kept][: -self.keep]:
                old.unlink()


def put_aside_files(path: Path) -> list[Path]:
    """Return what was put aside of a file, oldest first."""
    pattern = re.compile(rf"{re.escape(path.name)}\.\d{{{_DIGITS},}}")
    found = [entry for entry in path.parent.iterdir() if pattern.fullmatch(entry.name)]
    return sorted(found, key=lambda entry: int(entry.suffix[1:]))
