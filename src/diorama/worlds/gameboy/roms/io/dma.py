"""DMA_OAM_COPY: the copy, its lock window, a restart, and sources in the echo area. The screen is off."""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, judged_program, wait_cycles
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_FIRST_PAGE: Final = 0xC1
_SECOND_PAGE: Final = 0xC2
_LENGTH: Final = 160
_LOCKED_WAIT: Final = 159  # the last wait after which a read of OAM still falls into the window


def _assemble() -> bytes:
    a, checks = judged_program("DMA_OAM_COPY")
    a(f"""
        ld hl,{_FIRST_PAGE << 8}
        ld de,{_SECOND_PAGE << 8}
    fill:
        ld a,l
        xor $5A
        ld (hl),a
        ld a,l
        add a,$21
        ld (de),a
        inc e
        inc l
        jr nz,fill
    """)
    for page, source in ((_FIRST_PAGE, _FIRST_PAGE), (_SECOND_PAGE + 0x20, _SECOND_PAGE)):
        _copy(a, page)
        _expect_copy_of(a, checks, source, f"{page:02x}")
    _lock_window(a, checks)
    _restart(a, checks)
    a("ldh a,($46)")
    checks.expect(_SECOND_PAGE)
    return checks.finish()


def _start_copy(a: Asm, page: int) -> None:
    a(f"ld hl,$FE00\nld a,{page}\nldh ($46),a")


def _copy(a: Asm, page: int) -> None:
    _start_copy(a, page)
    wait_cycles(a, 200)


def _expect_copy_of(a: Asm, checks: Checks, page: int, mark: str) -> None:
    a(f"""
        ld hl,{page << 8}
        ld de,$FE00
        ld bc,{_LENGTH}
    compare_{mark}:
        ld a,(de)
        sub (hl)
    """)
    checks.expect(0)
    a(f"""
        inc l
        inc e
        dec c
        jp nz,compare_{mark}
    """)


def _lock_window(a: Asm, checks: Checks) -> None:
    """Reads give $FF and writes are dropped from 8 T-cycles after the write up to 648."""
    for wait, seen in ((0, 0xFF), (1, 0xFF), (80, 0xFF), (_LOCKED_WAIT, 0xFF), (_LOCKED_WAIT + 1, 0x5A)):
        _start_copy(a, _FIRST_PAGE)
        wait_cycles(a, wait)
        a("ld a,(hl)\nld b,a")
        wait_cycles(a, 200)
        a("ld a,b")
        checks.expect(seen)
    for wait, kept in ((100, 0x5A), (_LOCKED_WAIT - 1, 0x5A), (_LOCKED_WAIT + 3, 0x99)):
        _start_copy(a, _FIRST_PAGE)
        a("ld b,$99")
        wait_cycles(a, wait - 2)
        a("ld (hl),b")
        wait_cycles(a, 200)
        a("ld a,(hl)")
        checks.expect(kept)


def _restart(a: Asm, checks: Checks) -> None:
    _start_copy(a, _FIRST_PAGE)
    wait_cycles(a, 40)
    _start_copy(a, _SECOND_PAGE)
    wait_cycles(a, 140)
    a("ld a,(hl)\nld b,a")  # past the end of the first copy, inside the second
    wait_cycles(a, 100)
    a("ld a,b")
    checks.expect(0xFF)
    _expect_copy_of(a, checks, _SECOND_PAGE, "restarted")


ROMS: Final = (
    MicroRom(
        name="DMA_OAM_COPY",
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose="160 bytes, lock window, restart and echo source of the OAM copy",
        assemble=_assemble,
        boot=BootMode.STUB,
        signature=range(0xFE00, 0xFEA0),
    ),
)
