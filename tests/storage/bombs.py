"""Small files that would unpack to large ones, and how much memory reading them takes."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

MIB = 1 << 20


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def declaring(archive: bytes, size: int) -> bytes:
    """Return a zip archive of one member whose headers say that it has so many bytes unpacked."""
    changed = bytearray(archive)
    directory = archive.rindex(b"PK\x01\x02")
    for at in (22, directory + 24):  # in the member's own header, and in the directory
        struct.pack_into("<I", changed, at, size)
    return bytes(changed)


@contextmanager
def peak_below(most_bytes: int) -> Iterator[None]:
    """Fail if Python allocates more than so many bytes at once; what libraries of its own hold as bytes counts."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most_bytes, f"{peak / MIB:.0f} MiB at once, {most_bytes / MIB:.0f} MiB are allowed"
