"""MBC1_RAM, MBC3_RAM and MBC5_RAM: enabling cartridge RAM and choosing its banks."""

from collections.abc import Callable
from typing import Final

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.roms.kit import Checks, judged_program
from diorama.worlds.gameboy.roms.rom import MicroRom, Profile

_FIRST: Final = 0xA000
_LAST: Final = 0xBFFF


def _select(a: Asm, address: int, value: int) -> None:
    a(f"ld a,{value}\nld ({address}),a")


def _assemble(name: str, *, cart_type: int, ram_code: int, banks: int, enabling: dict[int, bool]) -> bytes:
    """Build the program of one mapper.

    Args:
        name: Name of the ROM.
        cart_type: Header byte.
        ram_code: Header byte.
        banks: RAM banks of 8 KiB.
        enabling: Values for the enable register, and whether they enable.
    """
    a, checks = judged_program(name, cart_type=cart_type, rom_banks=4, ram_code=ram_code)
    checks.expect_at(_FIRST, 0xFF)  # disabled at power-on
    _select(a, _FIRST, 0x12)
    _select(a, 0x0000, 0x0A)
    checks.expect_at(_FIRST, 0x00)  # so that write went nowhere
    if cart_type in (0x02, 0x03):
        _mode_of_mbc1(a, checks)
    for bank in range(banks):
        _select(a, 0x4000, bank)
        _select(a, _FIRST, 0x40 + bank)
        _select(a, _LAST, 0x80 + bank)
    for bank in reversed(range(banks)):
        _select(a, 0x5FFF, bank)
        checks.expect_at(_FIRST, 0x40 + bank)
        checks.expect_at(_LAST, 0x80 + bank)
    for value, enables in enabling.items():
        _select(a, 0x1FFF, value)
        checks.expect_at(_FIRST, 0x40 if enables else 0xFF)
    return checks.finish()


def _mode_of_mbc1(a: Asm, checks: Checks) -> None:
    """In mode 0 there is one bank only, whatever the upper bits say; the rest of the program runs in mode 1."""
    _select(a, 0x4000, 2)
    _select(a, _FIRST, 0x33)
    _select(a, 0x4000, 0)
    checks.expect_at(_FIRST, 0x33)
    _select(a, 0x6000, 1)
    checks.expect_at(_FIRST, 0x33)
    _select(a, 0x4000, 2)
    checks.expect_at(_FIRST, 0x00)


def _mbc1() -> bytes:
    low_nibble = {0x00: False, 0x0A: True, 0x0B: False, 0x1A: True, 0xA0: False, 0xFA: True}
    return _assemble("MBC1_RAM", cart_type=0x02, ram_code=3, banks=4, enabling=low_nibble)


def _mbc3() -> bytes:
    low_nibble = {0x00: False, 0x0A: True, 0x05: False, 0x3A: True}
    return _assemble("MBC3_RAM", cart_type=0x12, ram_code=3, banks=4, enabling=low_nibble)


def _mbc5() -> bytes:
    whole_byte = {0x00: False, 0x0A: True, 0x1A: False, 0x8A: False}
    return _assemble("MBC5_RAM", cart_type=0x1A, ram_code=4, banks=16, enabling=whole_byte)


def _rom(name: str, purpose: str, assemble: Callable[[], bytes]) -> MicroRom:
    return MicroRom(
        name=name,
        profiles=(Profile.SELFCHECK, Profile.EXACT),
        purpose=purpose,
        assemble=assemble,
        boot=BootMode.STUB,
        signature=range(0xC000, 0xC001),
    )


ROMS: Final = (
    _rom("MBC1_RAM", "MBC1 RAM enable by the low nibble, banks in mode 1, one bank in mode 0", _mbc1),
    _rom("MBC3_RAM", "MBC3 RAM enable and four banks", _mbc3),
    _rom("MBC5_RAM", "MBC5 RAM enable by the whole byte and sixteen banks", _mbc5),
)
