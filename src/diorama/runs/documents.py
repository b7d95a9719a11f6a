"""Reads and writes the JSON documents and JSON lines of a run; whole ones, whatever happens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import msgspec

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.storage.atomic_files import replace_file

if TYPE_CHECKING:
    from diorama.contracts.values import JsonObject

MAX_DOCUMENT_BYTES: Final = 256 << 20

T = TypeVar("T")
RawObject: TypeAlias = dict[str, Any]  # a JSON object of a form that only its writer knows

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


def read_document(path: Path, kind: type[T]) -> T:
    """Read a JSON file.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is broken or of another form.
    """
    return decode(read_bounded(path, MAX_DOCUMENT_BYTES), kind, where=str(path))


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """Read a file of limited size.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is larger, or cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)
    except FileNotFoundError:
        raise UnknownName(f"{path} does not exist") from None
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from error
    if len(data) > limit_bytes:
        raise DocumentError(f"{path}: holds more than {limit_bytes} bytes, the most that is read")
    return data


def decode(data: bytes, kind: type[T], *, where: str) -> T:
    """Read a JSON text as a value of the given type.

    Raises:
        DocumentError: With the place of the text and the place inside of it.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"{where}: {error}") from None
