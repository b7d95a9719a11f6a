"""The project's assembler: programs in, cartridge images out, the same bytes every time."""

from diorama.worlds.gameboy.assembler.program import Asm

__all__ = ["Asm"]
