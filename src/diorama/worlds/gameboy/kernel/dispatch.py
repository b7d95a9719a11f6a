"""The bodies of instructions under a decision tree, in both emission styles."""

import ast
from functools import cache

from diorama.worlds.gameboy.isa.table import Instruction, instructions
from diorama.worlds.gameboy.kernel.folding import Folder
from diorama.worlds.gameboy.kernel.instruction_words import BODIES, BODY_OF_GROUP
from diorama.worlds.gameboy.kernel.options import Style
from diorama.worlds.gameboy.kernel.parts.groups import POP_AF
from diorama.worlds.gameboy.kernel.sources import read_part

Case = tuple[int, list[ast.stmt]]


def execute(style: Style) -> list[ast.stmt]:
    """Statements that carry an instruction out once its operand is there."""
    if style is Style.GROUPED:
        return _tree("group", [(place, _body(name)) for place, name in enumerate(BODIES)])
    return _tree("row", _merged([(row.row, _specialised(row)) for row in instructions()]))


def _body(name: str) -> list[ast.stmt]:
    return ast.parse(_body_texts()[name]).body


@cache
def _body_texts() -> dict[str, str]:
    functions = read_part("groups").functions
    without_docstring = {name: ast.Module(function.body[1:], []) for name, function in functions.items()}
    return {name: ast.unparse(body) for name, body in without_docstring.items()}


def _specialised(row: Instruction) -> list[ast.stmt]:
    folded = Folder({"row": row.row, "y": row.y, "POP_AF": POP_AF})
    statements = ast.Module(_body(BODY_OF_GROUP[row.group]), [])
    folded.visit(statements)
    return statements.body


def _merged(cases: list[Case]) -> list[Case]:
    """Neighbors that do the same share a branch."""
    merged: list[Case] = []
    last = None
    for key, body in cases:
        text = "\n".join(map(ast.unparse, body))
        if text != last:
            merged.append((key, body))
            last = text
    return merged


def _tree(name: str, cases: list[Case]) -> list[ast.stmt]:
    """Halve the cases until one is left; a case holds from its key up to the next one's."""
    if len(cases) == 1:
        return cases[0][1] or [ast.Pass()]
    middle = len(cases) // 2
    test = ast.Compare(ast.Name(name, ast.Load()), [ast.Lt()], [ast.Constant(cases[middle][0])])
    return [ast.If(test, _tree(name, cases[:middle]), _tree(name, cases[middle:]))]
