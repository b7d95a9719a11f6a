"""Snapshot files: gzip-compressed JSON, written whole or not at all, read within bounds."""

import gzip
import json
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonValue
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import SnapshotCorrupt
from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json
from diorama.storage.unpacking import unpack_gzip

SUFFIX: Final = ".json.gz"
MAX_FILE_BYTES: Final = 32 << 20
MAX_TEXT_BYTES: Final = 128 << 20
_LEVEL: Final = 4
_INT_BITS: Final = 256  # what a world keeps is its own business


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
        SnapshotCorrupt: It is no such file, cut short, broken, too large, or holds too much.
    """
    try:
        packed = read_artifact(path, most_bytes=MAX_FILE_BYTES)
        text = unpack_gzip(packed, most_bytes=MAX_TEXT_BYTES, where=path.name)
        value: JsonValue = decode_json(text, object, where=path.name, int_bits=_INT_BITS)  # type: ignore[assignment]  # of JSON
        return value
    except DocumentError as error:
        raise SnapshotCorrupt(f"{error}; it must be gzip-compressed JSON", code=error.code, **error.fields) from None
