"""`CONSOLES`: the consoles of this world, as the platform sees them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.consoles import Console, ConsoleProgram, Consoles
from diorama.worlds.gameboy.console.player import KEYS, LaneConsole
from diorama.worlds.gameboy.console.shelf import list_programs, read_program

_CLOCK_HZ: Final = 4_194_304
_FRAME_CYCLES: Final = 70_224


class GameboyConsoles:
    """Consoles on the native tier."""

    keys: Final = KEYS
    rows: Final = 144
    columns: Final = 160
    frame_seconds: Final = _FRAME_CYCLES / _CLOCK_HZ
    state_suffix: Final = ".gbst"

    def programs(self, folder: Path | None) -> Sequence[ConsoleProgram]:
        """Return the games of the package, the ROMs of the folder and the micro-ROMs."""
        return list_programs(folder)

    def open(self, program_id: str, folder: Path | None) -> Console:
        """Switch on a console with a ROM.

        Raises:
            UnknownName: There is no such ROM.
            CartridgeError: It cannot be loaded.
            TierUnavailable: The native core does not load.
        """
        return LaneConsole(*read_program(program_id, folder))


CONSOLES: Final[Consoles] = GameboyConsoles()
