"""MBC1_SWITCH, MBC3_SWITCH and MBC5_SWITCH: which bank is seen where.

Every bank carries its number, low byte first, at the start and near the end of its 16 KiB.
"""

from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, program
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_NEAR_END: Final = 0x3FF0  # seen at $3FF0 in the low area, at $7FF0 in the high one
_IN_RAM: Final = 0xC800


def _number_banks(a: Asm, banks: int) -> None:
    a.org(_NEAR_END)
    a.dw(0)
    for bank in range(1, banks):
        a.org(0x4000, bank=bank)
        a.dw(bank)
        a.org(0x4000 + _NEAR_END, bank=bank)
        a.dw(bank)
    a.org(0x0150)


def _expect_bank(checks: Checks, bank: int, *, at: int = 0x4000) -> None:
    checks.expect_at(at, bank & 0xFF)
    checks.expect_at(at + 1, bank >> 8)


def _select(a: Asm, address: int, value: int) -> None:
    a(f"ld a,{value}\nld ({address}),a")


def _mbc1() -> bytes:
    banks = 64
    a = program("MBC1_SWITCH", cart_type=0x01, rom_banks=banks)
    _number_banks(a, banks)
    a("start:")
    checks = Checks(a)
    checks.clear()
    _expect_bank(checks, 1)
    for written, bank in ((1, 1), (2, 2), (31, 31), (0, 1), (0x20, 1), (0xE3, 3)):
        _select(a, 0x2000, written)
        _expect_bank(checks, bank)
    for upper, lower, bank in ((1, 0, 33), (1, 5, 37), (3, 5, 37), (2, 7, 7), (0, 31, 31)):
        _select(a, 0x4000, upper)
        _select(a, 0x3FFF, lower)
        _expect_bank(checks, bank)
    _low_area(a, checks)
    return checks.finish()


def _low_area(a: Asm, checks: Checks) -> None:
    """Mode 1 moves the low area, and this program with it, so that the look at it happens from RAM."""
    a(f"ld hl,{_IN_RAM}\nld de,peek\nld b,peek_end-peek\ncopy: ld a,(de)\nld (hl+),a\ninc de\ndec b\njr nz,copy")
    for upper, low_bank in ((1, 32), (0, 0), (2, 0), (3, 32)):
        _select(a, 0x4000, upper)
        a(f"call {_IN_RAM}")
        checks.expect(low_bank)
        checks.expect_at(_NEAR_END, 0)  # back in mode 0
    a(f"""
        jp after_peek
    peek:
        ld a,1
        ld ($6000),a
        ld a,({_NEAR_END})
        ld b,a
        xor a
        ld ($6000),a
        ld a,b
        ret
    peek_end:
    after_peek:
    """)


def _mbc3() -> bytes:
    banks = 128
    a = program("MBC3_SWITCH", cart_type=0x11, rom_banks=banks)
    _number_banks(a, banks)
    a("start:")
    checks = Checks(a)
    checks.clear()
    _expect_bank(checks, 1)
    for written, bank in ((1, 1), (0x1F, 0x1F), (0x20, 0x20), (0x60, 0x60), (0x7F, 0x7F), (0, 1)):
        _select(a, 0x2000, written)
        _expect_bank(checks, bank)
        checks.expect_at(_NEAR_END, 0)
        checks.expect_at(0x4000 + _NEAR_END, bank)
    return checks.finish()


def _mbc5() -> bytes:
    banks = 512
    a = program("MBC5_SWITCH", cart_type=0x19, rom_banks=banks)
    _number_banks(a, banks)
    a("start:")
    checks = Checks(a)
    checks.clear()
    _expect_bank(checks, 1)
    for low, high, bank in (
        (1, 0, 1),
        (0xFF, 0, 0xFF),
        (0, 1, 0x100),
        (0xFF, 1, 0x1FF),
        (2, 0xFE, 2),
        (0x20, 1, 0x120),
    ):
        _select(a, 0x2000, low)
        _select(a, 0x3000, high)
        _expect_bank(checks, bank)
    _select(a, 0x3000, 0)
    _select(a, 0x2FFF, 0)  # bank 0 is allowed, and shows the low area a second time
    _expect_bank(checks, 0, at=0x4000 + _NEAR_END)
    checks.expect_at(0x4100, 0x00)
    checks.expect_at(0x4101, 0xC3)
    return checks.finish()


ROMS: Final = (
    MicroRom(
        name="MBC1_SWITCH",
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose="MBC1 banks, the rule for bank 0, the upper two bits, the low area in mode 1",
        assemble=_mbc1,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="MBC3_SWITCH",
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose="MBC3 banks of seven bits and the rule for bank 0",
        assemble=_mbc3,
        boot=BootMode.STUB,
    ),
    MicroRom(
        name="MBC5_SWITCH",
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose="MBC5 banks of nine bits; bank 0 at $4000",
        assemble=_mbc5,
        boot=BootMode.STUB,
    ),
)
