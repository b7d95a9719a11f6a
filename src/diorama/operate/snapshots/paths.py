"""Where snapshots lie, and which paths an operator may name."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.operate.snapshots.files import SUFFIX

_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")
_AUTOSAVE: Final = re.compile(r"snapshot-(?P<tick>\d+)(?:\.(?P<again>\d+))?\.json\.gz")


class OutsideRoot(ConfigError):
    """A path leads out of the folder of the snapshots."""


@dataclass(frozen=True, slots=True)
class SnapshotFolder:
    """The folder of a live world's snapshots; what a run saves by itself lies in a folder of its own inside."""

    root: Path

    def named(self, name: str) -> Path:
        """Return where a snapshot of this name is saved.

        Raises:
            ConfigError: The name is not allowed.
        """
        stem = name.removesuffix(SUFFIX)
        if _NAME.fullmatch(stem) is None:
            raise ConfigError(
                f"snapshot name {name!r} is not allowed; use 1 to 128 of A-Z a-z 0-9 . _ - and begin with no dot"
            )
        return self.root / f"{stem}{SUFFIX}"

    def inside(self, given: str) -> Path:
        """Return a path that an operator named, relative to the folder or absolute.

        Raises:
            OutsideRoot: It leads out of the folder, by its parts or by a link.
        """
        if "\0" in given or not given:
            raise OutsideRoot(f"{given!r} is no path; name a snapshot inside of the snapshot folder")
        path = self.root / given
        if not path.resolve().is_relative_to(self.root.resolve()):
            raise OutsideRoot(f"{given!r} leads out of the snapshot folder; only files inside of it can be named")
        return path if path.exists() or given.endswith(SUFFIX) else path.with_name(path.name + SUFFIX)

    def shown(self, path: Path) -> str:
        """Write a path the way it is told: relative to the folder."""
        return path.relative_to(self.root).as_posix()

    def listing(self) -> list[Path]:
        """Return all snapshots, by path."""
        return sorted(path for path in self.root.rglob(f"*{SUFFIX}") if not path.name.startswith("."))

    def run(self, run_id: str) -> Path:
        """Return the folder of what a run saves by itself."""
        return self.root / run_id


def autosave_path(folder: Path, tick: int) -> Path:
    """Return a free name for an autosave; a world that was set back comes by the same tick again."""
    path, again = folder / f"snapshot-{tick}{SUFFIX}", 0
    while path.exists():
        again += 1
        path = folder / f"snapshot-{tick}.{again}{SUFFIX}"
    return path


def failure_path(folder: Path, tick: int) -> Path:
    """Return where the state of a tick that failed is kept."""
    return folder / f"failure-{tick}{SUFFIX}"


def is_autosave(path: Path) -> bool:
    """Whether a file was saved without asking, and may be removed without asking."""
    return _AUTOSAVE.fullmatch(path.name) is not None
