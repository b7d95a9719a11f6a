"""Writes the log of a live world."""

from pathlib import Path

from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import VERSION, Base, Header, TickLine, as_commands, encode_line
from diorama.operate.live.journal.segments import begin_segment, segments
from diorama.operate.snapshots.document import SnapshotIdentity
from diorama.storage.line_files import LineFile


class JournalWriter:
    """Appends lines to the newest segment; every line is with the operating system before the call returns."""

    def __init__(self, folder: Path, world: str, run_id: str) -> None:
        """Go on after what is there; `begin` must be called first where there is nothing."""
        self._folder = folder
        self._world = world
        self._run_id = run_id
        known = segments(folder)
        self._serial = known[-1].serial if known else 0
        self._file: LineFile | None = LineFile(known[-1].path) if known else None

    @property
    def is_begun(self) -> bool:
        """Whether there is a segment to write to."""
        return self._file is not None

    def begin(self, identity: SnapshotIdentity, base: Base, *, is_continuous: bool) -> None:
        """Begin a segment at a snapshot.

        Raises:
            StorageError: The disk refuses; the log goes on in whichever segment is the newest on the disk.
        """
        header = Header(
            journal=VERSION,
            world=self._world,
            run_id=self._run_id,
            identity=dict(identity.to_json()),
            base=base,
            is_continuous=is_continuous,
        )
        former, self._file = self._file, begin_segment(self._folder, self._serial + 1, header)
        self._serial += 1
        # Last: whatever becomes of the former segment, a restart begins at the new one.
        if former is not None:
            _put_away(former)

    def command(self, tick: int, envelope: JsonObject) -> None:
        """Add a command that was executed."""
        self._append(encode_line(as_commands(tick, envelope)))

    def tick(self, line: TickLine) -> None:
        """Add a tick that was executed."""
        self._append(encode_line(line))

    def close(self) -> None:
        """Put everything on the disk and close."""
        former, self._file = self._file, None
        if former is not None:
            _put_away(former)

    def _append(self, line: bytes) -> None:
        if self._file is None:
            raise ValueError("the log has not been begun")
        self._file.append(line)


def _put_away(file: LineFile) -> None:
    try:
        file.sync()
    finally:
        file.close()
