"""Bytes to plain values, with one clear problem where that fails."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from pydantic_core import from_json

from diorama.contracts.errors import DocumentError
from diorama.storage.json_text import check_count
from diorama.worlds.tidebreak.packages.problems import Problem

MAX_BYTES: Final = 16 << 20

Source: TypeAlias = bytes | str | Mapping[str, object]


def parse(source: Source) -> Mapping[str, object] | Problem:
    """Return the mapping that JSON text (UTF-8) stands for, or what is wrong with the text as a whole."""
    if isinstance(source, Mapping):
        return source
    if len(source) > MAX_BYTES:
        return Problem("P004", "", f"has {len(source)} bytes; {MAX_BYTES} are read at most")
    try:
        check_count(source, "the document")
    except DocumentError as error:
        return Problem("P004", "", str(error).removeprefix("the document: "))
    try:
        document = from_json(source)
    except ValueError as error:
        return Problem("P003", "", f"is not JSON: {error}")
    if not isinstance(document, dict):
        return Problem("P003", "", f"is a {type(document).__name__}; it must be an object")
    return document
