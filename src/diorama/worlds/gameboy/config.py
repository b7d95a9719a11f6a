"""The configuration of `gameboy`: which cartridge, what is seen of it, and what a step pays."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from diorama.contracts.config import WorldConfig
from diorama.contracts.named_files import FilePath
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID, get_action_codec
from diorama.worlds.gameboy.roms.catalogue import rom_names
from diorama.worlds.gameboy.schedule import DEFAULT_FRAMES_PER_STEP, DEFAULT_RELEASE_AFTER_FRAMES, PressSchedule

_TASK_SUFFIXES: Final = (".yaml", ".yml")


def _read_address(given: object) -> object:
    """Take an address as a number or as text, since keys of JSON objects are text: `49377`, `0xC0E1` or `$C0E1`."""
    if not isinstance(given, str):
        return given
    try:
        return int(given.replace("$", "0x", 1), 0)
    except ValueError:
        raise ValueError("write an address like 0xC0E1 or $C0E1") from None


def _is_rom(name: str) -> bool:
    return name in rom_names()


def _is_task(name: str) -> bool:
    return not (name.endswith(_TASK_SUFFIXES) or "/" in name or "\\" in name)


Address = Annotated[int, BeforeValidator(_read_address), Field(ge=0, le=0xFFFF)]
WorkRamAddress = Annotated[int, BeforeValidator(_read_address), Field(ge=0xC000, le=0xDFFF)]
Byte = Annotated[int, Field(ge=0, le=0xFF)]
Pay = Annotated[float, Field(ge=-1e9, le=1e9)]  # rewards are stored as float32, and stay far from its end
Goal = Annotated[str, FilePath()]
MOST_CONSECUTIVE: Final = 2**31 - 1


class Kind(StrEnum):
    """What an episode is about."""

    PIXELS = "gb_pixels"  # nothing is paid and nothing ends: a driver for tools and play
    GOAL = "gb_goal"  # reach a picture
    TASKS = "gb_tasks"  # rules over watched bytes
    CURRICULUM = "gb_curriculum"  # reach one picture after another


class ObservationFormat(StrEnum):
    """What is observed at the end of a step."""

    SHADE_FULL = "shade_full"
    SHADE_HALF = "shade_half"
    PACKED2 = "packed2"
    RAM_V3 = "ram_v3"
    WATCH = "watch"


class Start(BaseModel):
    """How a start state is reached from power-on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    actions: tuple[Annotated[int, Field(ge=0)], ...] = Field((), description="Actions from power-on, one a step.")
    memory: Mapping[WorkRamAddress, Byte] = Field(
        {}, description="Work RAM written at power-on, address ($C000 to $DFFF) to byte."
    )


class Stage(BaseModel):
    """One goal of a curriculum and the state it is tried from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: Start = Field(description="Where the stage begins.")
    goal: Goal = Field("", description="Folder of its goal template; empty for the end of `solution`.")
    solution: tuple[Annotated[int, Field(ge=0)], ...] = Field(
        (), description="Actions from the start to the goal, whose last picture is the goal."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if bool(self.goal) == bool(self.solution):
            raise ValueError("a stage has either the folder of a goal or a solution that leads to it")
        return self


class GameboyConfig(WorldConfig):
    """What may differ from one batch of consoles to another."""

    rom: Annotated[str, FilePath(ships=_is_rom)] = Field(
        default="GRID_GOAL", min_length=1, description="A ROM of the project by name, or a file's path."
    )
    allow_bad_checksum: bool = Field(default=False, description="Load a ROM whose header checksum is wrong.")
    boot: BootMode = Field(default=BootMode.STUB_LCD, description="What runs before the program.")
    kind: Kind = Field(default=Kind.GOAL, description="What an episode is about.")
    observation: ObservationFormat = Field(
        default=ObservationFormat.SHADE_HALF, description="What is seen at the end of a step."
    )
    stack: int = Field(default=1, ge=1, le=16, description="How many of the last pictures are seen, oldest first.")
    watch: tuple[Address, ...] = Field(
        default=(), max_length=256, description="Addresses that format `watch` and the viewer show."
    )
    frames_per_step: int = Field(default=DEFAULT_FRAMES_PER_STEP, ge=1, le=3600, description="Frames of a step.")
    release_after_frames: int = Field(
        default=DEFAULT_RELEASE_AFTER_FRAMES, ge=0, description="Frames after which the keys of a step go up."
    )
    action_codec_id: str = Field(default=DEFAULT_ACTION_CODEC_ID, description="What the actions mean.")
    keys: tuple[str, ...] = Field(
        default=(), description="Keys that may be pressed; empty for all. Others are masked and press nothing."
    )
    starts: tuple[Start, ...] = Field(
        default=(), max_length=256, description="Start states, one drawn for each episode; empty for the ROM's own."
    )
    noop_start_max: int = Field(default=0, ge=0, le=255, description="Most NOOP steps drawn before an episode begins.")
    max_steps: int = Field(default=512, ge=1, description="Steps after which an episode is cut off.")
    goal: Goal = Field(default="", description="Folder of the goal template; empty for the end of the ROM's solution.")
    tau: float | None = Field(
        default=None, gt=0.0, le=1.0, description="A picture nearer than this matches; None for the template's."
    )
    k_consecutive: int | None = Field(
        default=None,
        ge=1,
        le=MOST_CONSECUTIVE,
        description="Matching pictures in a row that reach the goal; None for the template's.",
    )
    step_cost: Pay = Field(default=-0.01, description="Paid at every step of a goal environment.")
    alpha: Pay = Field(default=1.0, description="Paid for each unit of distance won.")
    goal_bonus: Pay = Field(default=10.0, description="Paid at the goal.")
    stages: tuple[Stage, ...] = Field(
        default=(), max_length=64, description="Stages of `gb_curriculum`; empty for the ROM's own."
    )
    task: Annotated[str, FilePath(ships=_is_task)] = Field(
        default="", description="Path of a task file, or the name of a shipped one; empty for the ROM's."
    )
    novelty_size: int = Field(default=65536, ge=2, le=1 << 20, description="Cells of a novelty table; a power of two.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        PressSchedule(frames_per_step=self.frames_per_step, release_after_frames=self.release_after_frames)
        self._check_keys()
        if self.novelty_size & (self.novelty_size - 1):
            raise ValueError(f"novelty_size is {self.novelty_size}; it must be a power of two")
        pictures = (ObservationFormat.SHADE_HALF, ObservationFormat.PACKED2)
        if self.kind in (Kind.GOAL, Kind.CURRICULUM) and self.observation not in pictures:
            raise ValueError(f"observation is {self.observation.value}; {self.kind.value} needs shade_half or packed2")
        if self.observation is ObservationFormat.WATCH and not self.watch and self.kind is not Kind.TASKS:
            raise ValueError("observation is watch; name the addresses to show in watch")
        if self.stack > 1 and self.observation in (ObservationFormat.RAM_V3, ObservationFormat.WATCH):
            raise ValueError(f"stack is {self.stack}; only pictures are stacked, {self.observation.value} takes 1")
        return self

    def _check_keys(self) -> None:
        known = get_action_codec().action_names
        unknown = [name for name in self.keys if name not in known]
        if unknown:
            raise ValueError(f"keys names {unknown[0]!r}; keys are: {', '.join(known)}")
        if self.keys and "NOOP" not in self.keys:
            raise ValueError(f"keys is {list(self.keys)}; NOOP must be among them")

    @property
    def schedule(self) -> PressSchedule:
        """When the keys of a step go down and up."""
        return PressSchedule(frames_per_step=self.frames_per_step, release_after_frames=self.release_after_frames)
