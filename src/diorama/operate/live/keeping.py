"""What a live world leaves on the disk: autosaves with the log between them, named snapshots, failures."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import Base, TickLine
from diorama.operate.live.journal.segments import Segment, segments
from diorama.operate.live.journal.writer import JournalWriter
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.files import write_snapshot
from diorama.operate.snapshots.paths import SnapshotFolder, autosave_path, failure_path, is_autosave
from diorama.storage.atomic_files import remove_unfinished

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A snapshot that was written; `path` is told relative to the snapshot folder."""

    path: str
    document: SnapshotDocument


class Keeper:
    """Keeps one run of a live world.

    The log goes from one autosave to the next. Whenever the process is killed, the newest segment and the snapshot
    that it begins at are whole, and give the state at the last tick that was executed to its end.
    """

    def __init__(self, folder: SnapshotFolder, journal: Path, world: str, run_id: str) -> None:
        """Go on after what is there, without what a killed process left unfinished."""
        self.folder = folder
        self._saves = folder.run(run_id)
        self._journal_folder = journal
        for directory in (folder.root, self._saves, journal):
            directory.mkdir(parents=True, exist_ok=True)
            remove_unfinished(directory)
        self._journal = JournalWriter(journal, world, run_id)

    def newest_segment(self) -> Segment | None:
        """Return where a restart begins; None for a run without a log.

        Raises:
            DocumentError: The log is broken.
        """
        known = segments(self._journal_folder)
        return known[-1] if known else None

    def autosave(self, document: SnapshotDocument, *, retain: int, is_continuous: bool) -> Saved:
        """Save, begin a new segment of the log, and remove what is older than the newest `retain` of them.

        Args:
            document: What is saved.
            retain: How many are kept.
            is_continuous: Whether the log leads here.

        Raises:
            StorageError: The disk refuses; the log goes on as before.
        """
        path = autosave_path(self._saves, document.tick)
        write_snapshot(path, document)
        shown = self.folder.shown(path)
        base = Base(path=shown, tick=document.tick, state_hash=document.state_hash)
        self._journal.begin(document.identity, base, is_continuous=is_continuous)
        try:
            self._prune(retain)
        except OSError as error:
            # What is new is whole and goes on; what is old only takes up room.
            _log.warning("an old save cannot be removed: %s", error)
        return Saved(path=shown, document=document)

    def save(self, name: str, document: SnapshotDocument) -> Saved:
        """Save under a name; what had it before is replaced.

        Raises:
            ConfigError: The name is not allowed.
            StorageError: The disk refuses.
        """
        path = self.folder.named(name)
        write_snapshot(path, document)
        return Saved(path=self.folder.shown(path), document=document)

    def save_failure(self, document: SnapshotDocument) -> Saved:
        """Keep the state of a tick that failed.

        Raises:
            StorageError: The disk refuses.
        """
        path = failure_path(self._saves, document.tick)
        write_snapshot(path, document)
        return Saved(path=self.folder.shown(path), document=document)

    def note_command(self, tick: int, executed: JsonObject) -> None:
        """Log a command that was executed."""
        self._journal.command(tick, executed)

    def note_tick(self, line: TickLine) -> None:
        """Log a tick that was executed."""
        self._journal.tick(line)

    def close(self) -> None:
        """Put the log on the disk."""
        self._journal.close()

    def _prune(self, retain: int) -> None:
        known = segments(self._journal_folder)
        for old in known[:-retain]:
            old.path.unlink()
        kept = {segment.header.base.path for segment in known[-retain:]}
        for path in self._saves.iterdir():
            if is_autosave(path) and self.folder.shown(path) not in kept:
                path.unlink()
