"""ROMs on the command line: a file, or the name of one of ours."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from diorama.worlds.gameboy.harness.subjects import RomUnderTest


def complete_rom(incomplete: str) -> Iterator[str]:
    """Offer the names of our ROMs to the shell."""
    from diorama.worlds.gameboy.roms.catalogue import rom_names

    return (name for name in rom_names() if name.startswith(incomplete.upper()))


RomArgument = Annotated[
    str,
    typer.Argument(
        metavar="ROM",
        help="A ROM file (.gb), or the name of one that comes with Diorama ('diorama gameboy roms' lists them).",
        autocompletion=complete_rom,
    ),
]
BootOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="What runs before the ROM: stub_lcd (screen on), stub (screen off) or post (as after a real boot).",
        show_default="as the ROM asks for, else stub_lcd",
    ),
]


def find_rom(text: str, *, boot: str | None = None, name: str | None = None) -> "RomUnderTest":
    """Load a ROM that was named on the command line.

    Args:
        text: Path of a file, or name of a ROM of ours.
        boot: How it starts; as it asks for where None.
        name: What to call it; the file's name where None.

    Raises:
        UnknownName: If it is neither a file nor one of ours.
        ConfigError: If there is no such way to start.
        CartridgeError: If the file is no ROM that can be loaded.
    """
    from diorama.contracts.errors import ConfigError, UnknownName
    from diorama.contracts.near_names import hint
    from diorama.worlds.gameboy.boot import BootMode
    from diorama.worlds.gameboy.cartridge import load_cartridge
    from diorama.worlds.gameboy.harness.subjects import RomUnderTest
    from diorama.worlds.gameboy.roms.catalogue import MICRO_ROMS, assemble, rom_names

    path = Path(text)
    ours = text if text in rom_names() and not path.exists() else None
    if ours is None:
        if not path.is_file():
            raise UnknownName(
                f"no file and no ROM of ours is called {text!r}{hint(text, rom_names())}; "
                "'diorama gameboy roms' lists ours, such as GRID_GOAL"
            )
        load_cartridge(path)  # checks it, with the path in the message
        image = path.read_bytes()
        ours = name if name in rom_names() else _catalogue_name(image, path.stem)
    else:
        image = assemble(ours)
    if boot is not None and boot not in list(BootMode):
        raise ConfigError(f"boot mode {boot!r} is unknown; there are: {', '.join(BootMode)}")
    micro = MICRO_ROMS.get(ours or "")
    default = BootMode.STUB_LCD if micro is None else micro.boot
    return RomUnderTest(
        name=ours or name or path.stem,
        image=image,
        boot=default if boot is None else BootMode(boot),
        is_free=ours is not None,
        selected=range(0) if micro is None else micro.selected,
    )


def _catalogue_name(image: bytes, stem: str) -> str | None:
    """The name under which we ship this image, if a file that is called so has our bytes."""
    from diorama.worlds.gameboy.roms.catalogue import assemble, rom_names

    is_ours = stem in rom_names() and sha256(assemble(stem)).digest() == sha256(image).digest()
    return stem if is_ours else None


def parse_address(option: str, text: str | None) -> int | None:
    """Read `$0150`, `0x150` or `336` as an address.

    Raises:
        ConfigError: If it is none.
    """
    from diorama.contracts.errors import ConfigError

    if text is None:
        return None
    try:
        value = int(text.removeprefix("$"), 16) if text.startswith("$") else int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value <= 0xFFFF:
        raise ConfigError(f"{option} {text!r} is no address; write it like '$0150', 0x0150 or 336")
    return value
