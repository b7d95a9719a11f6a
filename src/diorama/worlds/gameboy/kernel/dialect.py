"""Names that the parts of the kernel are written in, typed for the checker.

Parts are plain Python in the subset that Warp compiles. Nothing here runs: the generator reads the parts as syntax
trees, replaces build options by their values and `m.<field>[lane]` by a place in the table of scalars, and prints one
module. Rules for parts: whole numbers only, explicit masks, no host calls; nothing is returned from inside a loop.
"""

from collections.abc import Callable, MutableSequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

# Build options; the generator replaces them by whole numbers and drops the branches they rule out.
MBC_KIND: int = 0
OBS_FORMAT: int = 0
TILED: int = 0
HAS_RTC: int = 0
STEPPED: int = 0
WATCH_COUNT: int = 0
FLAT: int = 0
MAX_INSTR: int = 0
BREAK_AT: int = -1
BREAK_ON_WRITE: int = -1

ROM_ONLY, MBC1, MBC3, MBC5 = 0, 1, 2, 3
NO_PICTURE, SHADE_FULL, SHADE_HALF, PACKED2 = 0, 1, 2, 3

Ints = MutableSequence[int]
Address = Any  # where an array of 32-bit numbers begins
Bytes = MutableSequence[int]
ByteTable = Any  # uint8 (lanes, bytes)
FloatTable = Any  # float32 (lanes, numbers)


class Machine:
    """All lanes of a batch: one scalar table, memory, and what the cartridge fixes for everybody.

    Every canonical and working field is there under its own name, one number per lane.
    """

    st: Any  # int32 [field, lane]: canonical scalars, then working fields
    wide: Any  # int64: cycle_count, instr_count, frame_count, each of all lanes
    mem: Bytes  # the ROM, its copies under the boot stub, then the memory of all lanes
    cram: Bytes
    serial: Bytes
    picture: Bytes
    ram_start: int  # where the memory of lane 0 begins in `mem`
    boot_start: int  # where the first low bank under the boot stub begins
    bank_mask: int
    ram_bytes: int
    cram_stride: int
    bank1_mask: int  # bits of the low ROM bank register of MBC3
    lanes: int  # columns of `wide`
    picture_stride: int
    bank2_mask: int  # bits of the RAM bank register of MBC5

    def __getattr__(self, field: str) -> Ints:
        """Name a field."""
        raise NotImplementedError


def out_of_line(function: F) -> F:
    """Mark a function that is too large to be copied to where it is called."""
    return function


def in_line(function: F) -> F:
    """Mark a function that is always copied to where it is called."""
    return function


def kernel(function: F) -> F:
    """Mark an entry point: one thread per lane, or per piece of one."""
    return function


def tid() -> int:
    """Number of this thread."""
    raise NotImplementedError


def uint8(value: int) -> int:
    """Store a number as a byte."""
    raise NotImplementedError


def int64(value: int) -> int:
    """Widen a number."""
    raise NotImplementedError


def float32(value: int) -> float:
    """Make a float of a number."""
    raise NotImplementedError


def EXECUTE(*seen: int) -> None:
    """Stand where the generator puts the bodies of the instructions, which see these and other variables."""
