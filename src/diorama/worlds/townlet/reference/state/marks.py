"""Marks on fields of state records that are no part of the hashed state."""

from collections.abc import Mapping
from typing import Final

KEPT: Final = "kept"
SERVICE: Final[Mapping[str, bool]] = {KEPT: True}  # snapshots keep it, the hash leaves it out: it changes nothing
DERIVED: Final[Mapping[str, bool]] = {KEPT: False}  # follows from other fields: neither kept nor hashed
