"""The 512 rows of the instruction table: 256 base opcodes, then 256 behind the prefix `CB`.

`instructions.tsv` holds them. Kinds of operand and destination:

* `b c d e h l a bc de hl sp af pc`: that register or pair; `stack`: two bytes through SP;
* `at_hl at_hl_inc at_hl_dec at_bc at_de`: memory there; `at_c`: memory at `$FF00 + C`;
* `d8 d16 e8`: the immediate (e8 signed); `at_a8 at_a16`: memory at the immediate, a8 counted from `$FF00`;
* `vector`: eight times the opcode's `y` field; `none`.

Slots, one letter per M-cycle: `F` opcode fetch, `i` immediate, `r` read, `w` write, `-` internal; `[..]` only when
the condition holds.
"""

import csv
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

PREFIX: Final = 0xCB
PREFIXED_ROWS: Final = 256  # row number of the first opcode behind the prefix


class Group(StrEnum):
    """Instructions that share one body."""

    NOP = "nop"
    LOAD = "load"
    LOAD_PAIR = "load_pair"
    STORE_SP = "store_sp"
    LOAD_HL_SP = "load_hl_sp"
    PUSH = "push"
    POP = "pop"
    ALU = "alu"
    INC = "inc"
    DEC = "dec"
    INC_PAIR = "inc_pair"
    DEC_PAIR = "dec_pair"
    ADD_HL = "add_hl"
    ADD_SP = "add_sp"
    DAA = "daa"
    CPL = "cpl"
    SCF = "scf"
    CCF = "ccf"
    ROTATE_A = "rotate_a"
    ROTATE = "rotate"
    BIT = "bit"
    RES = "res"
    SET = "set"
    JUMP = "jump"
    JUMP_RELATIVE = "jump_relative"
    CALL = "call"
    RETURN = "return"
    RETURN_ENABLE = "return_enable"
    RESTART = "restart"
    HALT = "halt"
    STOP = "stop"
    DI = "di"
    EI = "ei"
    PREFIX = "prefix"
    ILLEGAL = "illegal"


class Kind(StrEnum):
    """Where an operand comes from or a result goes to."""

    NONE = "none"
    B = "b"
    C = "c"
    D = "d"
    E = "e"
    H = "h"
    L = "l"
    A = "a"
    BC = "bc"
    DE = "de"
    HL = "hl"
    SP = "sp"
    AF = "af"
    PC = "pc"
    STACK = "stack"
    AT_HL = "at_hl"
    AT_HL_INC = "at_hl_inc"
    AT_HL_DEC = "at_hl_dec"
    AT_BC = "at_bc"
    AT_DE = "at_de"
    AT_C = "at_c"
    AT_A8 = "at_a8"
    AT_A16 = "at_a16"
    D8 = "d8"
    D16 = "d16"
    E8 = "e8"
    VECTOR = "vector"


class Condition(StrEnum):
    """When a branch is taken."""

    NONE = "none"
    NZ = "nz"
    Z = "z"
    NC = "nc"
    C = "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One row. `row` is the opcode, or 256 plus the opcode behind the prefix."""

    row: int
    mnemonic: str
    length: int
    m_cycles: int
    m_cycles_taken: int
    operand_kind: Kind
    group: Group
    dest_kind: Kind
    condition: Condition
    slots: str

    @property
    def opcode(self) -> int:
        """The byte that selects the row, behind the prefix or not."""
        return self.row & 0xFF

    @property
    def is_prefixed(self) -> bool:
        """Whether the byte stands behind `CB`."""
        return self.row >= PREFIXED_ROWS

    @property
    def is_legal(self) -> bool:
        """Whether the row is an instruction of its own: neither the prefix nor one of the eleven traps."""
        return self.group not in (Group.ILLEGAL, Group.PREFIX)

    @property
    def encoding(self) -> bytes:
        """The bytes before any immediate."""
        return bytes([PREFIX, self.opcode]) if self.is_prefixed else bytes([self.opcode])

    @property
    def immediate_bytes(self) -> int:
        """How many bytes follow the encoding."""
        return self.length - len(self.encoding)

    @property
    def x(self) -> int:
        """Bits 7-6 of the opcode."""
        return self.opcode >> 6

    @property
    def y(self) -> int:
        """Bits 5-3: register, condition, operation or bit number."""
        return (self.opcode >> 3) & 7

    @property
    def z(self) -> int:
        """Bits 2-0: register or family."""
        return self.opcode & 7

    @property
    def p(self) -> int:
        """Bits 5-4: register pair."""
        return self.y >> 1

    @property
    def q(self) -> int:
        """Bit 3."""
        return self.y & 1


@cache
def instructions() -> tuple[Instruction, ...]:
    """All rows in order of their number."""
    with files(__package__).joinpath("instructions.tsv").open(encoding="utf-8") as file:
        return tuple(_parse(number, fields) for number, fields in enumerate(csv.DictReader(file, delimiter="\t")))


def decode(first: int, second: int) -> Instruction:
    """Find the row of an instruction by its first two bytes; the second matters behind the prefix only."""
    return instructions()[PREFIXED_ROWS + second if first == PREFIX else first]


def _parse(number: int, fields: dict[str, str]) -> Instruction:
    expected = f"{number:02X}" if number < PREFIXED_ROWS else f"CB{number - PREFIXED_ROWS:02X}"
    if fields["opcode"] != expected:
        raise ValueError(f"instructions.tsv: row {number} is opcode {fields['opcode']}; it should be {expected}")
    return Instruction(
        row=number,
        mnemonic=fields["mnemonic"],
        length=int(fields["length"]),
        m_cycles=int(fields["m_cycles"]),
        m_cycles_taken=int(fields["m_cycles_taken"]),
        operand_kind=Kind(fields["operand_kind"]),
        group=Group(fields["group"]),
        dest_kind=Kind(fields["dest_kind"]),
        condition=Condition(fields["condition"]),
        slots=fields["slots"],
    )
