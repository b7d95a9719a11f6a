"""Arrays on disk, bounded before they are unpacked."""

import io
import math
from collections.abc import Sequence
from tokenize import TokenError
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from diorama.contracts.errors import DocumentError
from diorama.storage.unpacking import ZipMembers

MAX_ARCHIVE_BYTES: Final = 1 << 30  # of all arrays of an archive, unpacked
_BROKEN_HEADER: Final = (ValueError, TypeError, SyntaxError, TokenError, RecursionError, MemoryError, OverflowError)


def parse_npy(data: bytes, where: str) -> NDArray[Any]:
    """Read the only array of an NPY file; it is the caller's own.

    Raises:
        DocumentError: It is none, or has other bytes than its header promises.
    """
    file = io.BytesIO(data)
    try:
        version = npy_format.read_magic(file)
        read = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
        shape, is_transposed, kind = read(file)
    except _BROKEN_HEADER as error:
        raise DocumentError(f"{where}: is no array of numpy ({' '.join(str(error).split())})") from None
    held, promised = len(data) - file.tell(), math.prod(shape) * kind.itemsize
    if kind.hasobject or kind.itemsize == 0 or min(shape, default=0) < 0 or held != promised:
        raise DocumentError(f"{where}: {kind} of shape {shape} does not fit the {held} bytes that follow")
    flat = np.frombuffer(data, kind, offset=file.tell())
    try:
        return flat.reshape(shape, order="F" if is_transposed else "C").copy()
    except ValueError as error:
        raise DocumentError(f"{where}: numpy has no array of shape {shape} ({error})") from None


def parse_npz(
    data: bytes, names: Sequence[str], where: str, *, optional: Sequence[str] = ()
) -> dict[str, NDArray[Any]]:
    """Read some arrays of an NPZ file, and those of the optional ones that it has.

    Raises:
        DocumentError: It is none, lacks one of them, packs them in a way that is not read, or would be unpacked to
            more than `MAX_ARCHIVE_BYTES`.
    """
    archive = ZipMembers(data, most_bytes=MAX_ARCHIVE_BYTES, where=where)
    members = set(archive.names)
    names = [*names, *(name for name in optional if f"{name}.npy" in members)]
    # One after another, so that no more than one is there twice: as it was packed and as an array.
    unpacked = archive.read(f"{name}.npy" for name in names)
    return {name: parse_npy(member, f"{where} {name}") for name, (_, member) in zip(names, unpacked, strict=True)}
