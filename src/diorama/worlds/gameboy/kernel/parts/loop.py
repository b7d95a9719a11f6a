"""The main loop (section 7): a lane runs for the frames of a step with its registers in local variables."""

from diorama.worlds.gameboy.kernel.dialect import BREAK_AT, MAX_INSTR, Address, Ints, Machine, int64, kernel, tid
from diorama.worlds.gameboy.kernel.parts.boundary import OVER, attend, begin_frame, go_on, skip_frames
from diorama.worlds.gameboy.kernel.parts.conversion import enter, leave
from diorama.worlds.gameboy.kernel.parts.debugging import must_stop
from diorama.worlds.gameboy.kernel.parts.execute import execute_one
from diorama.worlds.gameboy.kernel.parts.joypad import press_keys
from diorama.worlds.gameboy.kernel.parts.keys import action_button_mask, action_dpad_mask
from diorama.worlds.gameboy.kernel.parts.layout import first


@kernel
def cpu_step(m: Machine, isa: Address, actions: Ints, frames: int, release: int, lanes: int) -> None:
    """Run one lane for `frames` frames with an action's keys down for the first `release` of them."""
    lane = tid()
    if lane < lanes:
        enter(m, lane)
        action = actions[lane]
        if release > 0:
            press_keys(m, lane, action_dpad_mask(action), action_button_mask(action))
        begin_frame(m, lane, frames)
        m.next_due[lane] = 0
        skip_frames(m, lane, frames)
        go_on(m, lane, frames)
        run_lane(m, isa, lane, frames, release)


def pack_registers(m: Machine, lane: int) -> tuple[int, int]:
    """BC and DE in one number, HL and AF in the other."""
    r0 = m.b[lane] << 8 | m.c[lane] | m.d[lane] << 24 | m.e[lane] << 16
    r1 = m.h[lane] << 8 | m.l[lane] | m.a[lane] << 24 | m.f[lane] << 16
    return r0, r1


def unpack_registers(m: Machine, lane: int, r0: int, r1: int) -> None:
    """Store both numbers as single registers."""
    m.b[lane] = (r0 >> 8) & 0xFF
    m.c[lane] = r0 & 0xFF
    m.d[lane] = (r0 >> 24) & 0xFF
    m.e[lane] = (r0 >> 16) & 0xFF
    m.h[lane] = (r1 >> 8) & 0xFF
    m.l[lane] = r1 & 0xFF
    m.a[lane] = (r1 >> 24) & 0xFF
    m.f[lane] = (r1 >> 16) & 0xFF


def run_lane(m: Machine, isa: Address, lane: int, frames: int, release: int) -> None:
    """Go from instruction to instruction until the frames are over."""
    base = first(m, lane)
    r0, r1 = pack_registers(m, lane)
    pc = int(m.pc[lane])
    sp = int(m.sp[lane])
    now = 0
    next_due = int(m.next_due[lane])
    fetched = int(m.fetched[lane])
    rom_low = int(m.rom_low[lane])
    rom_high = int(m.rom_high[lane])
    count = 0
    while next_due != OVER:
        if next_due >= 0:
            r0, r1, pc, sp, now, next_due, rom_low, rom_high, done = execute_one(
                m, isa, lane, base, r0, r1, pc, sp, now, next_due, rom_low, rom_high, fetched
            )
            fetched = 1
            count += done
            if (MAX_INSTR > 0 or BREAK_AT >= 0) and must_stop(m, lane, pc, count) == 1:
                next_due = 0
        if now >= next_due:
            m.now[lane] = now
            m.pc[lane] = pc
            m.sp[lane] = sp
            attend(m, lane, frames, release)
            now = m.now[lane]
            pc = m.pc[lane]
            sp = m.sp[lane]
            next_due = m.next_due[lane]
            fetched = m.fetched[lane]
    unpack_registers(m, lane, r0, r1)
    leave(m, lane)
    m.wide[lane] = m.wide[lane] + int64(now)
    m.wide[m.lanes + lane] = m.wide[m.lanes + lane] + int64(count)
    m.wide[2 * m.lanes + lane] = m.wide[2 * m.lanes + lane] + int64(m.frame[lane] - m.skipped[lane])


@kernel
def single_step(m: Machine, isa: Address, lanes: int) -> None:
    """Execute one instruction on every lane, for tests of single instructions on plain memory."""
    lane = tid()
    if lane < lanes:
        r0, r1 = pack_registers(m, lane)
        r0, r1, pc, sp, now, _due, _low, _high, _done = execute_one(
            m, isa, lane, first(m, lane), r0, r1, m.pc[lane], m.sp[lane], 0, 0x7FFFFFFF, 0, 0, 1
        )
        unpack_registers(m, lane, r0, r1)
        m.pc[lane] = pc
        m.sp[lane] = sp
        m.now[lane] = now
