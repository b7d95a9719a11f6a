"""Numbers put in for names in a syntax tree, and what follows from them: branches that cannot be taken disappear."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Final

_BINARY: Final[Mapping[type[ast.operator], Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARED: Final[Mapping[type[ast.cmpop], Callable[[int, int], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Folder(ast.NodeTransformer):
    """Replaces names that are read by whole numbers and folds what becomes constant."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        """Take the numbers by name."""
        self._numbers = numbers

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put a number in."""
        if isinstance(node.ctx, ast.Load) and node.id in self._numbers:
            return ast.Constant(self._numbers[node.id])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Calculate."""
        self.generic_visit(node)
        left, right = number(node.left), number(node.right)
        if left is None or right is None or type(node.op) not in _BINARY:
            return node
        return ast.Constant(_BINARY[type(node.op)](left, right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Turn the bits of a number over; a sign stays as it is written."""
        self.generic_visit(node)
        value = number(node.operand)
        return ast.Constant(~value) if value is not None and isinstance(node.op, ast.Invert) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Compare."""
        self.generic_visit(node)
        left, right = number(node.left), number(node.comparators[0])
        if left is None or right is None or len(node.ops) != 1:
            return node
        return ast.Constant(_COMPARED[type(node.ops[0])](left, right))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Drop the parts of `and` and `or` that are known."""
        self.generic_visit(node)
        decides = isinstance(node.op, ast.Or)
        rest = [value for value in node.values if truth(value) is not (not decides)]
        if any(truth(value) is decides for value in rest):
            return ast.Constant(decides)
        if not rest:
            return ast.Constant(not decides)
        return rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Choose."""
        self.generic_visit(node)
        decided = truth(node.test)
        if decided is None:
            return node
        return node.body if decided else node.orelse

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        """Keep the branch that is taken."""
        self.generic_visit(node)
        decided = truth(node.test)
        if decided is None:
            node.body = node.body or [ast.Pass()]
            return node
        return node.body if decided else node.orelse


def number(node: ast.expr) -> int | None:
    """Value of a whole-number constant, negative ones included."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = number(node.operand)
        return None if value is None else -value
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    return None


def truth(node: ast.expr) -> bool | None:
    """Value of a constant that is true or false."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return node.value
    return None
