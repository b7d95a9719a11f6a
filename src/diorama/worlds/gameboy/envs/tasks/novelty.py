"""Novelty: has a lane seen this combination of bytes since it was last told to forget?"""

from typing import Final

from diorama.snapshots import check_bounds
from diorama.worlds.gameboy.envs.arrays import Array, Library

MOST_KEYS: Final = 4
_FACTORS: Final = (73856093, 19349663, 83492791, 536870909)
_EPOCHS: Final = 1 << 16  # an epoch is a 16-bit number; fresh cells hold 0, so that no epoch is 0


class NoveltyTable:
    """For each lane a table of cells and an epoch; a cell is known when it holds the lane's epoch."""

    def __init__(self, lanes: int, size: int, library: Library) -> None:
        """Begin with nothing known; `size` is a power of two."""
        self._library = library
        self.size = size
        self._rows = library.arange(lanes)
        self._highest_epoch = 1  # of any lane, at most; known without looking at the lanes
        self.cells = library.zeros((lanes, size), "int16")
        self.epochs = library.zeros((lanes,), "int16") + library.constant(1, "int16")

    def index(self, keys: list[Array]) -> Array:
        """Cell of each lane's keys, int32 each, in wrapping 32-bit arithmetic."""
        mixed = keys[0] * _FACTORS[0]
        for key, factor in zip(keys[1:], _FACTORS[1:], strict=False):
            mixed = mixed ^ (key * factor)
        return mixed & (self.size - 1)

    def visit(self, keys: list[Array]) -> Array:
        """Say for each lane whether the keys are new, and remember them."""
        places = self.index(keys)
        is_new = self.cells[self._rows, places] != self.epochs
        self.cells[self._rows, places] = self.epochs
        return is_new

    def forget(self, lanes: Array) -> None:
        """Make everything new again for the lanes where the mask is true."""
        self.epochs = self.epochs + self._library.cast(lanes, "int16")
        self._highest_epoch += 1
        if self._highest_epoch >= _EPOCHS:
            self._clear_wrapped()

    def _clear_wrapped(self) -> None:
        """Clear the tables of lanes whose epochs are used up, and begin their epochs again at 1."""
        wrapped = self.epochs == 0
        self.cells[wrapped] = 0
        self.epochs[wrapped] = 1
        self._highest_epoch = int((self._library.cast(self.epochs, "int32") & (_EPOCHS - 1)).max())

    def known(self, lane: int) -> list[int]:
        """Cells a lane knows, in order."""
        places: list[int] = (self.cells[lane] == self.epochs[lane]).nonzero()[0].tolist()
        return places

    def load(self, lane: int, known: list[int]) -> None:
        """Make a lane know exactly these cells; its epochs begin again, which nobody can tell.

        Raises:
            SnapshotError: There is no such cell.
        """
        if known:
            check_bounds("the novelty table", [("a cell", cell, 0, self.size - 1) for cell in (min(known), max(known))])
        self.cells[lane] = 0
        self.epochs[lane] = 1
        self.cells[lane, known] = 1
