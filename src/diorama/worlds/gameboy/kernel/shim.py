"""Stand-ins for the few names of Warp that a generated module uses, so that plain Python can run it."""

import operator
from collections.abc import Callable
from threading import local
from typing import Any


class Table(list[Any]):
    """Whole numbers of lanes: tiles of 32 lanes, in each one row per field, and room for other things before them."""

    def __init__(self, rows: int, lanes: int, *, tile: int, header: int) -> None:
        """Begin with zeros."""
        super().__init__([0] * (header + -(-lanes // tile) * rows * tile))
        self.rows = rows
        self.lanes = lanes
        self.tile = tile
        self.header = header

    def column(self, lane: int, rows: int) -> slice:
        """Places of a lane's first numbers."""
        first = self.header + lane // self.tile * self.rows * self.tile + lane % self.tile
        return slice(first, first + rows * self.tile, self.tile)


class Interpreted:
    """What a generated module knows as `wp`."""

    int32 = int64 = uint64 = int
    float32 = float

    def __init__(self) -> None:
        """Begin with no thread; every thread of the host plays its own."""
        self._played = local()

    def play(self, thread: int) -> None:
        """Say which thread is being played."""
        self._played.number = thread

    def tid(self) -> int:
        """Number of the thread that is being played."""
        number: int = self._played.number
        return number

    @staticmethod
    def uint8(value: int) -> int:
        """Keep a byte."""
        return value & 0xFF

    @staticmethod
    def constant(value: int) -> int:
        """Name a number."""
        return value

    @staticmethod
    def array(dtype: object) -> object:
        """Stand for a type."""
        return dtype

    array2d = array

    @staticmethod
    def struct(cls: type) -> type:
        """Leave a class as it is."""
        return cls

    @staticmethod
    def func(function: Callable[..., Any] | None = None, *, inline: bool = True) -> Callable[..., Any]:
        """Leave a function as it is."""
        return (lambda marked: marked) if function is None else function

    @staticmethod
    def func_native(snippet: str) -> Callable[..., Any]:
        """Give what reads or writes a Python list where C++ reads or writes memory."""
        return lambda stub: operator.getitem if stub.__name__.startswith("get_") else operator.setitem

    @staticmethod
    def kernel(*, enable_backward: bool, cuda_max_registers: int = 0) -> Callable[..., Any]:
        """Leave a function as it is."""
        return lambda marked: marked

    @staticmethod
    def set_module_options(options: dict[str, object]) -> None:
        """Take no notice."""
