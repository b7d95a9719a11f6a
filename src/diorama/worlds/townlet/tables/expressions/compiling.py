"""Compiling a condition: a recursive descent that checks types and emits postfix code.

condition  = conjunction { "or" conjunction }
conjunction = negation { "and" negation }
negation   = "not" negation | comparison
comparison = operand [ ("==" | "!=" | "<" | "<=" | ">" | ">=") operand | "in" "(" literal { "," literal } ")" ]
operand    = literal | identifier | "-" operand | "(" condition ")"
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from diorama.worlds.townlet.codes import NEED_NAMES
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.tables.expressions.code import (
    NESTING_DEPTH,
    PLAIN_OPERANDS,
    STACK_DEPTH,
    WORDS,
    Condition,
    Kind,
    Op,
    Operand,
)
from diorama.worlds.townlet.tables.expressions.tokens import ExpressionError, Token, tokens_of

_COMPARISONS: Final = {"==": Op.EQ, "!=": Op.NE, "<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}
_ORDERINGS: Final = ("<", "<=", ">", ">=")
_KEYWORDS: Final = ("and", "or", "not", "in")


def compile_condition(text: str, items: Sequence[str]) -> Condition:
    """Compile a precondition.

    Args:
        text: The condition.
        items: Names of all items of the town; `stock.<item>` is the item's place in it.

    Raises:
        ExpressionError: It is no condition: grammar, an unknown name, types that do not fit, or too deep.
    """
    return _Compiler(text, {name: number for number, name in enumerate(items)}).condition()


class _Compiler:
    def __init__(self, text: str, items: Mapping[str, int]) -> None:
        self._text = text
        self._items = items
        self._tokens = tokens_of(text)
        self._next = 0
        self._code: list[tuple[int, float]] = []
        self._operands: dict[int, str] = {}
        self._depth = 0
        self._level = 0

    def condition(self) -> Condition:
        if self._peek().kind == "end":
            raise ExpressionError("a condition is empty")
        kind = self._disjunction()
        if self._peek().kind != "end":
            raise self._wrong(f"{self._peek().text!r} does not belong there")
        if kind is not Kind.BOOL:
            raise ExpressionError(f"{self._text!r}: is {_article(kind)}; a condition must be true or false")
        return Condition(
            text=self._text,
            code=tuple(self._code),
            operands=tuple(sorted(self._operands.items())),
            needs_power=int(Operand.POWER_ON) in self._operands,
            needs_water=int(Operand.WATER_ON) in self._operands,
        )

    def _disjunction(self) -> Kind:
        kind = self._conjunction()
        while self._accept("or"):
            self._require_bools("or", kind, self._conjunction())
            self._emit(Op.OR, pops=1)
        return kind

    def _conjunction(self) -> Kind:
        kind = self._negation()
        while self._accept("and"):
            self._require_bools("and", kind, self._negation())
            self._emit(Op.AND, pops=1)
        return kind

    def _negation(self) -> Kind:
        if not self._accept("not"):
            return self._comparison()
        self._enter()
        self._require_bools("not", self._negation())
        self._level -= 1
        self._emit(Op.NOT, pops=0)
        return Kind.BOOL

    def _comparison(self) -> Kind:
        kind = self._operand()
        sign = self._peek().text
        if self._accept("in"):
            self._set(kind)
            return Kind.BOOL
        if self._peek().kind != "sign" or sign not in _COMPARISONS:
            return kind
        self._next += 1
        other = self._operand()
        if kind is not other:
            raise self._wrong(f"{_article(kind)} cannot be compared with {_article(other)}")
        if sign in _ORDERINGS and kind is not Kind.NUMBER:
            raise self._wrong(f"{sign} compares numbers, not {_article(kind)}")
        self._emit(_COMPARISONS[sign], pops=1)
        return Kind.BOOL

    def _set(self, kind: Kind) -> None:
        self._expect("(")
        count = 0
        while True:
            token = self._peek()
            negative = self._accept("-")
            literal = self._literal()
            if literal is None:
                raise self._wrong(f"{token.text!r} is no literal; `in` takes literals")
            if negative:
                self._negate(literal)
            if literal is not kind:
                raise self._wrong(f"{_article(literal)} cannot be among {_article(kind)}")
            count += 1
            if not self._accept(","):
                break
        self._expect(")")
        self._emit(Op.IN_SET, count, pops=count)

    def _operand(self) -> Kind:
        if self._accept("-"):
            self._enter()
            kind = self._operand()
            self._level -= 1
            self._negate(kind)
            return kind
        if self._accept("("):
            self._enter()
            kind = self._disjunction()
            self._level -= 1
            self._expect(")")
            return kind
        literal = self._literal()
        return self._identifier() if literal is None else literal

    def _negate(self, kind: Kind) -> None:
        if kind is not Kind.NUMBER:
            raise self._wrong(f"- takes a number, not {_article(kind)}")
        self._emit(Op.NEG, pops=0)

    def _literal(self) -> Kind | None:
        token = self._peek()
        if token.kind == "number":
            value, kind = float(token.text), Kind.NUMBER
            if math.isinf(value):
                raise self._wrong("the number is too large")
        elif token.kind == "name" and token.text in ("true", "false"):
            value, kind = float(token.text == "true"), Kind.BOOL
        elif token.kind == "word":
            if token.text[1:-1] not in WORDS:
                raise self._wrong(f"{token.text} is no known word; words are: {', '.join(WORDS)}")
            value, kind = float(WORDS[token.text[1:-1]]), Kind.WORD
        else:
            return None
        self._next += 1
        self._emit(Op.PUSH_CONST, value, pushes=1)
        return kind

    def _identifier(self) -> Kind:
        token = self._peek()
        if token.kind != "name" or token.text in _KEYWORDS:
            raise self._wrong(
                "something is missing at the end" if token.kind == "end" else f"{token.text!r} is no operand"
            )
        self._next += 1
        number, kind = self._resolve(token.text)
        self._operands[number] = token.text
        self._emit(Op.PUSH_OPERAND, number, pushes=1)
        return kind

    def _resolve(self, name: str) -> tuple[int, Kind]:
        if name in PLAIN_OPERANDS:
            operand, kind = PLAIN_OPERANDS[name]
            return int(operand), kind
        base, _, detail = name.partition(".")
        families: dict[str, tuple[int, Mapping[str, int]]] = {
            "stock": (Operand.STOCK, self._items),
            "inventory": (Operand.INVENTORY, self._items),
            "needs": (Operand.NEED, {need: number for number, need in enumerate(NEED_NAMES)}),
            "price": (Operand.PRICE, {key: number for number, key in enumerate(PRICE_KEYS)}),
        }
        if base not in families:
            known = [*PLAIN_OPERANDS, *(f"{family}.<…>" for family in families)]
            raise self._wrong(f"there is no identifier {name!r}; there are: {', '.join(known)}")
        first, members = families[base]
        if detail not in members:
            raise self._wrong(f"{base} has no {detail!r}; it has: {', '.join(members)}")
        return int(first) + members[detail], Kind.NUMBER

    def _require_bools(self, keyword: str, *kinds: Kind) -> None:
        for kind in kinds:
            if kind is not Kind.BOOL:
                raise self._wrong(f"{keyword} takes what is true or false, not {_article(kind)}")

    def _emit(self, op: Op, argument: float = 0.0, *, pushes: int = 0, pops: int = 0) -> None:
        self._code.append((int(op), float(argument)))
        self._depth += pushes - pops
        if self._depth > STACK_DEPTH:
            raise ExpressionError(f"{self._text!r}: is nested too deeply; {STACK_DEPTH} values can wait at a time")

    def _enter(self) -> None:
        self._level += 1
        if self._level > NESTING_DEPTH:
            raise ExpressionError(f"a condition is nested deeper than {NESTING_DEPTH} levels")

    def _peek(self) -> Token:
        return self._tokens[self._next]

    def _accept(self, text: str) -> bool:
        token = self._peek()
        if token.kind not in ("name", "sign") or token.text != text:
            return False
        self._next += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise self._wrong(f"{text!r} is missing before {self._peek().text!r}")

    def _wrong(self, problem: str) -> ExpressionError:
        return ExpressionError(f"{self._text!r}, character {self._peek().place}: {problem}")


def _article(kind: Kind) -> str:
    return {Kind.BOOL: "a truth value", Kind.NUMBER: "a number", Kind.WORD: "a word"}[kind]
