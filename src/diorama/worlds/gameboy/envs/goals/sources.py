"""The goals of a configuration: stored templates, or where the solutions of our own games end."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import U8
from diorama.worlds.gameboy.config import GameboyConfig, Kind, Start
from diorama.worlds.gameboy.envs.goals.capture import capture_template
from diorama.worlds.gameboy.envs.goals.matching import GoalPay
from diorama.worlds.gameboy.envs.goals.template import Expected, GoalTemplate, load_template
from diorama.worlds.gameboy.envs.starts import own_start, rom_of, setup_of, stages_of
from diorama.worlds.gameboy.envs.user_paths import user_path
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from diorama.worlds.gameboy.roms.tasks.task import NOOP

_SHOWN_AFTER_FRAMES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A picture to reach, how near is near enough, and how many times in a row."""

    picture: U8
    tau: float
    k_consecutive: int


def goals_of(config: GameboyConfig) -> tuple[Goal, ...]:
    """Return the goals of a configuration in the order in which they are reached; none for other kinds.

    Raises:
        ConfigError: If it names no goal and its ROM has none of its own.
        GoalTemplateMismatch: If a stored template does not fit.
    """
    if config.kind is Kind.GOAL:
        return (_goal(config, config.goal, own_start(config), () if config.goal else _own_solution(config)),)
    if config.kind is not Kind.CURRICULUM:
        return ()
    return tuple(_goal(config, stage.goal, stage.start, stage.solution) for stage in stages_of(config))


def expected_of(config: GameboyConfig) -> Expected:
    """Return what a stored template must fit to be used in a configuration."""
    return Expected(
        rom_sha256=rom_of(config).sha256,
        action_codec_id=config.action_codec_id,
        frames_per_step=config.frames_per_step,
        release_after_frames=config.release_after_frames,
        stack_k=config.stack,
    )


def _goal(config: GameboyConfig, folder: str, start: Start, solution: Sequence[int]) -> Goal:
    template = (
        load_template(user_path(folder), expected_of(config))
        if folder
        else _captured(
            config.model_copy(update={"starts": (), "stages": ()}).canonical(), start.model_dump_json(), tuple(solution)
        )
    )
    return Goal(
        picture=template.picture,
        tau=template.meta.tau if config.tau is None else config.tau,
        k_consecutive=template.meta.k_consecutive if config.k_consecutive is None else config.k_consecutive,
    )


def pay_of(config: GameboyConfig) -> GoalPay:
    """Return what a configuration pays on the way to its goals."""
    return GoalPay(step_cost=config.step_cost, alpha=config.alpha, goal_bonus=config.goal_bonus)


@lru_cache(maxsize=64)
def _captured(config_text: str, start_text: str, solution: tuple[int, ...]) -> GoalTemplate:
    config = GameboyConfig.model_validate_json(config_text)
    start = Start.model_validate_json(start_text)
    return capture_template(setup_of(config), start, solution, stack_k=config.stack)


def _own_solution(config: GameboyConfig) -> tuple[int, ...]:
    if config.rom not in TASK_ROMS:
        raise ConfigError(
            f"goal is empty and {config.rom!r} has no solution of its own; name the folder of a goal template, "
            f"or use kind gb_pixels or gb_tasks (ROMs with a solution: {', '.join(TASK_ROMS)})"
        )
    solution = TASK_ROMS[config.rom].solve()
    first_move = next(place for place, action in enumerate(solution.actions) if action != NOOP)
    # A board is shown a frame or two after the key that changed it.
    shown_later = (NOOP,) * (-(-_SHOWN_AFTER_FRAMES // config.frames_per_step) - 1)
    return (*solution.actions[first_move:], *shown_later)
