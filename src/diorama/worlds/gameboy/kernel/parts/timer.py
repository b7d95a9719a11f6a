"""Divider and timer (section 12), held as a base time and brought up to date when looked at."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import STEPPED, Machine

TIMER_REQUEST: Final = 4
SLOT: Final = 4
NEVER: Final = 0x7FFFFFFF


def period_bits(tac: int) -> int:
    """Give log2 of the T-cycles between two counts; 0 while the timer is off."""
    bits = 0
    if (tac & 4) != 0:
        choice = tac & 3
        bits = 10 if choice == 0 else 2 + 2 * choice
    return bits


def div_at(m: Machine, lane: int, now: int) -> int:
    """Read the divider counter."""
    value = (now - m.div_base[lane]) & 0xFFFF
    if STEPPED == 1:
        value = m.div16[lane]
    return value


def timer_input(m: Machine, lane: int, now: int) -> int:
    """Read the bit whose fall counts."""
    bits = period_bits(m.tac[lane])
    high = 0
    if bits > 0:
        high = (div_at(m, lane, now) >> (bits - 1)) & 1
    return high


def count_timer(m: Machine, lane: int) -> None:
    """Count one up; a wrap is answered in the next M-cycle."""
    m.tima[lane] = (m.tima[lane] + 1) & 0xFF
    if m.tima[lane] == 0:
        m.tima_state[lane] = 1


def reload_timer(m: Machine, lane: int, at: int) -> None:
    """Take the modulo and ask for attention."""
    m.tima[lane] = m.tma[lane]
    m.tima_state[lane] = 0
    m.reloaded_at[lane] = at
    m.iflag[lane] = m.iflag[lane] | TIMER_REQUEST


def sync_timer(m: Machine, lane: int, to: int) -> None:
    """Advance to a time."""
    if STEPPED == 1:
        step_timer(m, lane, to)
    else:
        jump_timer(m, lane, to)


def step_timer(m: Machine, lane: int, to: int) -> None:
    """Advance one M-cycle after another, together with the serial port that the divider clocks."""
    while m.timer_synced[lane] < to:
        m.timer_synced[lane] = m.timer_synced[lane] + SLOT
        if m.tima_state[lane] == 1:
            reload_timer(m, lane, m.timer_synced[lane])
        was_high = timer_input(m, lane, to)
        shift_clock = m.div16[lane] & 0x100
        m.div16[lane] = (m.div16[lane] + SLOT) & 0xFFFF
        if was_high == 1 and timer_input(m, lane, to) == 0:
            count_timer(m, lane)
        if shift_clock != 0 and (m.div16[lane] & 0x100) == 0 and m.ser_bits[lane] > 0:
            m.ser_bits[lane] = m.ser_bits[lane] - 1
            if m.ser_bits[lane] == 0:
                m.sc[lane] = m.sc[lane] & 1
                m.sb[lane] = 0xFF
                m.iflag[lane] = m.iflag[lane] | 8


def jump_timer(m: Machine, lane: int, to: int) -> None:
    """Advance from one wrap to the next."""
    bits = period_bits(m.tac[lane])
    synced = m.timer_synced[lane]
    base = m.div_base[lane]
    while synced < to:
        if m.tima_state[lane] == 1:
            reload_timer(m, lane, synced + SLOT)
        if bits == 0:
            synced = to
        else:
            passed = (synced - base) >> bits
            edges = ((to - base) >> bits) - passed
            needed = 256 - m.tima[lane]
            if edges < needed:
                m.tima[lane] = m.tima[lane] + edges
                synced = to
            else:
                m.tima[lane] = 0
                m.tima_state[lane] = 1
                synced = base + ((passed + needed) << bits)
    m.timer_synced[lane] = synced


def timer_due(m: Machine, lane: int) -> int:
    """Tell when the next request comes if nobody touches the registers."""
    due = NEVER
    synced = m.timer_synced[lane]
    bits = period_bits(m.tac[lane])
    if m.tima_state[lane] == 1:
        due = synced + SLOT
    elif bits > 0:
        base = m.div_base[lane]
        due = base + ((((synced - base) >> bits) + 256 - m.tima[lane]) << bits) + SLOT
    return due


def write_div(m: Machine, lane: int, now: int) -> None:
    """Clear the divider."""
    if timer_input(m, lane, now) == 1:
        count_timer(m, lane)
    m.div_base[lane] = now
    m.div16[lane] = 0


def write_tac(m: Machine, lane: int, now: int, value: int) -> None:
    """Choose the rate; a fall caused by that counts too."""
    was_high = timer_input(m, lane, now)
    m.tac[lane] = value & 7
    if was_high == 1 and timer_input(m, lane, now) == 0:
        count_timer(m, lane)


def write_tima(m: Machine, lane: int, now: int, value: int) -> None:
    """Write the counter, except in the M-cycle of a reload; a reload that was due is cancelled."""
    if m.reloaded_at[lane] != now:
        m.tima[lane] = value
        m.tima_state[lane] = 0


def write_tma(m: Machine, lane: int, now: int, value: int) -> None:
    """Write the modulo; in the M-cycle of a reload the counter takes it too."""
    m.tma[lane] = value
    if m.reloaded_at[lane] == now:
        m.tima[lane] = value
