"""Reads and writes the JSON documents and JSON lines of a run; whole ones, whatever happens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import msgspec

from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json

if TYPE_CHECKING:
    from diorama.contracts.values import JsonObject

MAX_DOCUMENT_BYTES: Final = 64 << 20

T = TypeVar("T")
RawObject: TypeAlias = dict[str, Any]  # a JSON object of a form that only its writer knows
Int64: TypeAlias = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]  # what SQLite holds

_encoder: Final = msgspec.json.Encoder()


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that is stored as a JSON object: typed, frozen, and strict about unknown keys."""


def encode(value: Document | JsonObject) -> bytes:
    """Write a value as one line of JSON; numbers that are not finite become null."""
    return _encoder.encode(value)


def replace_document(path: Path, value: Document | JsonObject) -> None:
    """Make a value the contents of a JSON file.

    Raises:
        StorageError: The disk refuses; the previous document is untouched.
    """
    replace_file(path, msgspec.json.format(encode(value), indent=2) + b"\n")


def read_document(path: Path, kind: type[T], *, within: Path | None = None) -> T:
    """Read a JSON file of a run, or of another folder.

    Args:
        path: Of the file.
        kind: What it must hold.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no ordinary file of the folder, broken, too large or of another form.
    """
    data = read_artifact(path, within=within, most_bytes=MAX_DOCUMENT_BYTES)
    return decode_json(data, kind, where=str(path))
