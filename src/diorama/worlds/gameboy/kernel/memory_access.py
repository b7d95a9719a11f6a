"""Where the numbers and bytes of a lane lie, as expressions of the generated module."""

import ast
from dataclasses import dataclass
from typing import Final

from diorama.worlds.gameboy.kernel.fields import (
    FIELD_ROWS,
    FIRST_NUMBER,
    HEADER,
    HEADER_ADDRESSES,
    HEADER_NUMBERS,
    TILE,
    constant_name,
)

_KINDS: Final = {
    "st": "int",
    "wide": "wide",
    **dict.fromkeys(("mem", "cram", "serial", "picture"), "byte"),
}
"""How the numbers behind a machine's pointers are read and written."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A place in the memory of a batch."""

    kind: str
    base: ast.expr
    index: ast.expr


def memory_of(node: ast.expr) -> Memory | None:
    """Find where `m.<field>[lane]`, `m.st[row, lane]` or `m.mem[index]` lies; None for what is no part of a machine."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)):
        return None
    machine, name, index = node.value.value, node.value.attr, node.slice
    if name not in FIELD_ROWS and name not in _KINDS:
        return None
    if name in FIELD_ROWS:
        index = _scalar(ast.Name(constant_name(name), ast.Load()), index)
        name = "st"
    elif name == "st" and isinstance(index, ast.Tuple):
        row, lane = index.elts
        place = ast.BinOp(ast.BinOp(row, ast.Mult(), ast.Constant(TILE)), ast.Add(), ast.Constant(HEADER))
        index = _scalar(place, lane)
    base = ast.Attribute(machine, name, ast.Load())
    return Memory(_KINDS[name], from_header(base) or base, index)


def _scalar(place: ast.expr, lane: ast.expr) -> ast.expr:
    """Index of a lane's scalar: 32 lanes side by side, so that all fields of a lane are near one address."""
    tile = ast.BinOp(ast.BinOp(lane, ast.RShift(), ast.Constant(5)), ast.Mult(), ast.Constant(TILE * len(FIELD_ROWS)))
    column = ast.BinOp(lane, ast.BitAnd(), ast.Constant(TILE - 1))
    return ast.BinOp(ast.BinOp(tile, ast.Add(), column), ast.Add(), place)


def from_header(node: ast.Attribute) -> ast.expr | None:
    """Read what stands before the table of scalars: addresses of rarely used memory, and numbers of the cartridge."""
    table = ast.Attribute(node.value, "st", ast.Load())
    if node.attr in HEADER_ADDRESSES:
        return call("get_address", table, ast.Constant(HEADER_ADDRESSES.index(node.attr)))
    if node.attr in HEADER_NUMBERS:
        return call("get_int", table, ast.Constant(FIRST_NUMBER + HEADER_NUMBERS.index(node.attr)))
    return None


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Call a function of the module."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
