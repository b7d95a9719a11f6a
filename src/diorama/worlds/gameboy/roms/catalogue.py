"""All ROMs of the project by name."""

from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.worlds.gameboy.roms.cpu import arithmetic, bits, flow, loads, sweep, throughput
from diorama.worlds.gameboy.roms.io import dma, interrupts, joypad, serial_port, timer
from diorama.worlds.gameboy.roms.mappers import banks, clock, ram
from diorama.worlds.gameboy.roms.ppu import access, background, objects, requests, window
from diorama.worlds.gameboy.roms.rom import MicroRom
from diorama.worlds.gameboy.roms.tasks import catch, grid_goal, keydoor
from diorama.worlds.gameboy.roms.tasks.task import TaskRom

_MICRO_MODULES: Final = (
    *(throughput, loads, arithmetic, bits, flow, sweep),
    *(serial_port, timer, interrupts, joypad, dma),
    *(banks, ram, clock),
    *(background, window, objects, requests, access),
)
MICRO_ROMS: Final[dict[str, MicroRom]] = {rom.name: rom for module in _MICRO_MODULES for rom in module.ROMS}
TASK_ROMS: Final[dict[str, TaskRom]] = {rom.name: rom for module in (grid_goal, catch, keydoor) for rom in module.ROMS}


def rom_names() -> tuple[str, ...]:
    """Names of all ROMs, micro-ROMs first."""
    return (*MICRO_ROMS, *TASK_ROMS)


def assemble(name: str) -> bytes:
    """Build a ROM by its name; the same bytes every time.

    Raises:
        UnknownName: If there is no such ROM; the message lists all names.
    """
    rom = MICRO_ROMS.get(name) or TASK_ROMS.get(name)
    if rom is None:
        raise UnknownName.among("ROM", name, rom_names())
    return rom.assemble()
