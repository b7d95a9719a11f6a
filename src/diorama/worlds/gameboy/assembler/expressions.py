"""Expressions in operands: numbers, labels, `lo(x)`, `hi(x)`, sums and differences."""

import re
from collections.abc import Mapping
from typing import Final

_TOKEN: Final = re.compile(r"\s*(\$[0-9a-fA-F]+|%[01]+|[0-9]+|[A-Za-z_.][A-Za-z0-9_.]*|[-+()])")
_NUMBER: Final = re.compile(r"\$[0-9a-fA-F]+|%[01]+|[0-9]+")
_BASES: Final = {"$": 16, "%": 2}


class ExpressionError(ValueError):
    """The text is no expression, or names a label that does not exist."""


def parse_number(text: str) -> int | None:
    """Read a number as it is written in sources: `65`, `$41` or `%01000001`; None for anything else."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    base = _BASES.get(text[0], 10)
    return int(text if base == 10 else text[1:], base)


def evaluate(text: str, labels: Mapping[str, int]) -> int:
    """Compute an expression.

    Args:
        text: The expression; sums associate to the left.
        labels: Addresses by name. Local names begin with a dot and are already spelled out in full.

    Raises:
        ExpressionError: If the text cannot be read or a label is missing.
    """
    tokens = _tokens(text)
    value, rest = _sum(tokens, labels)
    if rest:
        raise ExpressionError(f"{rest[0]!r} is left over in the expression {text.strip()!r}")
    return value


def names(text: str) -> list[str]:
    """List the label names that an expression uses, functions left out."""
    return [token for token in _tokens(text) if _is_name(token) and token not in ("lo", "hi")]


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] in "_."


def _tokens(text: str) -> list[str]:
    tokens, position, text = [], 0, text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(f"cannot read {text[position:].strip()!r} in the expression {text.strip()!r}")
        tokens.append(match[1])
        position = match.end()
    if not tokens:
        raise ExpressionError("an expression is missing")
    return tokens


def _sum(tokens: list[str], labels: Mapping[str, int]) -> tuple[int, list[str]]:
    value, tokens = _term(tokens, labels)
    while tokens and tokens[0] in "+-":
        sign = 1 if tokens[0] == "+" else -1
        term, tokens = _term(tokens[1:], labels)
        value += sign * term
    return value, tokens


def _term(tokens: list[str], labels: Mapping[str, int]) -> tuple[int, list[str]]:
    if not tokens:
        raise ExpressionError("the expression ends too early")
    token, rest = tokens[0], tokens[1:]
    if token == "-":
        value, rest = _term(rest, labels)
        return -value, rest
    if token in ("lo", "hi") and rest[:1] == ["("]:
        value, rest = _parenthesis(rest, labels)
        return (value & 0xFF if token == "lo" else (value >> 8) & 0xFF), rest
    if token == "(":
        return _parenthesis(tokens, labels)
    number = parse_number(token)
    if number is not None:
        return number, rest
    if not _is_name(token):
        raise ExpressionError(f"{token!r} stands where a number or a label should be")
    if token not in labels:
        raise ExpressionError(f"there is no label {token!r}")
    return labels[token], rest


def _parenthesis(tokens: list[str], labels: Mapping[str, int]) -> tuple[int, list[str]]:
    value, rest = _sum(tokens[1:], labels)
    if rest[:1] != [")"]:
        raise ExpressionError("a closing parenthesis is missing")
    return value, rest[1:]
