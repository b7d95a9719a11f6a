"""Where everything of a run lies, and which names are allowed."""

import os
import re
import subprocess
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from diorama.contracts.errors import ConfigError, DocumentError

_ID: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")
_NO_REVISION: Final = "nogit"
_MAX_PATH_LETTERS: Final = 1024


@dataclass(frozen=True, slots=True)
class RunLayout:
    """The paths inside one run directory; `directory` is the run's own.

    Attributes:
        directory: Where everything lies.
        name: The id of a run whose directory is named otherwise, such as a champion; None for the directory's name.
    """

    directory: Path
    name: str | None = None

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return self.directory.name if self.name is None else self.name

    @property
    def config(self) -> Path:
        """The frozen training configuration."""
        return self.directory / "config.json"

    @property
    def metadata(self) -> Path:
        """The live state of the run."""
        return self.directory / "run_metadata.json"

    @property
    def windows(self) -> Path:
        """One line per closed window."""
        return self.directory / "metrics" / "windows.jsonl"

    @property
    def checkpoints(self) -> Path:
        """The directory of the checkpoints."""
        return self.directory / "checkpoints"

    @property
    def validation(self) -> Path:
        """The scores of checkpoints on validation seeds."""
        return self.directory / "validation.json"

    @property
    def exports(self) -> Path:
        """Policies in formats of others."""
        return self.directory / "exports"

    @property
    def replays(self) -> Path:
        """The directory of the replays."""
        return self.directory / "replays"

    @property
    def replay_index(self) -> Path:
        """The list of the replays."""
        return self.directory / "replay_index.json"

    @property
    def telemetry(self) -> Path:
        """Where the telemetry sinks write."""
        return self.directory / "telemetry"

    def replay(self, replay_id: str) -> Path:
        """Return the frames of a replay."""
        return self.replays / f"{check_id('replay', replay_id)}.jsonl.gz"

    def replay_sidecar(self, replay_id: str) -> Path:
        """Return what is known about a replay beside its frames."""
        return self.replays / f"{check_id('replay', replay_id)}.meta.json"

    def relative(self, path: Path) -> str:
        """Write a path of this run the way documents store it."""
        return path.relative_to(self.directory).as_posix()

    def resolve(self, stored: str) -> Path:
        """Return the path a document names.

        Raises:
            DocumentError: It leads out of the run, or goes through a link.
        """
        path = self.directory
        for part in self.check_inside(stored):
            path = path / part
            if _is_link(path):
                raise DocumentError(
                    f"{path}: is a link; what a run names must lie in the run itself",
                    code="path_is_link",
                    run_id=self.run_id,
                    stored=stored,
                )
        return path

    def check_inside(self, stored: str) -> tuple[str, ...]:
        """Return the parts of a path that a document names, without a look at the disk.

        Raises:
            DocumentError: It leads out of the run.
        """
        parts = PurePosixPath(stored).parts
        if not parts or parts[0] == "/" or ".." in parts or "\0" in stored or len(stored) > _MAX_PATH_LETTERS:
            raise DocumentError(
                f"{self.directory}: a document points at {stored[:_MAX_PATH_LETTERS]!r}, outside of its run",
                code="path_outside_run",
                run_id=self.run_id,
                stored=stored,
            )
        return parts


def run_layout(runs_root: Path, run_id: str) -> RunLayout:
    """Return the paths of a run, which need not exist.

    Raises:
        ConfigError: The id is not allowed, or a link leads out of the root.
    """
    directory = runs_root / check_id("run", run_id)
    if directory.resolve() != runs_root.resolve() / run_id:
        raise ConfigError(f"{directory} is a link out of {runs_root}; a run must lie inside of it")
    return RunLayout(directory)


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except OSError:
        return False  # a name that the system refuses; whoever opens it is told why


def check_id(kind: str, identifier: str) -> str:
    """Return an id that is allowed to be part of a path.

    Raises:
        ConfigError: It is not.
    """
    if _ID.fullmatch(identifier) is None:
        raise ConfigError(
            f"{kind} id {identifier!r} is not allowed; use 1 to 128 of A-Z a-z 0-9 . _ - and begin with no dot"
        )
    return identifier


def is_run_id(name: str) -> bool:
    """Whether a directory of this name may be a run."""
    return _ID.fullmatch(name) is not None


def run_entries(runs_root: Path) -> list[os.DirEntry[str]]:
    """Return the directories of all runs below a root, unsorted; a link is no run, and neither is a missing root."""
    if not runs_root.is_dir():
        return []
    with os.scandir(runs_root) as entries:
        return [entry for entry in entries if is_run_id(entry.name) and entry.is_dir(follow_symlinks=False)]


def default_run_id(now: datetime, revision: str | None) -> str:
    """Return the id of a run that was given none.

    Args:
        now: In UTC.
        revision: As `short_revision` tells it.
    """
    return f"{now.strftime('%Y%m%dT%H%M%SZ')}-{revision or _NO_REVISION}"


def short_revision(directory: Path) -> str | None:
    """Return the abbreviated commit that is checked out in a directory; None where there is none or no git."""
    try:
        asked = subprocess.run(
            ["git", "-C", str(directory), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return asked.stdout.strip() if asked.returncode == 0 else None
