"""Expressions in operands."""

import pytest

from diorama.worlds.gameboy.assembler.expressions import ExpressionError, evaluate

LABELS = {"table": 0x1234, "outer.loop": 7}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("65", 65),
        ("$fF", 255),
        ("%1010", 10),
        ("table", 0x1234),
        ("outer.loop", 7),
        ("lo(table)", 0x34),
        ("hi(table + 256)", 0x13),
        ("10 - 3 - 2", 5),
        ("table-(2+3)", 0x122F),
        ("-1", -1),
        ("- lo(table)+1", -0x33),
    ],
)
def test_expressions_are_computed(text: str, value: int) -> None:
    assert evaluate(text, LABELS) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "missing"),
        ("1 +", "ends too early"),
        ("lo(table", "closing parenthesis"),
        ("nowhere", "no label 'nowhere'"),
        ("1 2", "left over"),
        ("3 * 4", "cannot read"),
        ("+", "stands where"),
        ("$", "cannot read"),
    ],
)
def test_what_is_no_expression_is_told(text: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words):
        evaluate(text, LABELS)
