"""The precondition language: text to postfix byte-code, with every mistake found at load."""

from diorama.worlds.townlet.tables.expressions.code import Condition, Op, Operand
from diorama.worlds.townlet.tables.expressions.compiling import compile_condition
from diorama.worlds.townlet.tables.expressions.tokens import ExpressionError

__all__ = ["Condition", "ExpressionError", "Op", "Operand", "compile_condition"]
