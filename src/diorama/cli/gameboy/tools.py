"""Assembler, disassembler and the list of ROMs for the command line."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from diorama.cli.gameboy.rom_argument import parse_address
from diorama.contracts.errors import ConfigError
from diorama.storage.atomic_files import replace_file
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.header import TITLE
from diorama.worlds.gameboy.assembler.library import ROUTINES, include
from diorama.worlds.gameboy.cartridge import BANK_BYTES
from diorama.worlds.gameboy.disassembler import disassemble
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, TASK_ROMS
from diorama.worlds.gameboy.roms.manifest import write_roms

_ROM_END: Final = 0x8000


def assemble_file(
    source: Path,
    *,
    out: Path | None,
    title: str | None,
    cart_type: str,
    rom_banks: int,
    ram_code: int,
    library: tuple[str, ...],
) -> str:
    """Assemble a file and write the image; returns the line to print.

    Raises:
        ConfigError: If the file cannot be read, or there is no such routine.
        AssemblyError: If the program has a mistake; the message begins with its line.
    """
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise ConfigError(f"{source}: cannot be read ({reason})") from None
    rom = out or source.with_suffix(".gb")
    if rom.exists() and rom.samefile(source):
        raise ConfigError(f"{source} would be overwritten by its own ROM; name another file with --out")
    unknown = [name for name in library if name not in ROUTINES]
    if unknown:
        raise ConfigError(f"--library {unknown[0]!r} is unknown; there are: {', '.join(sorted(ROUTINES))}")
    kind = parse_address("--cart-type", cart_type) or 0
    if kind > 0xFF:
        raise ConfigError(f"--cart-type {cart_type!r} is no byte")
    a = Asm(_title(source, title), cart_type=kind, rom_banks=rom_banks, ram_code=ram_code)
    a(text)
    include(a, *library)
    image = a.build()
    replace_file(rom, image)
    return f"{rom}: {len(image):,} bytes"


def _title(source: Path, title: str | None) -> str:
    if title is not None:
        return title
    letters = "".join(letter for letter in source.stem.upper() if letter.isascii() and letter.isalnum())
    return letters[: len(TITLE)] or "PROGRAM"


def listing(rom: RomUnderTest, *, start: str, bank: int, count: int) -> Iterator[str]:
    """Disassemble a stretch of a ROM, a line per instruction.

    Raises:
        ConfigError: If there is no such bank, or the address is not in the ROM.
    """
    first = parse_address("--start", start) or 0
    banks = rom.cartridge.rom_banks
    if first >= _ROM_END:
        raise ConfigError(f"--start {start!r} is not in the ROM; its addresses are $0000 to $7FFF")
    if bank >= banks:
        raise ConfigError(f"--bank {bank} does not exist; the ROM has banks 0 to {banks - 1}")
    data = rom.cartridge.rom[:BANK_BYTES] + rom.cartridge.rom[bank * BANK_BYTES : (bank + 1) * BANK_BYTES]
    return (str(decoded) for decoded in islice(disassemble(data[first:], first), count))


def list_roms() -> None:
    """Print all ROMs of ours."""
    table = Table("ROM", "compared by", "what it is for", title="ROMs that come with Diorama", box=SIMPLE)
    for rom in MICRO_ROMS.values():
        table.add_row(rom.name, ", ".join(rom.profiles), rom.purpose)
    table.add_section()
    for task in TASK_ROMS.values():
        table.add_row(task.name, "game", task.purpose)
    Console().print(table)


def write_all_roms(folder: Path) -> str:
    """Write all ROMs of ours; returns the line to print."""
    written = write_roms(folder)
    return f"{folder}: {len(written) - 1} ROMs and {written[-1].name}"
