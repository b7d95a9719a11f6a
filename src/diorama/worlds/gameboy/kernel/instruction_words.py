"""The instruction table as the kernel reads it: 512 packed rows, and the body of every group."""

from functools import cache
from typing import Final

from diorama.worlds.gameboy.isa.table import Condition, Group, Instruction, Kind, instructions
from diorama.worlds.gameboy.kernel.parts import words

_PAIRED: Final = {Group.LOAD_PAIR: "load", Group.STORE_SP: "load", Group.PUSH: "load", Group.LOAD_HL_SP: "add_sp"}
_SAME: Final = {Group.RETURN: "jump", Group.PREFIX: "nop"}  # a return jumps to what it read
BODY_OF_GROUP: Final[dict[Group, str]] = {group: (_PAIRED | _SAME).get(group, group.value) for group in Group}
BODIES: Final = tuple(dict.fromkeys(BODY_OF_GROUP.values()))
"""Names of the bodies; the place in this list is the number in the packed row."""

_REGISTERS: Final = (Kind.C, Kind.B, Kind.E, Kind.D, Kind.L, Kind.H, None, Kind.A)  # byte by byte from the lowest on
_PAIRS: Final = (Kind.BC, Kind.DE, Kind.HL, Kind.AF)
_ADDRESSES: Final = {
    Kind.AT_BC: 0,
    Kind.AT_DE: 1,
    Kind.AT_HL: 2,
    Kind.AT_HL_INC: 2,
    Kind.AT_HL_DEC: 2,
    Kind.STACK: words.STACK,
    Kind.AT_A16: words.ABSOLUTE,
    Kind.AT_A8: words.HIGH_PAGE,
    Kind.AT_C: words.AT_C,
}
_STEPS: Final = {Kind.AT_HL_INC: 1, Kind.AT_HL_DEC: 2}
_CONDITIONS: Final = {Condition.NONE: 0, Condition.NZ: 4, Condition.Z: 5, Condition.NC: 6, Condition.C: 7}
_PUSHES: Final = (Group.CALL, Group.RESTART)


@cache
def instruction_words() -> tuple[int, ...]:
    """All rows, packed."""
    return tuple(_pack(row) for row in instructions())


def _pack(row: Instruction) -> int:
    slots = row.slots.replace("[", "").replace("]", "")
    source, source_width = _register(row.operand_kind)
    dest, dest_width = _register(row.dest_kind)
    touched = Kind.STACK if row.group in _PUSHES else _memory_kind(row)
    pieces = (
        (words.GROUP, BODIES.index(BODY_OF_GROUP[row.group])),
        (words.IMMEDIATES, slots.count("i") - int(row.is_prefixed)),
        (words.ADDRESS, _ADDRESSES.get(touched, 0)),
        (words.READS, slots.count("r")),
        (words.WRITES, slots.count("w")),
        (words.HL_STEP, _STEPS.get(touched, 0)),
        (words.CONDITION, _CONDITIONS[row.condition]),
        (words.SOURCE, source),
        (words.SOURCE_WIDTH, source_width),
        (words.DEST, dest),
        (words.DEST_WIDTH, dest_width),
        (words.POST, len(slots) - len(slots.rstrip("-"))),
    )
    return sum(value << first for first, value in pieces)


def _memory_kind(row: Instruction) -> Kind:
    return row.dest_kind if row.dest_kind in _ADDRESSES else row.operand_kind


def _register(kind: Kind) -> tuple[int, int]:
    """Place and width of an operand or a result; width 0 for what is no register."""
    if kind is Kind.SP:
        return 0, 3
    if kind in _PAIRS:
        return 2 * _PAIRS.index(kind), 2
    if kind in _REGISTERS:
        return _REGISTERS.index(kind), 1
    return 0, 0
