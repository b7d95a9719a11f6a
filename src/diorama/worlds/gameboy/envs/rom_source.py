"""The cartridge a configuration names: one of the project's ROMs, or a file of the user's."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from diorama.worlds.gameboy.cartridge import MOST_BYTES, MbcKind, parse_cartridge
from diorama.worlds.gameboy.envs.user_paths import user_path
from diorama.worlds.gameboy.errors import CartridgeError
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS, assemble, rom_names

_SHOWN_NAMES: Final = tuple(TASK_ROMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RomSource:
    """A checked image. `name` is the project's name of it, or the file's without its ending."""

    name: str
    data: bytes
    sha256: str
    mbc_kind: MbcKind
    is_ours: bool


@lru_cache(maxsize=16)
def load_rom(rom: str, *, allow_bad_checksum: bool = False) -> RomSource:
    """Load the ROM of a configuration. Files are read once in a process.

    Raises:
        CartridgeError: If there is no such ROM, or the file is no cartridge image.
        UnsupportedCartridge: If it needs hardware that is not emulated.
    """
    is_ours = rom in rom_names()
    data = assemble(rom) if is_ours else _read(user_path(rom))
    cartridge = parse_cartridge(data, name=rom, allow_bad_checksum=allow_bad_checksum)
    name = rom if is_ours else Path(rom).stem
    return RomSource(name=name, data=data, sha256=cartridge.sha256, mbc_kind=cartridge.kind, is_ours=is_ours)


def _read(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise CartridgeError(
                f"{path}: there is no such ROM; give the path of a file, or the name of a ROM of the project "
                f"({', '.join(_SHOWN_NAMES)}, ...)"
            )
        # A cartridge has at most a few megabytes; nothing larger is taken into memory to find that out.
        with path.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise CartridgeError(f"{path}: cannot be read ({error.strerror or error})") from error
