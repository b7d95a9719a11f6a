"""Start states: where episodes begin, reached from power-on by data alone and kept for every lane of the process."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import U8
from diorama.worlds.gameboy.config import GameboyConfig, Kind, Stage, Start
from diorama.worlds.gameboy.envs.replaying import Replayer, Setup
from diorama.worlds.gameboy.envs.rom_source import RomSource, load_rom
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from diorama.worlds.gameboy.roms.tasks.game import MAZE_INDEX
from diorama.worlds.gameboy.roms.tasks.mazes import mazes

_SETTING_UP_FRAMES: Final = 24  # our games draw their first board within these
_NOOP: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StartState:
    """A console at a start, and the picture it shows there: shades of (144, 160)."""

    savestate: bytes
    picture: U8


@dataclass(frozen=True, slots=True, kw_only=True)
class StartStates:
    """All start states of a configuration.

    `states[start * (noop_start_max + 1) + n]` is a start after `n` NOOP steps. In a curriculum the starts are those of
    the stages, and an episode begins with the first.
    """

    states: tuple[StartState, ...]
    noops: int

    @property
    def starts(self) -> int:
        """How many different starts there are."""
        return len(self.states) // self.noops


def setup_of(config: GameboyConfig) -> Setup:
    """Return what traces of a configuration are replayed with."""
    return Setup(
        rom=rom_of(config),
        boot=config.boot,
        schedule=config.schedule,
        action_codec_id=config.action_codec_id,
        allow_bad_checksum=config.allow_bad_checksum,
    )


def rom_of(config: GameboyConfig) -> RomSource:
    """Return the cartridge of a configuration."""
    return load_rom(config.rom, allow_bad_checksum=config.allow_bad_checksum)


def starts_of(config: GameboyConfig) -> tuple[Start, ...]:
    """Return how the start states of a configuration are reached."""
    if config.kind is Kind.CURRICULUM:
        return tuple(stage.start for stage in stages_of(config))
    return config.starts or (own_start(config),)


def own_start(config: GameboyConfig) -> Start:
    """Return where a ROM's episodes begin unless told otherwise: our games at their first board, others at power-on."""
    is_game = config.rom in TASK_ROMS
    steps = -(-_SETTING_UP_FRAMES // config.frames_per_step) if is_game else 0
    return Start(actions=(_NOOP,) * steps)


def stages_of(config: GameboyConfig) -> tuple[Stage, ...]:
    """Return the stages of a curriculum; those of GRID_GOAL are its mazes, the shortest way first.

    Raises:
        ConfigError: If it names none and its ROM has none of its own.
    """
    if config.stages:
        return config.stages
    if config.rom != "GRID_GOAL":
        raise ConfigError(f"stages is empty and {config.rom!r} has no stages of its own; name them in stages")
    actions = own_start(config).actions
    stages = [
        Stage(start=Start(actions=actions, memory={MAZE_INDEX: index}), solution=maze.solve())
        for index, maze in enumerate(mazes())
    ]
    return tuple(sorted(stages, key=lambda stage: len(stage.solution)))


def make_starts(config: GameboyConfig) -> StartStates:
    """Reach every start state of a configuration, once in a process."""
    return _reach(setup_of(config), _Starts(starts_of(config)), config.noop_start_max)


class _Starts(tuple[Start, ...]):
    """Starts that can be looked up; memory is a mapping, which cannot be hashed by itself."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple((start.actions, tuple(start.memory.items())) for start in self))


@lru_cache(maxsize=32)
def _reach(setup: Setup, starts: _Starts, noop_start_max: int) -> StartStates:
    states = []
    for start in starts:
        replayer = Replayer(setup, start.memory)
        replayer.run(start.actions)
        for noops in range(noop_start_max + 1):
            if noops:
                replayer.run((_NOOP,))
            states.append(StartState(savestate=replayer.lanes.snapshot(0), picture=replayer.picture))
    return StartStates(states=tuple(states), noops=noop_start_max + 1)
