"""From a function of a part to one of the generated module."""

import ast
from typing import Final

from diorama.worlds.gameboy.kernel.dispatch import execute
from diorama.worlds.gameboy.kernel.folding import Folder, number
from diorama.worlds.gameboy.kernel.memory_access import call, from_header, memory_of
from diorama.worlds.gameboy.kernel.options import BuildOptions

_TYPES: Final = {
    "Ints": "wp.array(dtype=wp.int32)",
    "Address": "wp.uint64",
    "Bytes": "wp.array(dtype=wp.uint8)",
    "ByteTable": "wp.array2d(dtype=wp.uint8)",
    "FloatTable": "wp.array2d(dtype=wp.float32)",
}
_WARP_CALLS: Final = frozenset(("tid", "uint8", "int64", "float32"))


class Printer(ast.NodeTransformer):
    """Turns a part's function into one of the generated module."""

    def __init__(self, options: BuildOptions) -> None:
        """Take the build that the functions are for."""
        self._options = options
        self._folder = Folder(options.numbers)

    def printed(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """Translate a function in place."""
        tree.returns = None
        tree.decorator_list = [self._decorator(tree)]
        if ast.get_docstring(tree) is not None:
            tree.body = tree.body[1:]
        self._folder.visit(tree)
        self.visit(tree)
        tree.body = tree.body or [ast.Pass()]
        return tree

    def _decorator(self, function: ast.FunctionDef) -> ast.expr:
        marks = [mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)]
        if "kernel" in marks:
            limit = self._options.max_registers
            limited = f", cuda_max_registers={limit}" if limit and function.name == "cpu_step" else ""
            return _expression(f"wp.kernel(enable_backward=False{limited})")
        if "in_line" in marks or "out_of_line" in marks:
            return _expression(f"wp.func(inline={'in_line' in marks})")
        return _expression("wp.func")

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Give arrays their types."""
        if isinstance(node.annotation, ast.Name) and node.annotation.id in _TYPES:
            node.annotation = _expression(_TYPES[node.annotation.id])
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | list[ast.stmt]:
        """Put the instructions where `EXECUTE()` stands."""
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "EXECUTE":
            module = ast.Module(execute(self._options.style), [])
            self._folder.visit(module)
            self.visit(module)
            return module.body
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Write a lane's number or byte, or make a variable of a constant, so that a loop may change it."""
        where = memory_of(node.targets[0])
        if where is not None:
            value, index = self.visit(node.value), self.visit(where.index)
            return ast.Expr(call(f"put_{where.kind}", where.base, index, value))
        self.generic_visit(node)
        is_constant = number(node.value) is not None or (isinstance(node.value, ast.Name) and node.value.id.isupper())
        if is_constant and isinstance(node.targets[0], ast.Name):
            node.value = ast.Call(ast.Name("int", ast.Load()), [node.value], [])
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Name Warp's own functions in full."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _WARP_CALLS:
            node.func = _expression(f"wp.{node.func.id}")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Read a number of the cartridge."""
        return from_header(node) or node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Read a lane's number or byte where it lies."""
        if isinstance(node.value, ast.Name) and node.value.id == "isa":
            return call("get_int", node.value, self.visit(node.slice))
        where = memory_of(node)
        if where is None:
            self.generic_visit(node)
            return node
        return call(f"get_{where.kind}", where.base, self.visit(where.index))


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
