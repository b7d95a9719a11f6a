"""Types of the plain values that cross files and sockets, and of the arrays that cross calls."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]

F32: TypeAlias = NDArray[np.float32]
F64: TypeAlias = NDArray[np.float64]
I32: TypeAlias = NDArray[np.int32]
U8: TypeAlias = NDArray[np.uint8]
U16: TypeAlias = NDArray[np.uint16]
U64: TypeAlias = NDArray[np.uint64]


def canonical_json(value: JsonValue) -> str:
    """Serialize with sorted keys, no spaces and no non-finite numbers, so that equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def sha256_hex(text: str) -> str:
    """Return the 64 hexadecimal digits of the text's SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()
