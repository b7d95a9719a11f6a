"""Variables that branches change, moved into a struct.

Where a branch of an `if` assigns a variable, Warp makes a new one for each branch and selects between them afterwards.
The one of the branch that was not taken is undefined, and compilers for GPUs keep it in a register around the whole
loop. A field of a struct is assigned in place and has no such twin.
"""

import ast
from typing import Final

HOLDER: Final = "v"
STRUCT: Final = "Variables"

Path = tuple[int, ...]


def carry(function: ast.FunctionDef) -> set[str]:
    """Rewrite a function in place; returns the names of the fields it needs."""
    seen = _Occurrences()
    seen.scan(function.body, ())
    arguments = {argument.arg for argument in function.args.args}
    names = {name for name in seen.stores if name not in arguments and seen.is_carried(name)} - seen.counters
    changed = sorted(arguments & seen.stores.keys())
    if changed:
        raise ValueError(f"{function.name} assigns its arguments {', '.join(changed)}; copy them first")
    if names:
        _Rewriter(names).visit(function)
        function.body.insert(0, ast.parse(f"{HOLDER} = {STRUCT}()").body[0])
    return names


class _Occurrences:
    """Blocks in which names are read and assigned; a block is named by its place in the tree."""

    def __init__(self) -> None:
        self.stores: dict[str, list[Path]] = {}
        self.uses: dict[str, list[Path]] = {}
        self.counters: set[str] = set()  # loop variables of `for`
        self._blocks = 0

    def scan(self, block: list[ast.stmt], path: Path) -> None:
        """Note what a block and those inside it do."""
        for statement in block:
            nested = [getattr(statement, name, []) for name in ("body", "orelse")]
            if isinstance(statement, ast.For):
                assert isinstance(statement.target, ast.Name)
                self.counters.add(statement.target.id)
            for inner in nested:
                if inner:
                    self._blocks += 1
                    self.scan(inner, (*path, self._blocks))
            self._note(statement, path)

    def _note(self, statement: ast.stmt, path: Path) -> None:
        own: list[ast.AST] = [statement]
        if isinstance(statement, ast.If | ast.While):
            own = [statement.test]
        elif isinstance(statement, ast.For):
            own = [statement.iter]
        for node in (node for part in own for node in ast.walk(part)):
            if isinstance(node, ast.Name):
                place = self.stores if isinstance(node.ctx, ast.Store) else self.uses
                place.setdefault(node.id, []).append(path)

    def is_carried(self, name: str) -> bool:
        """Whether a block deeper than the one that holds all of a name assigns it."""
        stores = self.stores[name]
        everywhere = [*stores, *self.uses.get(name, [])]
        shared = _common(everywhere)
        return any(path != shared for path in stores)


def _common(paths: list[Path]) -> Path:
    shortest = min(paths, key=len)
    length = next((i for i in range(len(shortest)) if any(path[i] != shortest[i] for path in paths)), len(shortest))
    return shortest[:length]


class _Rewriter(ast.NodeTransformer):
    """Turns names into fields."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.Attribute(ast.Name(HOLDER, ast.Load()), node.id, node.ctx)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        assert isinstance(node.target, ast.Name)
        read = ast.Name(node.target.id, ast.Load())
        return self._assigned(node.target, ast.BinOp(read, node.op, node.value))

    def _assigned(self, target: ast.Name, value: ast.expr) -> ast.stmt:
        return ast.Assign([self.visit_Name(target)], self.visit(value), lineno=0)

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        target = node.targets[0]
        if not isinstance(target, ast.Tuple):
            self.generic_visit(node)
            return node
        names = [element.id for element in target.elts if isinstance(element, ast.Name)]
        unpacked = [ast.Name(f"new_{name}" if name in self._names else name, ast.Store()) for name in names]
        call = ast.Assign([ast.Tuple(list(unpacked), ast.Store())], self.visit(node.value), lineno=0)
        kept = [name for name in names if name in self._names]
        return [call, *(self._assigned(ast.Name(n, ast.Store()), ast.Name(f"new_{n}", ast.Load())) for n in kept)]
