"""Versions of the exchanged documents: `arena.v1` and up, and which blocks of a ship each one added."""

import re
from typing import Final

PREFIX: Final = "arena."
CURRENT: Final = 3
BLOCK_VERSIONS: Final = {
    "leadership": 2,
    "supply": 2,
    "damage_state": 2,
    "defenses": 2,
    "siege_state": 3,
}
_FORM: Final = re.compile(r"arena\.v([1-9][0-9]{0,5})")


def version_number(schema_version: str) -> int | None:
    """Return N of `arena.vN`, or None if the text has another form."""
    match = _FORM.fullmatch(schema_version)
    return None if match is None else int(match[1])
