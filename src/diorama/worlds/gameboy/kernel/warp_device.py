"""A device that Warp compiles for: this processor, or a GPU. Warp is imported when one is first asked for."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import TierUnavailable
from diorama.contracts.values import U8
from diorama.worlds.gameboy.kernel.cache import load_module, stored_module
from diorama.worlds.gameboy.kernel.devices import Ints64
from diorama.worlds.gameboy.kernel.fields import FIRST_NUMBER, HEADER, TILE
from diorama.worlds.gameboy.kernel.options import BuildOptions

DEFAULT_BLOCK: Final = 64  # small blocks spread a batch evenly over multiprocessors
_LOADED: Final[dict[tuple[BuildOptions, str, int], tuple[ModuleType, float]]] = {}


def load_warp() -> Any:
    """Import Warp without a word on the terminal.

    Raises:
        TierUnavailable: If it is not installed.
    """
    try:
        wp = import_module("warp")
    except ImportError as error:
        raise TierUnavailable(f"Warp does not load ({error}); install it with 'pip install diorama[gpu]'") from None
    wp.config.log_level = wp.LOG_ERROR
    wp.init()
    return wp


@dataclass(frozen=True, slots=True)
class WarpTable:
    """Numbers of lanes: (tiles, rows, lanes of a tile), at the end of an array that begins with a header."""

    whole: Any
    numbers: Any
    lanes: int

    @property
    def tile(self) -> int:
        """Lanes whose numbers lie side by side."""
        lanes: int = self.numbers.shape[2]
        return lanes


class WarpDevice:
    """Memory and launches of one Warp device; a process compiles a build for a device once."""

    def __init__(self, options: BuildOptions, device: str, *, block: int = DEFAULT_BLOCK) -> None:
        """Compile the module of a build, or load what was compiled before.

        Raises:
            TierUnavailable: If Warp is not installed or knows no such device.
        """
        self.wp = load_warp()
        try:
            self.warp_device = self.wp.get_device(device)
        except (RuntimeError, ValueError) as error:
            raise TierUnavailable(f"Warp has no device {device!r} here ({error})") from None
        self._block = block
        self.stream: Any = None
        self.module, self.jit_seconds = self._load(options)

    def _load(self, options: BuildOptions) -> tuple[ModuleType, float]:
        place = (options, str(self.warp_device), self._block)
        if place not in _LOADED:
            started = time.perf_counter()
            # Warp keeps one binary per module and block size: modules of their own keep several in memory.
            module = load_module(stored_module(options), self.wp, name=f"warp_{self._block}")
            self.wp.load_module(module, device=self.warp_device, block_dim=self._block)
            _LOADED[place] = (module, time.perf_counter() - started)
        return _LOADED[place]

    def scalar_table(self, rows: int, lanes: int) -> WarpTable:
        """Make the table of scalars."""
        tiles = -(-lanes // TILE)
        whole = self._zeros(HEADER + tiles * rows * TILE, self.wp.int32)
        return WarpTable(whole, whole[HEADER:].reshape((tiles, rows, TILE)), lanes)

    def counter_table(self, rows: int, lanes: int) -> WarpTable:
        """Make the table of counters."""
        whole = self._zeros(rows * lanes, self.wp.int64)
        return WarpTable(whole, whole.reshape((1, rows, lanes)), lanes)

    def byte_table(self, rows: int, columns: int) -> Any:
        """Make a table of bytes."""
        return self._zeros((rows, columns), self.wp.uint8)

    def float_table(self, rows: int, columns: int) -> Any:
        """Make a table of 32-bit floats."""
        return self._zeros((rows, columns), self.wp.float32)

    def byte_array(self, size: int) -> Any:
        """Make an array of bytes."""
        return self._zeros(size, self.wp.uint8)

    def int_array(self, size: int) -> Any:
        """Make an array of 32-bit numbers."""
        return self._zeros(size, self.wp.int32)

    def _zeros(self, shape: int | tuple[int, int], dtype: object) -> Any:
        return self.wp.zeros(shape, dtype=dtype, device=self.warp_device)

    def pointer(self, array: Any) -> int:
        """Give the address of an array's memory."""
        address: int = array.whole.ptr if isinstance(array, WarpTable) else array.ptr
        return address

    def put_header(self, table: WarpTable, addresses: Sequence[int], numbers: Sequence[int]) -> None:
        """Write addresses and numbers, all of them as 32-bit pieces."""
        header = np.zeros(HEADER, np.int32)
        header[: 2 * len(addresses)] = np.array(addresses, np.uint64).view(np.int32)
        header[FIRST_NUMBER : FIRST_NUMBER + len(numbers)] = numbers
        table.whole[:HEADER].assign(header)

    def fill(self, array: Any, values: NDArray[Any]) -> None:
        """Replace all of an array."""
        array.assign(values)

    def bytes_of(self, array: Any, start: int, count: int) -> U8:
        """Copy a stretch of bytes."""
        if count == 0:
            return np.zeros(0, np.uint8)
        copied: U8 = np.array(array[start : start + count].numpy())
        return copied

    def put_bytes(self, array: Any, start: int, values: U8) -> None:
        """Replace a stretch of bytes."""
        if len(values):
            array[start : start + len(values)].assign(np.ascontiguousarray(values))

    def column(self, table: WarpTable, column: int) -> Ints64:
        """Copy a lane's numbers."""
        tile, place = divmod(column, table.tile)
        return np.array(table.numbers[tile, :, place].numpy(), np.int64)

    def put_column(self, table: WarpTable, column: int, values: Ints64) -> None:
        """Replace a lane's numbers, or as many as there are values."""
        tile, place = divmod(column, table.tile)
        self._put(table.numbers[tile, : len(values), place], values)

    def row(self, table: WarpTable, row: int) -> Ints64:
        """Copy a number of every lane."""
        return np.array(table.numbers[:, row].numpy(), np.int64).reshape(-1)[: table.lanes]

    def put_row(self, table: WarpTable, row: int, values: Ints64) -> None:
        """Replace a number of every lane."""
        rows = np.zeros((table.numbers.shape[0], table.tile), np.int64)
        rows.reshape(-1)[: len(values)] = values
        self._put(table.numbers[:, row], rows)

    def _put(self, view: Any, values: Ints64) -> None:
        dtype = self.wp.dtype_to_numpy(view.dtype)
        self.wp.copy(view, self.wp.array(values.astype(dtype), dtype=view.dtype, device=self.warp_device))

    def host(self, table: Any) -> NDArray[Any]:
        """Copy a table."""
        copied: NDArray[Any] = np.array(table.numpy())
        return copied

    def launch(self, kernel: str, threads: int, arguments: Sequence[Any]) -> None:
        """Run a kernel on the chosen stream, or the device's own."""
        self.wp.launch(
            vars(self.module)[kernel],
            dim=threads,
            inputs=list(arguments),
            device=self.warp_device,
            stream=self.stream,
            block_dim=self._block,
        )
