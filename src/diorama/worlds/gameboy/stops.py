"""One console of the native tier that can be stopped: by a budget, at an address, or by a write."""

from typing import TYPE_CHECKING

from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode, boot_stub

if TYPE_CHECKING:
    from diorama._native import GameboyLanes


def open_stoppable(rom: bytes, *, boot: BootMode = BootMode.STUB_LCD) -> "GameboyLanes":
    """Switch a console on whose `set_stops` sets what ends it.

    `max_instr` is trap 2 before the instruction that would be one more since power-on; `break_at` is trap 3 before the
    instruction at an address, unless the console stands there already; `watch_write` is trap 3 after the instruction or
    dispatch that wrote to an address. Setting stops anew, or none, sends a stopped console on.
    """
    stub = None if boot is BootMode.POST else boot_stub(boot)
    opened: GameboyLanes = load_native().GameboyLanes(rom, 1, boot=stub)
    return opened
