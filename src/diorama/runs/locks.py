"""Keeps two processes from writing the same thing; a killed process holds no lock."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from diorama.contracts.errors import RunConflict


class DirectoryLock:
    """Exclusive hold of a directory by this process, until it is released or the process ends."""

    def __init__(self, directory: Path) -> None:
        """Take hold of a directory.

        Raises:
            RunConflict: Another process holds it.
        """
        self._descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise RunConflict(f"{directory} is being written by another process; wait for it or stop it") from None

    def release(self) -> None:
        """Let go."""
        os.close(self._descriptor)


@contextmanager
def waiting_turn(directory: Path) -> Iterator[None]:
    """Hold a directory for the length of a block, after whoever holds it now."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
