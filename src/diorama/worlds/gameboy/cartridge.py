"""Cartridge images: what may be loaded, which mapper they need, how much RAM they carry."""

import warnings
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.storage.artifact_files import read_named
from diorama.worlds.gameboy.assembler import header
from diorama.worlds.gameboy.errors import CartridgeError, UnsupportedCartridge

BANK_BYTES: Final = 0x4000
LEAST_BYTES: Final = 0x8000
MOST_BYTES: Final = 0x80_0000  # the widest mapper selects 512 banks
RAM_BYTES: Final = {0: 0, 1: 0x800, 2: 0x2000, 3: 0x8000, 4: 0x2_0000, 5: 0x1_0000}
CGB_ONLY: Final = 0xC0


class MbcKind(StrEnum):
    """The mapper of a cartridge."""

    ROM_ONLY = "rom_only"
    MBC1 = "mbc1"
    MBC3 = "mbc3"
    MBC5 = "mbc5"


_KINDS: Final[dict[int, MbcKind]] = {
    **dict.fromkeys((0x00, 0x08, 0x09), MbcKind.ROM_ONLY),
    **dict.fromkeys((0x01, 0x02, 0x03), MbcKind.MBC1),
    **dict.fromkeys((0x0F, 0x10, 0x11, 0x12, 0x13), MbcKind.MBC3),
    **dict.fromkeys((0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E), MbcKind.MBC5),
}
_WITH_RAM: Final = frozenset((0x02, 0x03, 0x08, 0x09, 0x10, 0x12, 0x13, 0x1A, 0x1B, 0x1D, 0x1E))
_WITH_CLOCK: Final = frozenset((0x0F, 0x10))
_WITH_RUMBLE: Final = frozenset((0x1C, 0x1D, 0x1E))


@dataclass(frozen=True, kw_only=True)
class Cartridge:
    """A loaded image. `rom` is padded to a power of two; `sha256` is of the file as it was given."""

    rom: bytes
    sha256: str
    title: str
    type_code: int
    kind: MbcKind
    ram_bytes: int

    @property
    def rom_banks(self) -> int:
        """Banks of 16 KiB, a power of two; bank numbers are masked with one less."""
        return len(self.rom) // BANK_BYTES

    @property
    def has_clock(self) -> bool:
        """Whether the mapper has a real-time clock."""
        return self.type_code in _WITH_CLOCK

    @property
    def has_rumble(self) -> bool:
        """Whether a bit of the RAM bank drives a motor instead."""
        return self.type_code in _WITH_RUMBLE

    @cached_property
    def has_wide_banks(self) -> bool:
        """Whether an MBC3 takes 8 bits of ROM bank: more than 128 ROM banks or more than 4 RAM banks."""
        return self.kind is MbcKind.MBC3 and (self.rom_banks > 128 or self.ram_bytes > 4 * 0x2000)


def load_cartridge(path: Path, *, allow_bad_checksum: bool = False) -> Cartridge:
    """Read a cartridge image from a file.

    Raises:
        CartridgeError: If the file cannot be read, or is no cartridge image.
        UnsupportedCartridge: If it needs hardware that is not emulated.
    """
    try:
        data = read_named(path, most_bytes=MOST_BYTES)
    except (UnknownName, DocumentError) as error:
        raise CartridgeError(f"{path}: {str(error).removeprefix(str(path)).lstrip(': ')}") from None
    return parse_cartridge(data, name=str(path), allow_bad_checksum=allow_bad_checksum)


def parse_cartridge(data: bytes, *, name: str = "the ROM", allow_bad_checksum: bool = False) -> Cartridge:
    """Check an image and read its header.

    Args:
        data: The file's bytes. Where their number is no power of two they are padded with `$FF`, with a warning.
        name: What to call the image in messages.
        allow_bad_checksum: Load it even if the header checksum is wrong.

    Raises:
        CartridgeError: If size, RAM code or checksum are wrong.
        UnsupportedCartridge: If it needs hardware that is not emulated.
    """
    _check_size(len(data), name)
    type_code = data[header.CART_TYPE]
    _check_checksum(data, name, allow=allow_bad_checksum)
    if data[header.CGB_FLAG] & CGB_ONLY == CGB_ONLY:
        raise UnsupportedCartridge(
            f"{name}: runs on color consoles only (byte $0143 is ${data[header.CGB_FLAG]:02X}); "
            "monochrome cartridges and those that run on both are supported"
        )
    if type_code not in _KINDS:
        raise UnsupportedCartridge(
            f"{name}: cartridge type ${type_code:02X} is not emulated; supported are {_type_list()}"
        )
    rom = _pad(data, name)
    return Cartridge(
        rom=rom,
        sha256=sha256(data).hexdigest(),
        title=_title(data),
        type_code=type_code,
        kind=_KINDS[type_code],
        ram_bytes=_ram_bytes(data[header.RAM_SIZE], type_code, name),
    )


def _check_size(size: int, name: str) -> None:
    if size > MOST_BYTES:
        raise CartridgeError(f"{name}: is too long; the largest cartridge has {MOST_BYTES} bytes")
    if size < BANK_BYTES or size % BANK_BYTES:
        raise CartridgeError(
            f"{name}: has {size} bytes; a cartridge image has a multiple of {BANK_BYTES}, at least one"
        )


def _check_checksum(data: bytes, name: str, *, allow: bool) -> None:
    stored, computed = data[header.HEADER_CHECKSUM], header.header_checksum(data)
    if stored != computed and not allow:
        raise CartridgeError(
            f"{name}: the header checksum at $014D is ${stored:02X} and should be ${computed:02X}; the file is damaged "
            "or no cartridge image (allow_bad_checksum loads it all the same)"
        )


def _ram_bytes(code: int, type_code: int, name: str) -> int:
    if code not in RAM_BYTES:
        raise CartridgeError(f"{name}: RAM size code ${code:02X} at $0149 means nothing; codes are 0 to 5")
    return RAM_BYTES[code] if type_code in _WITH_RAM else 0


def _pad(data: bytes, name: str) -> bytes:
    size = max(LEAST_BYTES, 1 << (len(data) - 1).bit_length())
    if size != len(data):
        warnings.warn(f"{name}: padded from {len(data)} to {size} bytes with $FF", stacklevel=3)
    return data.ljust(size, b"\xff")


def _title(data: bytes) -> str:
    text = data[header.TITLE.start : header.TITLE.stop].partition(b"\0")[0].decode("ascii", "replace")
    return "".join(letter if letter.isprintable() else "?" for letter in text).strip()


def _type_list() -> str:
    return ", ".join(f"${code:02X}" for code in sorted(_KINDS))
