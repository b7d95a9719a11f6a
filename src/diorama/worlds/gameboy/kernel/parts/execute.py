"""One instruction, in phases that all lanes share whatever they execute: fetch, operand, body, result."""

from diorama.worlds.gameboy.kernel.dialect import BREAK_ON_WRITE, EXECUTE, Address, Machine, in_line
from diorama.worlds.gameboy.kernel.parts.bus import read8, write_slow
from diorama.worlds.gameboy.kernel.parts.debugging import DEBUG_BREAK, stop_lane
from diorama.worlds.gameboy.kernel.parts.dma import sync_dma
from diorama.worlds.gameboy.kernel.parts.layout import plain
from diorama.worlds.gameboy.kernel.parts.words import (
    ABSOLUTE,
    ADDRESS,
    AT_C,
    CONDITION,
    DEST,
    DEST_WIDTH,
    GROUP,
    HIGH_PAGE,
    HL_STEP,
    IMMEDIATES,
    POST,
    PREFIX,
    PREFIXED_ROWS,
    READS,
    SOURCE,
    SOURCE_WIDTH,
    STACK,
    TOUCHES,
    WRITES,
)


def condition_holds(word: int, f: int) -> int:
    """Look at the flags if the row has a condition: NZ, Z, NC or C."""
    condition = (word >> CONDITION) & 7
    if condition < 4:
        return 1
    flag = (f >> (7 - 3 * ((condition >> 1) & 1))) & 1
    return 1 if flag == (condition & 1) else 0


def address_of(kind: int, immediate: int, r0: int, r1: int, sp: int) -> int:
    """Where memory is touched."""
    if kind == STACK:
        return sp
    if kind == ABSOLUTE:
        return immediate
    if kind == HIGH_PAGE:
        return 0xFF00 | immediate
    if kind == AT_C:
        return 0xFF00 | (r0 & 0xFF)
    pair = r1 if (kind & 2) != 0 else r0
    return (pair >> ((kind & 1) << 4)) & 0xFFFF


def operand_of(word: int, immediate: int, r0: int, r1: int, sp: int) -> int:
    """A register, a pair or the immediate."""
    width = (word >> SOURCE_WIDTH) & 3
    if width == 0:
        return immediate
    if width == 3:
        return sp
    source = (word >> SOURCE) & 7
    value = (r1 if source >= 4 else r0) >> ((source & 3) << 3)
    return value & (0xFF if width == 1 else 0xFFFF)


def result_mask(word: int) -> int:
    """Bits of the result that go into a register or a pair."""
    width = (word >> DEST_WIDTH) & 3
    mask = 0xFF if width == 1 else 0
    return 0xFFFF if width == 2 else mask


@in_line
def execute_one(
    m: Machine,
    isa: Address,
    lane: int,
    base: int,
    registers0: int,
    registers1: int,
    pc0: int,
    sp0: int,
    started: int,
    due: int,
    low_bank: int,
    high_bank: int,
    fetched: int,
) -> tuple[int, int, int, int, int, int, int, int, int]:
    """Execute the instruction at `pc`, from its opcode fetch to its last slot.

    Returns:
        Both register words, `pc`, `sp`, the time after it, when the next boundary must look closely, what to add to
        low and high ROM addresses, and how many instructions this was: 0 for an illegal one.
    """
    r0 = registers0
    r1 = registers1
    sp = sp0
    next_due = due
    rom_low = low_bank
    rom_high = high_bank
    count = 1
    at = pc0
    row = read8(m, lane, base, started, at, rom_low, rom_high)
    pc = (at + fetched) & 0xFFFF
    now = started + 4
    if row == PREFIX:
        row = PREFIXED_ROWS + read8(m, lane, base, now, pc, rom_low, rom_high)
        pc = (pc + 1) & 0xFFFF
        now += 4
    word = isa[row]
    y = (row >> 3) & 7
    f = (r1 >> 16) & 0xF0
    immediates = (word >> IMMEDIATES) & 3
    value = 0
    if immediates > 0:
        value = read8(m, lane, base, now, pc, rom_low, rom_high)
        pc = (pc + 1) & 0xFFFF
        now += 4
        if immediates > 1:
            value = value | read8(m, lane, base, now, pc, rom_low, rom_high) << 8
            pc = (pc + 1) & 0xFFFF
            now += 4
    taken = condition_holds(word, f)
    kind = (word >> ADDRESS) & 7
    writes = ((word >> WRITES) & 3) * taken
    immediate = value
    value = operand_of(word, immediate, r0, r1, sp)
    address = 0
    if (word & TOUCHES) != 0:
        reads = (word >> READS) & 3
        if reads == 2 and ((word >> CONDITION) & 4) != 0:
            now += 4  # RET cc looks at the flags in a slot of its own
        reads = reads * taken
        address = address_of(kind, immediate, r0, r1, sp)
        step = (word >> HL_STEP) & 3
        if step != 0:
            r1 = (r1 & ~0xFFFF) | ((address + 3 - 2 * step) & 0xFFFF)
        if reads > 0:
            value = read8(m, lane, base, now, address, rom_low, rom_high)
            now += 4
            if reads > 1:
                value = value | read8(m, lane, base, now, (address + 1) & 0xFFFF, rom_low, rom_high) << 8
                now += 4
                sp = (sp + 2) & 0xFFFF
    out = 0
    if taken == 1:
        group = (word >> GROUP) & 31
        EXECUTE(group, row, y, at, value, count)
        now += ((word >> POST) & 3) << 2
    r1 = (r1 & ~0xFF0000) | f << 16
    target = (word >> DEST) & 7
    shift = (target & 3) << 3
    mask = result_mask(word)
    changed = ((r1 if target >= 4 else r0) & ~(mask << shift)) | (out & mask) << shift
    r1 = changed if target >= 4 else r1
    r0 = r0 if target >= 4 else changed
    if ((word >> DEST_WIDTH) & 3) == 3:
        sp = out
    byte = out & 0xFF
    if writes == 2 and kind == STACK:
        now += 4  # pushes begin with an internal slot
        address = (sp - 1) & 0xFFFF
        byte = out >> 8
    while writes > 0:
        if now >= next_due:
            sync_dma(m, lane, now)  # what moves in this slot reads memory as it was before the write
        index = plain(base, address)
        if index >= 0:
            m.mem[index] = byte
        else:
            if write_slow(m, lane, now, address, byte) == 1:
                next_due = 0
            rom_low = m.rom_low[lane]
            rom_high = m.rom_high[lane]
        if BREAK_ON_WRITE >= 0 and address == BREAK_ON_WRITE:
            stop_lane(m, lane, DEBUG_BREAK, pc)
            next_due = 0
        now += 4
        writes -= 1
        if kind == STACK:
            address = (address - 1) & 0xFFFF
            byte = out & 0xFF
            sp = (sp - 1) & 0xFFFF
        else:
            address = (address + 1) & 0xFFFF
            byte = out >> 8
    return r0, r1, pc, sp, now, next_due, rom_low, rom_high, count
