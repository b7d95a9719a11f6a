"""The public single-step vectors, where they are at hand."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

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
