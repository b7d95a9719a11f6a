"""The parts as syntax trees: their functions by name, and the numbers they name."""

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from diorama.worlds.gameboy.kernel.folding import number

PARTS: Final = (
    *("layout", "timer", "serial_port", "joypad", "clock", "mapper"),
    *("stat", "mode3", "drawing", "timing", "dma", "power", "access", "sync", "registers", "bus"),
    *("boundary", "conversion", "words", "debugging", "execute", "loop", "observe", "golden"),
)
"""The order in which they are printed."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a part defines, in its own order."""

    functions: dict[str, ast.FunctionDef]
    constants: dict[str, int]


def read_part(name: str) -> Source:
    """Parse a part; the trees are the caller's own."""
    functions, constants = {}, {}
    for node in ast.parse(_text(name)).body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
        elif isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            value = number(node.value)
            if isinstance(target, ast.Name) and value is not None:
                constants[target.id] = value
    return Source(functions, constants)


@cache
def _text(name: str) -> str:
    return files("diorama.worlds.gameboy.kernel.parts").joinpath(f"{name}.py").read_text(encoding="utf-8")
