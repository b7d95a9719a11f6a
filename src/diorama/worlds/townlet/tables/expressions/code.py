"""Byte-code of a precondition: opcodes, the operand table, and a compiled condition."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from diorama.worlds.townlet.codes import ShiftState, word

STACK_DEPTH: Final = 8
NESTING_DEPTH: Final = 64
MAX_ITEMS: Final = 8


class Op(IntEnum):
    """Opcodes; every one but the two pushes takes its operands from the stack."""

    PUSH_CONST = 0
    PUSH_OPERAND = 1
    EQ = 2
    NE = 3
    LT = 4
    LE = 5
    GT = 6
    GE = 7
    IN_SET = 8
    AND = 9
    OR = 10
    NOT = 11
    NEG = 12


class Operand(IntEnum):
    """What a condition can ask for; those with an item, need or price follow their base by its number."""

    OCCUPIED = 0
    POWER_ON = 1
    WATER_ON = 2
    MEAL_AVAILABLE = 3
    QUEUE_LENGTH = 4
    TOD = 5
    DAY = 6
    ON_SHIFT = 7
    SHIFT_STATE = 8
    AT_HOME = 9
    IS_OWNER = 10
    WALLET = 11
    STOCK = 16
    INVENTORY = 24
    NEED = 32
    PRICE = 40


class Kind(IntEnum):
    """Types of the language."""

    BOOL = 0
    NUMBER = 1
    WORD = 2


PLAIN_OPERANDS: Final = {
    "occupied": (Operand.OCCUPIED, Kind.BOOL),
    "power_on": (Operand.POWER_ON, Kind.BOOL),
    "water_on": (Operand.WATER_ON, Kind.BOOL),
    "meal_available": (Operand.MEAL_AVAILABLE, Kind.BOOL),
    "queue_length": (Operand.QUEUE_LENGTH, Kind.NUMBER),
    "tod": (Operand.TOD, Kind.NUMBER),
    "day": (Operand.DAY, Kind.NUMBER),
    "on_shift": (Operand.ON_SHIFT, Kind.BOOL),
    "shift_state": (Operand.SHIFT_STATE, Kind.WORD),
    "at_home": (Operand.AT_HOME, Kind.BOOL),
    "is_owner": (Operand.IS_OWNER, Kind.BOOL),
    "wallet": (Operand.WALLET, Kind.NUMBER),
}
WORDS: Final = {word(state): int(state) for state in ShiftState}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A compiled precondition.

    Attributes:
        text: As it was written.
        code: Pairs of opcode and argument in postfix order; booleans are 0.0 and 1.0.
        operands: Numbers of the operands it mentions, ascending, with the names they were written by.
        needs_power: Whether it mentions the power.
        needs_water: Whether it mentions the water.
    """

    text: str
    code: tuple[tuple[int, float], ...]
    operands: tuple[tuple[int, str], ...]
    needs_power: bool
    needs_water: bool
