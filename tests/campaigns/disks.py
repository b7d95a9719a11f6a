"""A file system of its own, small enough to be filled."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoDisk(Exception):
    """Nobody may mount a file system here."""


class SmallDisk:
    """A mounted file system whose size can be changed while it is used."""

    def __init__(self, directory: Path) -> None:
        """Use a directory that is mounted already."""
        self.directory = directory

    def resize(self, size: str) -> None:
        """Give the disk another size, such as `3m`."""
        _mount(self.directory, f"remount,size={size}")

    def fill(self) -> Path:
        """Write a file until nothing more fits, and return it."""
        path = self.directory / "ballast"
        with path.open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                try:
                    while file.write(bytes(size)) == size:
                        pass
                except OSError:
                    continue
        return path


@contextmanager
def small_disk(directory: Path, size: str) -> Iterator[SmallDisk]:
    """Mount a file system in memory of this size.

    Raises:
        NoDisk: That is not allowed here.
    """
    directory.mkdir(parents=True)
    _mount(directory, f"size={size}")
    try:
        yield SmallDisk(directory)
    finally:
        subprocess.run(["umount", "--lazy", str(directory)], check=True)


def _mount(directory: Path, options: str) -> None:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(directory)]
    mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    if mounted.returncode:
        raise NoDisk(f"no file system can be mounted here: {mounted.stderr.strip()}")
