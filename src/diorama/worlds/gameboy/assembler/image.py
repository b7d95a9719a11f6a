"""The image of a cartridge while pieces are written into it; no byte is written twice."""

from typing import Final

from diorama.worlds.gameboy.assembler.pieces import Placed, SourceLine
from diorama.worlds.gameboy.errors import AssemblyError

BANK_BYTES: Final = 0x4000


class Image:
    """Zeros, and what was written so far."""

    def __init__(self, *, banks: int) -> None:
        """Begin with nothing but zeros."""
        self.data = bytearray(banks * BANK_BYTES)
        self._written: list[tuple[int, int, SourceLine]] = []

    def write(self, placed: Placed, data: bytes) -> None:
        """Put bytes where they belong.

        Raises:
            AssemblyError: If they run out of the bank or hit bytes that are taken.
        """
        offset = placed.address % BANK_BYTES
        if (
            offset + len(data) > BANK_BYTES
            or placed.address >= 2 * BANK_BYTES
            or (placed.bank == 0) != (placed.address < BANK_BYTES)
        ):
            raise AssemblyError(str(placed.line), f"bank {placed.bank} is full: ${placed.address:04X} is past its end")
        start = placed.bank * BANK_BYTES + offset
        self._claim(start, start + len(data), placed)
        self.data[start : start + len(data)] = data

    def _claim(self, start: int, end: int, placed: Placed) -> None:
        """Note who owns a stretch; pieces that follow one another grow the last stretch."""
        for other_start, other_end, line in self._written:
            if start < other_end and other_start < end:
                raise AssemblyError(str(placed.line), f"overlaps what {line} has placed at ${placed.address:04X}")
        last = self._written[-1] if self._written else None
        if last is not None and last[1] == start:
            self._written[-1] = (last[0], end, last[2])
        elif end > start:
            self._written.append((start, end, placed.line))
