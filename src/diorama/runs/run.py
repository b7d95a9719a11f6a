"""`Run`: a run directory as readers see it."""

from pathlib import Path

from diorama.contracts.errors import UnknownName
from diorama.contracts.near_names import hint
from diorama.runs.documents import RawObject, read_document
from diorama.runs.layout import RunLayout, run_entries, run_layout
from diorama.runs.lines import read_lines
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.index import ReplayIndex, read_index


class Run:
    """One run; every call reads the disk, so that a run can be watched while it is written."""

    def __init__(self, layout: RunLayout) -> None:
        """Look at a run; use `open_run`."""
        self.layout = layout

    @property
    def run_id(self) -> str:
        """The name of its directory."""
        return self.layout.run_id

    def metadata(self) -> RunMetadata:
        """Read where the run stands.

        Raises:
            UnknownName: There is no metadata.
            DocumentError: It is broken.
        """
        return read_document(self.layout.metadata, RunMetadata, within=self.layout.directory)

    def config(self) -> RawObject:
        """Read the configuration the run was started with."""
        return read_document(self.layout.config, RawObject, within=self.layout.directory)

    def windows(self) -> list[RawObject]:
        """Read the rows of all windows that are closed."""
        return list(read_lines(self.layout.windows, RawObject, within=self.layout.directory))

    def replay_index(self) -> ReplayIndex:
        """Read the list of replays; empty if none was recorded yet."""
        return read_index(self.layout)


def open_run(runs_root: Path, run_id: str) -> Run:
    """Return a run that exists.

    Raises:
        ConfigError: The id is not allowed.
        UnknownName: There is no such run; the message lists some that exist.
    """
    layout = run_layout(runs_root, run_id)
    if not layout.directory.is_dir():
        meant = hint(run_id, run_ids(runs_root))
        raise UnknownName(f"there is no run {run_id!r} in {runs_root}{meant}; {_what_there_is(runs_root)}")
    return Run(layout)


def run_ids(runs_root: Path) -> list[str]:
    """Return the ids of all runs below a root, sorted; none if there is no such directory."""
    return sorted(entry.name for entry in run_entries(runs_root))


def _what_there_is(runs_root: Path) -> str:
    shown, found = 5, run_ids(runs_root)
    if not found:
        return "there are none yet"
    newest = ", ".join(reversed(found[-shown:]))
    return f"there are: {newest}" + (f" and {len(found) - shown} more" if len(found) > shown else "")
