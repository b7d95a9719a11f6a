"""DIV_TIMER, TIMA_RELOAD and TIMER_IRQ_HALT.

Every measurement begins with a divider reset in a slot at time w; the timer is switched on 12 T-cycles later, and a
read that follows n M-cycles after that sees the divider at 24 + 4n.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, judged_program, program, wait_cycles
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_M_CYCLES_BEFORE_READ: Final = 6  # from the reset to a read without any wait
_FAST: Final = 5  # TAC: enabled, one tick per 16 T-cycles
_RATES: Final = ((4, 1024), (5, 16), (6, 64), (7, 256))


def _begin_measurement(a: Asm, *, tac: int, tima: int, tma: int) -> None:
    a(f"""
        xor a
        ldh ($07),a
        ldh ($0F),a
        ld a,{tima}
        ldh ($05),a
        ld a,{tma}
        ldh ($06),a
        ld a,{tac}
        ldh ($04),a      ; resets the divider, whatever is written
        ldh ($07),a
    """)


def _div_timer() -> bytes:
    a, checks = judged_program("DIV_TIMER")
    for wait, ticks in ((60, 0), (61, 1), (124, 1), (125, 2)):
        a("ldh ($04),a")
        wait_cycles(a, wait)
        a("ldh a,($04)")
        checks.expect(ticks)
    for tac, period in _RATES:
        for ticks in (1, 2, 3):
            turn = ticks * period // 4 - _M_CYCLES_BEFORE_READ
            for wait, seen in ((turn - 1, ticks - 1), (turn, ticks)):
                if wait >= 0:
                    _begin_measurement(a, tac=tac, tima=0, tma=0)
                    wait_cycles(a, wait)
                    a("ldh a,($05)")
                    checks.expect(seen)
    _reload(a, checks)
    _glitches(a, checks)
    return checks.finish()


def _reload(a: Asm, checks: Checks) -> None:
    for wait, tima, request in ((1, 0xFF, 0), (4, 0xF0, 4), (6, 0xF1, 4)):
        for register, seen in ((0x05, tima), (0x0F, request)):
            _begin_measurement(a, tac=_FAST, tima=0xFE, tma=0xF0)
            wait_cycles(a, wait)
            checks.expect_register(register, 0xFF if register == 0x05 else 0x04, seen)


def _glitches(a: Asm, checks: Checks) -> None:
    """A divider reset and a TAC write tick the timer when they pull its input down."""
    for wait, tima in ((0, 2), (1, 2), (2, 2), (3, 2), (4, 3), (5, 3), (6, 3)):
        _begin_measurement(a, tac=_FAST, tima=0, tma=0)
        wait_cycles(a, wait)
        a("ldh ($04),a\nldh a,($05)")
        checks.expect(tima)
    for wait in range(5):
        for new_tac in (0, 4):
            _begin_measurement(a, tac=_FAST, tima=0, tma=0)
            a(f"ld b,{new_tac}")  # two of the M-cycles before the write
            wait_cycles(a, wait)
            a("ld a,b\nldh ($07),a\nldh a,($05)")
            checks.expect(_tima_after_tac_write(wait))


def _tima_after_tac_write(wait: int) -> int:
    divider = 24 + 4 * (wait + 3)
    return divider // 16 + (1 if divider & 8 else 0)


def _tima_reload() -> bytes:
    """The overflow at divider 32: TIMA is 0 for one M-cycle, takes TMA in the next, and writes have windows."""
    a, checks = judged_program("TIMA_RELOAD")
    for register, mask, by_wait in (
        (0x05, 0xFF, {1: 0xFF, 2: 0x00, 3: 0xF0, 4: 0xF0, 6: 0xF1}),
        (0x0F, 0x04, {1: 0, 2: 0, 3: 4}),
    ):
        for wait, seen in by_wait.items():
            _begin_measurement(a, tac=_FAST, tima=0xFE, tma=0xF0)
            wait_cycles(a, wait)
            checks.expect_register(register, mask, seen)
    # A write of 5 (A still holds TAC) to TIMA or TMA after n waits, then TIMA read 12 T-cycles later, then IF.
    for register, after_write in (
        (0x05, {1: (0x06, 0), 2: (0x05, 0), 3: (0xF1, 4), 4: (0x06, 4)}),
        (0x06, {1: (0x05, 4), 2: (0x05, 4), 3: (0x06, 4), 4: (0xF1, 4)}),
    ):
        for wait, (tima, request) in after_write.items():
            _begin_measurement(a, tac=_FAST, tima=0xFE, tma=0xF0)
            wait_cycles(a, wait)
            a(f"ldh ({register}),a\nldh a,($05)\nld b,a\nldh a,($0F)\nld c,a\nxor a\nldh ($07),a\nld a,b")
            checks.expect(tima)
            a("ld a,c")
            checks.expect_bits(0x04, request)
    return checks.finish()


def _timer_irq_halt() -> bytes:
    a = program("TIMER_IRQ_HALT")
    a.vector(0x50, "handler")
    a("""
    start:
        ld hl,$C000
        ld (hl),$5A
        xor a
        ld ($C001),a
        ldh ($0F),a
        ld a,4
        ldh ($FF),a
        ldh ($07),a      ; one tick per 1024 T-cycles
        ei
    sleep:
        halt
        nop
        jr sleep
    handler:
        ld a,(hl)
        rlca
        inc a
        ld (hl),a
        ld a,($C001)
        inc a
        ld ($C001),a
        reti
    """)
    return a.build()


ROMS: Final = (
    MicroRom(
        name="DIV_TIMER",
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose="divider reset, all four rates, reload from TMA, ticks by DIV and TAC writes",
        assemble=_div_timer,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="TIMA_RELOAD",
        profiles=(Profile.SELFCHECK,),
        purpose="TIMA reads 0 for one M-cycle; windows of TIMA and TMA writes around the reload",
        assemble=_tima_reload,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="TIMER_IRQ_HALT",
        profiles=(Profile.SETTLED,),
        purpose="the timer interrupt wakes HALT; its handler writes a signature and a counter",
        assemble=_timer_irq_halt,
        signature=range(0xC000, 0xC002),
    ),
)
