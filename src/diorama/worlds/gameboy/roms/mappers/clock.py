"""MBC3_RTC: latch, halt, carries and widths of the real-time clock, which follows emulated time."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, program, wait_cycles
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_SECONDS, _MINUTES, _HOURS, _DAY_LOW, _DAY_HIGH = range(0x08, 0x0D)
_REGISTERS: Final = (_SECONDS, _MINUTES, _HOURS, _DAY_LOW, _DAY_HIGH)
_HALT: Final = 0x40
_CARRY: Final = 0x80
_TURN_M_CYCLES: Final = 1017  # with the seven of its loop 1024, a 1024th of a second
_PAUSE_TURNS: Final = 1536
_Time = tuple[int, int, int, int, int]


def _assemble() -> bytes:
    a = program("MBC3_RTC", cart_type=0x10, ram_code=2)
    a("start:\nld a,$0A\nld ($0000),a")
    checks = Checks(a)
    checks.clear()
    _latching(a, checks)
    _widths(a, checks)
    for before, after in (
        ((58, 0, 0, 0, 0), (59, 0, 0, 0, 0)),
        ((59, 59, 23, 0xFF, 0x01), (0, 0, 0, 0, _CARRY)),  # the last second of day 511
        ((59, 59, 23, 0xFF, 0x00), (0, 0, 0, 0, 0x01)),
        ((63, 7, 0, 0, 0), (0, 7, 0, 0, 0)),  # seconds that ran over their range do not carry
        ((59, 63, 9, 0, 0), (0, 0, 9, 0, 0)),
        ((59, 59, 31, 4, 0), (0, 0, 0, 4, 0)),
    ):
        _run_for_a_second(a, checks, before, after)
    _stands_still(a, checks)
    a("jp pass")
    _add_pause(a)
    return checks.finish()


def _add_pause(a: Asm) -> None:
    """Place `pause`: one and a half seconds, give or take some hundred cycles."""
    a(f"""
    pause:
        ld de,{_PAUSE_TURNS}
    .turn:
    """)
    wait_cycles(a, _TURN_M_CYCLES)
    a("""
        dec de
        ld a,d
        or e
        jr nz,.turn
        ret
    """)


def _write_time(a: Asm, time: _Time) -> None:
    """Set all registers; the last one decides whether the clock runs."""
    for register, value in zip(_REGISTERS, time, strict=True):
        a(f"ld a,{register}\nld ($4000),a\nld a,{value}\nld ($A000),a")


def _latch(a: Asm) -> None:
    a("xor a\nld ($6000),a\ninc a\nld ($6000),a")


def _expect_time(a: Asm, checks: Checks, time: _Time) -> None:
    for register, value in zip(_REGISTERS, time, strict=True):
        a(f"ld a,{register}\nld ($4000),a")
        checks.expect_at(0xA000, value)


def _run_for_a_second(a: Asm, checks: Checks, before: _Time, after: _Time) -> None:
    """The write of the seconds began the second, so that one and a half later exactly one has passed."""
    _write_time(a, before)
    a("call pause")
    _latch(a)
    _expect_time(a, checks, after)


def _latching(a: Asm, checks: Checks) -> None:
    _write_time(a, (10, 20, 3, 4, _HALT))
    _expect_time(a, checks, (10, 20, 3, 4, _HALT))  # a write shows at once
    _write_time(a, (10, 20, 3, 4, 0))
    a("call pause")
    _expect_time(a, checks, (10, 20, 3, 4, 0))  # not latched, so it shows what it showed
    a("ld a,1\nld ($6000),a")
    _expect_time(a, checks, (10, 20, 3, 4, 0))  # 1 without 0 before it does not latch
    a("xor a\nld ($6000),a\nld a,2\nld ($6000),a\nld a,1\nld ($6000),a")
    _expect_time(a, checks, (10, 20, 3, 4, 0))  # 2 disarms
    _latch(a)
    _expect_time(a, checks, (11, 20, 3, 4, 0))


def _widths(a: Asm, checks: Checks) -> None:
    _write_time(a, (0xFF, 0xFF, 0xFF, 0xFF, 0xFF))
    _latch(a)
    _expect_time(a, checks, (0x3F, 0x3F, 0x1F, 0xFF, _CARRY | _HALT | 1))


def _stands_still(a: Asm, checks: Checks) -> None:
    _write_time(a, (5, 6, 7, 8, _HALT))
    a("call pause")
    _latch(a)
    _expect_time(a, checks, (5, 6, 7, 8, _HALT))
    a("ld a,0\nld ($4000),a\nld a,$77\nld ($A000),a")  # RAM is still there
    checks.expect_at(0xA000, 0x77)


ROMS: Final = (
    MicroRom(
        name="MBC3_RTC",
        profiles=(Profile.SELFCHECK,),
        purpose="latch, halt, carries and bit widths of the clock on emulated time",
        assemble=_assemble,
        boot=BootMode.STUB,
    ),
)
