"""What is known about a ROM besides its bytes."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from diorama.worlds.gameboy.boot import BootMode


class Profile(StrEnum):
    """How a ROM is compared with the oracle; the verification harness says what each one compares."""

    EXACT = "exact"
    SETTLED = "settled"
    FRAMES = "frames"
    SELFCHECK = "selfcheck"


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroRom:
    """A ROM that tests one thing.

    `signature` is the stretch of memory that shows that the program did its work: it must come out non-zero. A ROM
    of profile `selfcheck` judges itself and leaves its verdict at `library.RESULT`; where it needs keys, `script` has
    the actions that bring it there. `selected` are the addresses at which the keys were selected and not yet read: the
    oracle has looked at them already there, so that keys that change at such a moment are seen by one side only.
    """

    name: str
    profiles: tuple[Profile, ...]
    purpose: str
    assemble: Callable[[], bytes]
    boot: BootMode = BootMode.STUB_LCD
    signature: range = range(0xC000, 0xC020)
    script: tuple[int, ...] = ()
    selected: range = range(0)
