"""One module of source text from the parts, the instruction table, the action codec and the build options."""

import ast
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from typing import Final

from diorama.worlds.gameboy.kernel.carried import STRUCT, carry
from diorama.worlds.gameboy.kernel.fields import CANONICAL_FIELDS, FIELD_ROWS, HEADER, TILE, constant_name
from diorama.worlds.gameboy.kernel.key_functions import key_constants, key_functions
from diorama.worlds.gameboy.kernel.options import BuildOptions
from diorama.worlds.gameboy.kernel.preamble import PREAMBLE
from diorama.worlds.gameboy.kernel.printer import Printer
from diorama.worlds.gameboy.kernel.sources import PARTS, read_part

KERNELS: Final = ("cpu_step", "observe_lanes", "copy_lanes")
FLAT_KERNELS: Final = ("single_step",)


@cache
def generate(options: BuildOptions) -> str:
    """Print the module of a build: the same text every time, whatever the order of sets or the seed of hashes."""
    functions = _functions(options)
    reached = _reached(functions, FLAT_KERNELS if options.flat else KERNELS)
    kept = [functions[name] for name in functions if name in reached]
    carried = sorted(set().union(*(carry(function) for function in kept)))
    struct = "\n".join(["@wp.struct", f"class {STRUCT}:", *(f"    {name}: wp.int32" for name in carried)])
    constants = {**key_constants(), **_constants()}
    used = {node.id for function in kept for node in ast.walk(function) if isinstance(node, ast.Name)}
    lines = [f"{name} = wp.constant({constants[name]})" for name in constants if name in used]
    body = "\n\n\n".join(ast.unparse(ast.fix_missing_locations(function)) for function in kept)
    pieces = (PREAMBLE.format(described=_described(options)).rstrip(), "\n".join(lines), struct, body)
    return "\n\n\n".join(pieces) + "\n"


def _described(options: BuildOptions) -> str:
    settings = {field.name: getattr(options, field.name) for field in fields(options)}
    return ", ".join(f"{name} {value}" for name, value in settings.items())


@cache
def _constants() -> dict[str, int]:
    named = {constant_name(field): HEADER + TILE * row for field, row in FIELD_ROWS.items()}
    for part in (*PARTS, "groups"):
        for name, value in read_part(part).constants.items():
            if named.setdefault(name, value) != value:
                raise ValueError(f"{part}.py says that {name} is {value}; another part says {named[name]}")
    if named["CANONICAL"] != len(CANONICAL_FIELDS):
        raise ValueError(f"golden.py copies {named['CANONICAL']} scalars; there are {len(CANONICAL_FIELDS)}")
    return named


def _functions(options: BuildOptions) -> dict[str, ast.FunctionDef]:
    """All functions in the order of their parts, with the options folded in."""
    printer = Printer(options)
    functions = {function.name: function for function in key_functions()}
    for part in (*PARTS, "groups"):
        for name, function in read_part(part).functions.items():
            if part != "groups" or name in ("rotated", "zero_flag"):
                functions[name] = printer.printed(function)
    return functions


def _reached(functions: dict[str, ast.FunctionDef], roots: Iterable[str]) -> set[str]:
    """Names of the functions that the roots call, by themselves or through others."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            names = {node.id for node in ast.walk(functions[name]) if isinstance(node, ast.Name)}
            waiting += sorted(names & functions.keys())
    return reached
