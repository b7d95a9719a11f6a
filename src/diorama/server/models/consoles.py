"""Bodies and answers of consoles, and what travels over their sockets."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from diorama.server.models.base import Answer, JsonObject

ConsoleSpeed = Annotated[float, Field(ge=0.1, le=16.0)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ConsoleRow(Answer):
    """The consoles of a world."""

    world: str
    keys: list[str] = Field(description="Names of the keys in the order of their bits.")
    rows: int
    columns: int
    frame_seconds: float
    state_suffix: str = Field(description="How names of files with saved states end.")
    has_folder: bool = Field(description="Whether the server was given a folder of programs.")


class ConsoleList(Answer):
    """The worlds that have consoles."""

    consoles: list[ConsoleRow]


class ProgramRow(Answer):
    """A program that can be run on a console, or why it cannot."""

    id: str
    title: str
    source: Literal["game", "test", "folder"]
    hardware: str
    size_bytes: int
    about: str
    supported: bool
    problem: str | None = Field(description="Why it cannot be run; null if it can.")
    config: JsonObject | None = Field(description="The world's configuration in which agents play it.")


class ProgramList(Answer):
    """What can be run: games, then the files of the folder, then tests."""

    world: str
    programs: list[ProgramRow]


class OpenConsole(_Body):
    """Switches a console on."""

    world: str = Field(max_length=128, description="A world that has consoles.")
    program: str = Field(min_length=1, max_length=4096, description="Id of a program.")


class ConsoleState(Answer):
    """Where a console stands."""

    session_id: str = Field(description="32 hexadecimal digits.")
    world: str
    program: str
    frame_count: int
    trap: str | None = Field(description="Why the machine has stopped for good; null while it runs.")


class ConsoleClosed(Answer):
    """A console that is no more."""

    session_id: str
    deleted: Literal[True] = True


class RegisterRow(Answer):
    """A number inside a machine."""

    group: str
    name: str
    value: int
    digits: int = Field(description="Hexadecimal digits that show it in full.")
    meaning: str


class LineRow(Answer):
    """An instruction in memory."""

    address: int
    data: str = Field(description="Its bytes in hexadecimal.")
    text: str
    is_next: bool


class ObjectRow(Answer):
    """Something that is drawn apart from the background."""

    index: int
    x: int
    y: int
    tile: int
    attributes: int
    is_on_screen: bool


class SheetPicture(Answer):
    """Four shades per pixel, four pixels per byte, the leftmost in the lowest bits, as base64."""

    rows: int
    columns: int
    packed: str


class Inspection(Answer):
    """What can be seen inside of a machine between two frames."""

    session_id: str
    frame_count: int
    trap: str | None
    registers: list[RegisterRow]
    lines: list[LineRow]
    tiles: SheetPicture
    objects: list[ObjectRow]
    serial_text: str


class ConsoleCommand(_Body):
    """What a client sends over the socket; every field may be left out.

    Attributes:
        keys: The keys that are held from now on, one bit each.
        paused: Whether time stands still.
        speed: How many seconds of the machine pass in one.
        frames: Frames to run at once while time stands still.
        seen: Number of the newest picture that was shown; without it no more than a few are sent.
    """

    keys: Annotated[StrictInt, Field(ge=0, le=255)] | None = None
    paused: StrictBool | None = None
    speed: ConsoleSpeed | None = None
    frames: Annotated[StrictInt, Field(ge=1, le=600)] | None = None
    seen: Annotated[StrictInt, Field(ge=0, lt=1 << 32)] | None = None
