"""Snapshot files: gzip-compressed JSON, written whole or not at all, read within bounds."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonValue
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import SnapshotCorrupt
from diorama.runs.documents import read_bounded
from diorama.storage.atomic_files import replace_file

SUFFIX: Final = ".json.gz"
MAX_FILE_BYTES: Final = 64 << 20
MAX_TEXT_BYTES: Final = 512 << 20
_LEVEL: Final = 4
_GZIP_WINDOW: Final = 16 + zlib.MAX_WBITS


def write_snapshot(path: Path, document: SnapshotDocument) -> None:
    """Make a document the contents of a file.

    Raises:
        StorageError: The disk refuses; what was there before is untouched.
    """
    text = json.dumps(document.to_json(), separators=(",", ":"), allow_nan=False)
    # No time in the header: equal states give equal files.
    replace_file(path, gzip.compress(text.encode(), _LEVEL, mtime=0))


def read_snapshot(path: Path) -> JsonValue:
    """Read the JSON value of a file, whatever its schema.

    Raises:
        UnknownName: There is no such file.
        SnapshotCorrupt: It is no such file, cut short, broken or too large.
    """
    try:
        data = read_bounded(path, MAX_FILE_BYTES)
    except DocumentError as error:
        raise SnapshotCorrupt(str(error)) from None
    try:
        value: JsonValue = json.loads(_unpacked(data))
    except (zlib.error, ValueError, RecursionError) as error:
        raise SnapshotCorrupt(f"{path.name}: cannot be read ({error}); it must be gzip-compressed JSON") from None
    return value


def _unpacked(data: bytes) -> bytes:
    reader = zlib.decompressobj(_GZIP_WINDOW)
    text = reader.decompress(data, MAX_TEXT_BYTES)
    if reader.unconsumed_tail:
        raise ValueError(f"it unpacks to more than {MAX_TEXT_BYTES} bytes")
    if not reader.eof:
        raise ValueError("it is cut short")
    if reader.unused_data:
        raise ValueError("there is something after its end")
    return text
