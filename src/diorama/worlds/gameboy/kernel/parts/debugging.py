"""Traps that exist only in builds that ask for them (section 24.2)."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import BREAK_AT, MAX_INSTR, Machine

INSTRUCTION_BUDGET: Final = 2
DEBUG_BREAK: Final = 3


def stop_lane(m: Machine, lane: int, kind: int, pc: int) -> None:
    """Stop a lane at the boundary that comes next; `pc` is where it would go on."""
    m.trap_kind[lane] = kind
    m.trap_pc[lane] = pc


def must_stop(m: Machine, lane: int, pc: int, count: int) -> int:
    """Look at the place and the number of instructions; tell whether the lane stops here."""
    if MAX_INSTR > 0 and count >= MAX_INSTR:
        stop_lane(m, lane, INSTRUCTION_BUDGET, pc)
        return 1
    if BREAK_AT >= 0 and pc == BREAK_AT:
        stop_lane(m, lane, DEBUG_BREAK, pc)
        return 1
    return 0
