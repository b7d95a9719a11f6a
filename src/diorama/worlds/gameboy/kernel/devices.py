"""Where lanes live: what the host asks of a device, and the device that is this interpreter."""

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import U8
from diorama.worlds.gameboy.kernel.cache import load_module, stored_module
from diorama.worlds.gameboy.kernel.fields import FIRST_NUMBER, HEADER, TILE
from diorama.worlds.gameboy.kernel.options import BuildOptions
from diorama.worlds.gameboy.kernel.shim import Interpreted, Table

Array = Any  # an array of the device; only the device looks inside
Ints64 = NDArray[np.int64]


class Device(Protocol):
    """Memory and launches. Arrays and tables begin with zeros."""

    @property
    def jit_seconds(self) -> float:
        """How long compiling or loading the module took."""

    @property
    def module(self) -> ModuleType:
        """The generated module."""

    def scalar_table(self, rows: int, lanes: int) -> Array:
        """Make the table of 32-bit scalars, with room for its header."""

    def counter_table(self, rows: int, lanes: int) -> Array:
        """Make the table of 64-bit counters."""

    def byte_table(self, rows: int, columns: int) -> Array:
        """Make a table of bytes."""

    def float_table(self, rows: int, columns: int) -> Array:
        """Make a table of 32-bit floats."""

    def byte_array(self, size: int) -> Array:
        """Make an array of bytes."""

    def int_array(self, size: int) -> Array:
        """Make an array of 32-bit numbers."""

    def pointer(self, array: Array) -> Any:
        """Give what a machine holds of an array; the caller keeps the array alive."""

    def put_header(self, table: Array, addresses: Sequence[Any], numbers: Sequence[int]) -> None:
        """Write the addresses of arrays, and behind them numbers, before a table."""

    def fill(self, array: Array, values: NDArray[Any]) -> None:
        """Replace all of an array."""

    def bytes_of(self, array: Array, start: int, count: int) -> U8:
        """Copy a stretch of bytes."""

    def put_bytes(self, array: Array, start: int, values: U8) -> None:
        """Replace a stretch of bytes."""

    def column(self, table: Array, column: int) -> Ints64:
        """Copy a lane's numbers."""

    def put_column(self, table: Array, column: int, values: Ints64) -> None:
        """Replace a lane's numbers, or as many as there are values."""

    def row(self, table: Array, row: int) -> Ints64:
        """Copy a number of every lane."""

    def put_row(self, table: Array, row: int, values: Ints64) -> None:
        """Replace a number of every lane."""

    def host(self, table: Array) -> NDArray[Any]:
        """Copy a table of bytes or floats."""

    def launch(self, kernel: str, threads: int, arguments: Sequence[Any]) -> None:
        """Run a kernel of the module; what was launched before comes first."""


class InterpreterDevice:
    """The generated module as plain Python: slow, without a compiler, and open to a debugger."""

    jit_seconds = 0.0

    def __init__(self, options: BuildOptions) -> None:
        """Load the module of a build."""
        self.module, self._wp = _interpreted(options)

    def scalar_table(self, rows: int, lanes: int) -> Table:
        """Make the table of scalars."""
        return Table(rows, lanes, tile=TILE, header=HEADER)

    def counter_table(self, rows: int, lanes: int) -> Table:
        """Make the table of counters; Python's numbers know no width."""
        return Table(rows, lanes, tile=lanes, header=0)

    def byte_table(self, rows: int, columns: int) -> U8:
        """Make a table of bytes."""
        return np.zeros((rows, columns), np.uint8)

    def float_table(self, rows: int, columns: int) -> NDArray[np.float32]:
        """Make a table of floats."""
        return np.zeros((rows, columns), np.float32)

    def byte_array(self, size: int) -> bytearray:
        """Make an array of bytes."""
        return bytearray(size)

    def int_array(self, size: int) -> list[int]:
        """Make an array of numbers."""
        return [0] * size

    def pointer(self, array: Array) -> Array:
        """Give the array itself."""
        return array

    def put_header(self, table: Table, addresses: Sequence[Any], numbers: Sequence[int]) -> None:
        """Write the arrays themselves and the numbers."""
        table[: len(addresses)] = addresses
        table[FIRST_NUMBER : FIRST_NUMBER + len(numbers)] = numbers

    def fill(self, array: list[int] | bytearray, values: NDArray[Any]) -> None:
        """Replace all of an array."""
        array[:] = values.tolist()

    def bytes_of(self, array: bytearray, start: int, count: int) -> U8:
        """Copy a stretch of bytes."""
        return np.frombuffer(bytes(array[start : start + count]), np.uint8).copy()

    def put_bytes(self, array: bytearray, start: int, values: U8) -> None:
        """Replace a stretch of bytes."""
        array[start : start + len(values)] = values.tobytes()

    def column(self, table: Table, column: int) -> Ints64:
        """Copy a lane's numbers."""
        return np.array(table[table.column(column, table.rows)], np.int64)

    def put_column(self, table: Table, column: int, values: Ints64) -> None:
        """Replace a lane's numbers, or as many as there are values."""
        table[table.column(column, len(values))] = values.tolist()

    def row(self, table: Table, row: int) -> Ints64:
        """Copy a number of every lane."""
        return np.array([table[table.column(lane, row + 1)][row] for lane in range(table.lanes)], np.int64)

    def put_row(self, table: Table, row: int, values: Ints64) -> None:
        """Replace a number of every lane."""
        for lane, value in enumerate(values.tolist()):
            table[table.column(lane, row + 1).start + row * table.tile] = value

    def host(self, table: NDArray[Any]) -> NDArray[Any]:
        """Give the table itself."""
        return table

    def launch(self, kernel: str, threads: int, arguments: Sequence[Any]) -> None:
        """Play one thread after another."""
        function = vars(self.module)[kernel]
        for thread in range(threads):
            self._wp.play(thread)
            function(*arguments)


@lru_cache(maxsize=16)
def _interpreted(options: BuildOptions) -> tuple[ModuleType, Interpreted]:
    """Load a build once for the whole process."""
    wp = Interpreted()
    return load_module(stored_module(options), wp, name="interpreted"), wp
