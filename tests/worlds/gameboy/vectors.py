"""A single-step vector, and the public ones where they are at hand."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from diorama.worlds.gameboy.harness.vectors import Vector

INC_B: Vector = {
    "name": "04 0000",
    "initial": {
        "a": 1, "f": 0, "b": 15, "c": 0, "d": 0, "e": 0, "h": 0, "l": 0,
        "pc": 0xC000, "sp": 0, "ime": 0, "ram": [(0xC000, 0x04)],
    },
    "final": {
        "a": 1, "f": 0x20, "b": 16, "c": 0, "d": 0, "e": 0, "h": 0, "l": 0,
        "pc": 0xC001, "sp": 0, "ime": 0, "ram": [(0xC000, 0x04)],
    },
    "cycles": [(0xC000, 0x04, "r-m")],
}  # fmt: skip

_PLACES = [Path(__file__).parents[depth] / "shared/data/sm83/vectors.json.gz" for depth in (3, 4)]


@cache
def _load(path: Path) -> dict[str, list[dict[str, Any]]]:
    with gzip.open(path) as file:
        vectors: dict[str, list[dict[str, Any]]] = json.load(file)
    return vectors


def sm83_vectors() -> dict[str, list[dict[str, Any]]]:
    """Vectors by opcode, such as `0e` or `cb 1f`; skips the test, saying so, where there are none."""
    for path in _PLACES:
        if path.is_file():
            return _load(path)
    pytest.skip("shared/data/sm83/vectors.json.gz is not here: 500 opcodes were not compared with the public vectors")
