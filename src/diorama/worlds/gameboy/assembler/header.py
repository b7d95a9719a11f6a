"""The cartridge header at `$0100-$014F`: entry, project name, title, types, sizes, checksums."""

from typing import Final

PROJECT_NAME: Final = b"DIORAMA"
ENTRY: Final = 0x0100
RESERVED_START: Final = 0x0104  # no code from here
PROJECT_NAME_AREA: Final = range(0x0104, 0x0134)  # where other cartridges carry a logo; nothing checks it
TITLE: Final = range(0x0134, 0x013F)
CGB_FLAG: Final = 0x0143
CART_TYPE: Final = 0x0147
ROM_SIZE: Final = 0x0148
RAM_SIZE: Final = 0x0149
HEADER_CHECKSUM: Final = 0x014D
GLOBAL_CHECKSUM: Final = 0x014E
HEADER_END: Final = 0x0150
_SUMMED: Final = range(0x0134, HEADER_CHECKSUM)


def header_checksum(rom: bytes | bytearray) -> int:
    """Sum the header the way the console does."""
    total = 0
    for address in _SUMMED:
        total = (total - rom[address] - 1) & 0xFF
    return total


def global_checksum(rom: bytes | bytearray) -> int:
    """Sum all bytes of the image but the two that hold the sum."""
    return (sum(rom) - rom[GLOBAL_CHECKSUM] - rom[GLOBAL_CHECKSUM + 1]) & 0xFFFF


def write_header(rom: bytearray, *, start: int, title: str, cart_type: int, ram_code: int) -> None:
    """Fill in the header of an image in place; its length gives the ROM size code."""
    rom[ENTRY:RESERVED_START] = bytes([0x00, 0xC3, start & 0xFF, start >> 8])
    name_length = len(PROJECT_NAME_AREA)
    rom[PROJECT_NAME_AREA.start : PROJECT_NAME_AREA.stop] = PROJECT_NAME.ljust(name_length, b"\0")
    rom[TITLE.start : TITLE.stop] = title.encode("ascii").ljust(len(TITLE), b"\0")
    rom[CART_TYPE] = cart_type
    rom[ROM_SIZE] = (len(rom) // 0x8000).bit_length() - 1
    rom[RAM_SIZE] = ram_code
    rom[HEADER_CHECKSUM] = header_checksum(rom)
    rom[GLOBAL_CHECKSUM:HEADER_END] = global_checksum(rom).to_bytes(2, "big")
