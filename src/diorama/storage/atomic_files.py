"""Files that are replaced as a whole, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final

from diorama.contracts.errors import StorageError

UNFINISHED: Final = ".unfinished-"  # part of the name of every file that is still being written
_DEVICES: Final = Path("/dev")
_serial = count()


def replace_file(path: Path, data: bytes) -> None:
    """Make `data` the contents of a file; missing parent directories are made.

    Raises:
        StorageError: The disk is full or refuses; what was there before is untouched.
    """
    with unfinished_file(path) as file:
        file.write(data)


@contextmanager
def unfinished_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when the block ends, and vanishes if the block fails.

    It is written beside its target under a hidden name, and on the disk before it gets its real one. A device, a
    terminal or a pipe cannot be replaced and is written to as it is.

    Raises:
        StorageError: The disk is full or refuses; what was there before is untouched.
    """
    with storage_errors(path):
        if _is_no_plain_file(path):
            with path.open("ab") as stream:
                yield stream
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}{UNFINISHED}{os.getpid()}-{next(_serial)}")
        try:
            with unfinished.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
            sync_directory(path.parent)
        finally:
            unfinished.unlink(missing_ok=True)


def _is_no_plain_file(path: Path) -> bool:
    # What lies in /dev may lead to a plain file, such as /dev/stdout, and is none itself.
    return path.exists() and (not path.is_file() or _DEVICES in path.absolute().parents)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn failures of the system while a file is written into one line that names the file."""
    try:
        yield
    except OSError as error:
        # A folder is made unless it is there; that it "exists" then means that something else is in its place.
        reason = f"{error.filename} is no folder" if isinstance(error, FileExistsError) else error.strerror or error
        raise StorageError(f"{path}: cannot be written ({reason}); what it held before is untouched") from error


def sync_directory(directory: Path) -> None:
    """Put the names in a directory on the disk; without it a power cut may undo a rename."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_unfinished(directory: Path) -> None:
    """Remove what killed writers have left in a directory; nobody else may be writing there."""
    for leftover in sorted(directory.glob(f".*{UNFINISHED}*")):
        leftover.unlink()
