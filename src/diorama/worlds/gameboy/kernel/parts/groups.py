"""One body for every group of instructions.

A body sees the operand in `value` (immediate, register, pair or what was read), the table row in `row`, bits 5-3 of
the opcode in `y`, the flags in `f`, and the registers: `r0` holds BC and DE, `r1` HL and AF, low pair in the low half.
It leaves a result in `out`, which goes where the row says, and may change `f`, `pc` and `sp`. `next_due = 0` has the
next boundary look closely. Emission style `specialised` replaces `row` and `y` by numbers.
"""
# ruff: noqa: F841, RUF059 - a body's variables belong to the kernel that it becomes part of

from diorama.worlds.gameboy.kernel.dialect import Machine

POP_AF = 0xF1


def rotated(y: int, value: int, f: int) -> tuple[int, int]:
    """RLC, RRC, RL, RR, SLA, SRA, SWAP, SRL by `y`; the bit that was shifted out comes second, as the carry flag."""
    bit = 0
    if y == 0 or y == 5:
        bit = value >> 7
    elif y == 1:
        bit = value & 1
    elif y == 2 or y == 3:
        bit = (f >> 4) & 1
    out = (value << 1 | bit) & 0xFF
    gone = (value >> 3) & 0x10
    if y == 6:
        out = (value << 4 | value >> 4) & 0xFF
        gone = 0
    elif (y & 1) == 1:
        out = value >> 1 | bit << 7
        gone = (value & 1) << 4
    return out, gone


def zero_flag(value: int) -> int:
    """Z if the value is zero."""
    return 0x80 if value == 0 else 0


def nop() -> None:
    """Nothing."""


def load(value: int) -> None:
    """Loads and stores of bytes and pairs."""
    out = value


def pop(row: int, value: int) -> None:
    """POP; the low bits of F do not exist."""
    out = value & 0xFFF0 if row == POP_AF else value


def alu(y: int, value: int, f: int, r1: int) -> None:
    """ADD ADC SUB SBC AND XOR OR CP."""
    a = (r1 >> 24) & 0xFF
    if y == 4:
        out = a & value
        f = zero_flag(out) | 0x20
    elif y == 5:
        out = a ^ value
        f = zero_flag(out)
    elif y == 6:
        out = a | value
        f = zero_flag(out)
    else:
        carry = (f >> 4) & 1 if (y & 5) == 1 else 0
        total = a + value + carry
        negative = 0
        if (y & 2) == 2:
            total = a - value - carry
            negative = 0x40
        out = total & 0xFF
        f = zero_flag(out) | negative | ((a ^ value ^ out) << 1 & 0x20) | (total >> 4 & 0x10)


def inc(value: int, f: int) -> None:
    """INC of a byte; the carry stays."""
    out = (value + 1) & 0xFF
    f = (f & 0x10) | zero_flag(out) | (0x20 if (out & 15) == 0 else 0)


def dec(value: int, f: int) -> None:
    """DEC of a byte; the carry stays."""
    out = (value - 1) & 0xFF
    f = (f & 0x10) | zero_flag(out) | (0x60 if (out & 15) == 15 else 0x40)


def inc_pair(value: int) -> None:
    """INC of a pair."""
    out = (value + 1) & 0xFFFF


def dec_pair(value: int) -> None:
    """DEC of a pair."""
    out = (value - 1) & 0xFFFF


def add_hl(value: int, f: int, r1: int) -> None:
    """ADD HL,rr."""
    hl = r1 & 0xFFFF
    total = hl + value
    out = total & 0xFFFF
    f = (f & 0x80) | ((hl ^ value ^ total) >> 7 & 0x20) | (total >> 12 & 0x10)


def add_sp(value: int, f: int, sp: int) -> None:
    """SP plus a signed offset; the flags are those of the unsigned addition of the low bytes."""
    low = (sp & 0xFF) + value
    f = ((sp ^ value ^ low) << 1 & 0x20) | (low >> 4 & 0x10)
    out = (sp + (value ^ 0x80) - 0x80) & 0xFFFF


def daa(value: int, f: int) -> None:
    """DAA: make A decimal again."""
    carry = f & 0x10
    if (f & 0x40) == 0:
        low = 0x06 if (f & 0x20) != 0 or (value & 15) > 9 else 0
        if value > 0x99:
            carry = 0x10
        out = (value + low + (0x60 if carry != 0 else 0)) & 0xFF
    else:
        low = 0x06 if (f & 0x20) != 0 else 0
        out = (value - low - (0x60 if carry != 0 else 0)) & 0xFF
    f = (f & 0x40) | carry | zero_flag(out)


def cpl(value: int, f: int) -> None:
    """CPL."""
    out = value ^ 0xFF
    f = f | 0x60


def scf(f: int) -> None:
    """SCF."""
    f = (f & 0x80) | 0x10


def ccf(f: int) -> None:
    """CCF."""
    f = (f & 0x80) | ((f ^ 0x10) & 0x10)


def rotate_a(y: int, value: int, f: int) -> None:
    """RLCA RRCA RLA RRA: Z is always clear."""
    out, f = rotated(y, value, f)


def rotate(y: int, value: int, f: int) -> None:
    """Rotates and shifts behind the prefix."""
    out, f = rotated(y, value, f)
    f = f | zero_flag(out)


def bit(y: int, value: int, f: int) -> None:
    """BIT."""
    f = (f & 0x10) | 0x20 | (0x80 if (value >> y & 1) == 0 else 0)


def res(y: int, value: int) -> None:
    """RES."""
    out = value & ~(1 << y)


def set(y: int, value: int) -> None:
    """SET."""
    out = value | 1 << y


def jump(value: int) -> None:
    """JP."""
    pc = value


def jump_relative(value: int, pc: int) -> None:
    """JR."""
    pc = (pc + (value ^ 0x80) - 0x80) & 0xFFFF


def call(value: int, pc: int) -> None:
    """CALL."""
    out = pc
    pc = value


def restart(y: int, pc: int) -> None:
    """RST."""
    out = pc
    pc = 8 * y


def return_enable(m: Machine, lane: int, value: int) -> None:
    """RETI."""
    pc = value
    m.ime[lane] = 1
    next_due = 0


def halt(m: Machine, lane: int, at: int) -> None:
    """HALT; the boundary finds out whether there is anything to wait for."""
    m.halting[lane] = 1
    m.instruction_at[lane] = at
    next_due = 0


def stop(pc: int) -> None:
    """STOP: a two-byte no-op whose second byte is not read."""
    pc = (pc + 1) & 0xFFFF


def di(m: Machine, lane: int) -> None:
    """DI."""
    m.ime[lane] = 0
    m.ei_delay[lane] = 0


def ei(m: Machine, lane: int) -> None:
    """EI: takes effect after the next instruction."""
    if m.ime[lane] == 0:
        m.ei_delay[lane] = 1
        next_due = 0


def illegal(m: Machine, lane: int, row: int, at: int, count: int) -> None:
    """Stop the console; `pc` stays on the opcode, which does not count as executed."""
    m.trap_kind[lane] = 1
    m.trap_pc[lane] = at
    m.trap_opcode[lane] = row
    pc = at
    count = count - 1
    next_due = 0
