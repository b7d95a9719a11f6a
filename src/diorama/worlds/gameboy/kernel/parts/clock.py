"""The clock of MBC3 cartridges (section 16): it runs on emulated time only."""

from typing import Final

from diorama.worlds.gameboy.kernel.dialect import Machine

SECOND: Final = 4194304
CLOCK_HALT: Final = 0x40


def sync_clock(m: Machine, lane: int, now: int) -> None:
    """Let the time up to now pass."""
    passed = now - m.clock_synced[lane]
    m.clock_synced[lane] = now
    if (m.rtc_dh[lane] & CLOCK_HALT) == 0:
        m.rtc_sub[lane] = m.rtc_sub[lane] + passed
        while m.rtc_sub[lane] >= SECOND:
            m.rtc_sub[lane] = m.rtc_sub[lane] - SECOND
            pass_second(m, lane)


def pass_second(m: Machine, lane: int) -> None:
    """Count one up; only the last legal value carries, the end of a register's width does not."""
    m.rtc_s[lane] = (m.rtc_s[lane] + 1) & 0x3F
    if m.rtc_s[lane] == 60:
        m.rtc_s[lane] = 0
        m.rtc_m[lane] = (m.rtc_m[lane] + 1) & 0x3F
        if m.rtc_m[lane] == 60:
            m.rtc_m[lane] = 0
            m.rtc_h[lane] = (m.rtc_h[lane] + 1) & 0x1F
            if m.rtc_h[lane] == 24:
                m.rtc_h[lane] = 0
                pass_day(m, lane)


def pass_day(m: Machine, lane: int) -> None:
    """Count a day; the carry after 512 of them stays until it is written."""
    m.rtc_dl[lane] = (m.rtc_dl[lane] + 1) & 0xFF
    if m.rtc_dl[lane] == 0:
        carry = (m.rtc_dh[lane] & 1) << 7
        m.rtc_dh[lane] = (m.rtc_dh[lane] ^ 1) | carry


def write_latch(m: Machine, lane: int, now: int, value: int) -> None:
    """Copy the live registers when 1 follows 0."""
    sync_clock(m, lane, now)
    if value == 1 and m.rtc_latch_armed[lane] == 1:
        m.rtcl_s[lane] = m.rtc_s[lane]
        m.rtcl_m[lane] = m.rtc_m[lane]
        m.rtcl_h[lane] = m.rtc_h[lane]
        m.rtcl_dl[lane] = m.rtc_dl[lane]
        m.rtcl_dh[lane] = m.rtc_dh[lane]
    m.rtc_latch_armed[lane] = 1 if value == 0 else 0


def read_clock(m: Machine, lane: int, register: int) -> int:
    """Read a register, 0 to 4, as latched."""
    value = m.rtcl_s[lane]
    if register == 1:
        value = m.rtcl_m[lane]
    elif register == 2:
        value = m.rtcl_h[lane]
    elif register == 3:
        value = m.rtcl_dl[lane]
    elif register == 4:
        value = m.rtcl_dh[lane]
    return value


def write_clock(m: Machine, lane: int, now: int, register: int, value: int) -> None:
    """Write a live register, 0 to 4, and its latched copy."""
    sync_clock(m, lane, now)
    if register == 0:
        m.rtc_s[lane] = value & 0x3F
        m.rtcl_s[lane] = value & 0x3F
        m.rtc_sub[lane] = 0
    elif register == 1:
        m.rtc_m[lane] = value & 0x3F
        m.rtcl_m[lane] = value & 0x3F
    elif register == 2:
        m.rtc_h[lane] = value & 0x1F
        m.rtcl_h[lane] = value & 0x1F
    elif register == 3:
        m.rtc_dl[lane] = value
        m.rtcl_dl[lane] = value
    else:
        m.rtc_dh[lane] = value & 0xC1
        m.rtcl_dh[lane] = value & 0xC1
