"""Ways to build the kernel for a GPU."""

from dataclasses import dataclass

from diorama.worlds.gameboy.kernel.options import Layout, Style
from diorama.worlds.gameboy.kernel.warp_device import DEFAULT_BLOCK
from diorama.worlds.gameboy.kernel.warp_lanes import CUDA_BUILD


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBuild:
    """One way; what is left out is the default of `warp_cuda`."""

    style: Style = CUDA_BUILD.style
    layout: Layout = CUDA_BUILD.layout
    max_registers: int = CUDA_BUILD.max_registers
    block: int = DEFAULT_BLOCK

    def __str__(self) -> str:
        """Return what tables and reports call it."""
        registers = f"{self.max_registers} registers" if self.max_registers else "any registers"
        return f"{self.style} {self.layout}, {registers}, blocks of {self.block}"
