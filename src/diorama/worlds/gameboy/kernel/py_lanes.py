"""Backend `py`: the generated module interpreted, the readable tier of this world; for few lanes."""

import warnings
from collections.abc import Sequence
from typing import Final

from diorama.worlds.gameboy.cartridge import Cartridge, parse_cartridge
from diorama.worlds.gameboy.errors import CartridgeError
from diorama.worlds.gameboy.kernel.devices import InterpreterDevice
from diorama.worlds.gameboy.kernel.host_lanes import HostLanes
from diorama.worlds.gameboy.kernel.options import BuildOptions, for_cartridge

PLAIN_BUILD: Final = BuildOptions()


class PyLanes(HostLanes):
    """Lanes run by this interpreter, about ten thousand instructions a second."""

    def __init__(
        self,
        rom: bytes,
        lanes: int,
        *,
        threads: int = 1,
        boot: bytes | None = None,
        picture: str = "none",
        watch: Sequence[int] = (),
        cartridge_ram: bytes | None = None,
        allow_bad_checksum: bool = False,
        build: BuildOptions = PLAIN_BUILD,
    ) -> None:
        """Switch consoles on; `threads` is for backends that have any.

        Args:
            rom: The cartridge image.
            lanes: How many consoles.
            threads: Taken so that all backends are opened alike.
            boot: The boot stub; None starts as after a boot.
            picture: `none`, `shade_full`, `shade_half` or `packed2`.
            watch: Addresses of the watched bytes.
            cartridge_ram: What cartridge RAM holds at power-on.
            allow_bad_checksum: Load a ROM with a wrong header checksum too.
            build: Style, layout and debug traps; what the cartridge needs is added to it.

        Raises:
            ValueError: If the cartridge or a setting is refused.
        """
        cartridge = checked_cartridge(rom, allow_bad_checksum=allow_bad_checksum)
        options = for_cartridge(build, cartridge, picture=picture, watch_count=len(watch))
        super().__init__(
            InterpreterDevice(options),
            options,
            cartridge,
            lanes,
            boot=boot,
            watch=watch,
            cartridge_ram=cartridge_ram,
        )


def checked_cartridge(rom: bytes, *, allow_bad_checksum: bool) -> Cartridge:
    """Read a cartridge as the native core does: what it refuses is a `ValueError`, and padding is silent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return parse_cartridge(rom, allow_bad_checksum=allow_bad_checksum)
        except CartridgeError as error:
            raise ValueError(str(error)) from None
