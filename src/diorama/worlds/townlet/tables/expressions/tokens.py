"""Cutting the text of a condition into tokens."""

import re
from dataclasses import dataclass
from typing import Final

_PATTERN: Final = re.compile(
    r"""\s*(?:
      (?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)
    | (?P<word>'[^']*'|"[^"]*")
    | (?P<sign>==|!=|<=|>=|<|>|\(|\)|,|-)
    | (?P<end>$)
    )""",
    re.VERBOSE,
)


class ExpressionError(ValueError):
    """A condition is no condition; the message quotes it and says what is wrong where."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token; `kind` is number, name, word, sign or end, `place` counts characters from 1."""

    kind: str
    text: str
    place: int


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a condition, closed by one of kind `end`."""
    tokens: list[Token] = []
    position = 0
    while True:
        match = _PATTERN.match(text, position)
        if match is None or match.lastgroup is None:
            raise ExpressionError(f"{text!r}: cannot be read from character {position + 1} on")
        tokens.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup) + 1))
        if match.lastgroup == "end":
            return tokens
        position = match.end()
