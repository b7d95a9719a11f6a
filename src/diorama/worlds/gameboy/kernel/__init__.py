"""The generated kernel of gameboy: one module from the instruction table, compiled by Warp or interpreted."""

from diorama.worlds.gameboy.kernel.py_lanes import PyLanes
from diorama.worlds.gameboy.kernel.warp_lanes import WarpLanes

__all__ = ["PyLanes", "WarpLanes"]
