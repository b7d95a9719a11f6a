"""`Consoles`: what a world offers whose copies are machines that run programs, to be played key by key."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from diorama.contracts.values import JsonObject


class ProgramSource(StrEnum):
    """Where a program comes from."""

    GAME = "game"  # comes with the world, made to be played
    TEST = "test"  # comes with the world, made to test the machine
    FOLDER = "folder"  # a file of the folder the server was given


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleProgram:
    """A program that can be put into a console, or could but for its problem.

    Attributes:
        id: Names it among the programs; of a file its path below the folder, with forward slashes.
        title: What it calls itself.
        source: Where it comes from.
        hardware: What the machine needs besides itself to run it, such as a mapper; empty where that is unknown.
        size_bytes: Size of its image.
        about: One sentence, if there is any.
        problem: Why it cannot be run; None if it can.
        config: Configuration of the world in which agents play it; None where there is none.
    """

    id: str
    title: str
    source: ProgramSource
    hardware: str
    size_bytes: int
    about: str = ""
    problem: str | None = None
    config: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleRegister:
    """A number inside a machine; `digits` hexadecimal digits show it in full."""

    group: str
    name: str
    value: int
    digits: int
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleLine:
    """An instruction in memory; `is_next` for the one that runs next."""

    address: int
    data: bytes
    text: str
    is_next: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleObject:
    """Something that is drawn apart from the background; its corner may lie outside of the screen."""

    index: int
    x: int
    y: int
    tile: int
    attributes: int
    is_on_screen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSheet:
    """Four shades per pixel, four pixels per byte, the leftmost in the lowest bits."""

    rows: int
    columns: int
    packed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleInspection:
    """What can be seen inside of a machine that stands between two frames."""

    registers: tuple[ConsoleRegister, ...]
    lines: tuple[ConsoleLine, ...]
    tiles: ConsoleSheet
    objects: tuple[ConsoleObject, ...]
    serial_text: str


class Console(Protocol):
    """One machine with one program; not thread-safe."""

    @property
    def frame_count(self) -> int:
        """Frames since it was switched on."""

    @property
    def trap(self) -> str | None:
        """Why the machine has stopped for good, in words; None while it runs."""

    def run(self, keys: int, frames: int) -> None:
        """Run frames while exactly these keys are held, one bit for each of `Consoles.keys`."""

    def picture(self) -> bytes:
        """Return the last frame: `Consoles.rows` by `Consoles.columns` pixels, packed as in `ConsoleSheet`."""

    def restart(self) -> None:
        """Switch it off and on again."""

    def save(self) -> bytes:
        """Return its complete state."""

    def load(self, data: bytes) -> None:
        """Go on from a saved state, of which the picture is shown at once.

        Raises:
            SnapshotError: The bytes are no state of this machine with this program.
            DocumentError: They were made under another convention.
        """

    def inspect(self) -> ConsoleInspection:
        """Return what can be seen inside."""


class Consoles(Protocol):
    """The machines of a world."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the keys, at most 8, in the order of their bits."""

    @property
    def rows(self) -> int:
        """Height of the picture."""

    @property
    def columns(self) -> int:
        """Width of the picture, a multiple of 4."""

    @property
    def frame_seconds(self) -> float:
        """How long a frame takes on the real machine."""

    @property
    def state_suffix(self) -> str:
        """How names of files with saved states end, such as `.state`."""

    def programs(self, folder: Path | None) -> Sequence[ConsoleProgram]:
        """Return what can be run: games first, then the files of the folder, then tests."""

    def open(self, program_id: str, folder: Path | None) -> Console:
        """Switch on a machine with a program.

        Raises:
            UnknownName: There is no such program.
            ConfigError: It cannot be run, with the reason.
            TierUnavailable: No machine runs here.
        """
