"""What a copy costs: frames to reach its start states and goals, and frames of a decision."""

from typing import Final

from diorama.contracts.plans import CopyCost
from diorama.worlds.gameboy.config import GameboyConfig, Kind
from diorama.worlds.gameboy.envs.starts import stages_of, starts_of

FRAMES_PER_SECOND: Final = 25_000  # of the native core on one core, busy programs
INTERPRETED_FRAMES_PER_SECOND: Final = 50  # of the readable tier, which takes the last decision of an episode again
LONGEST_OWN_SOLUTION: Final = 512  # steps, of the games that come with the world
_STATE_FRAMES: Final = 50  # what putting one start state into place costs
_STATE_BYTES: Final = 160_000  # save state, two pictures, and the machine's own copy of it
_COPY_BYTES: Final = 1 << 18


def cost_of(config: GameboyConfig) -> CopyCost:
    """Return what a copy costs in a configuration.

    Raises:
        ConfigError: A curriculum names no stages, and its program has none of its own.
    """
    starts = starts_of(config)
    steps = sum(len(start.actions) + config.noop_start_max for start in starts)
    if config.kind is Kind.CURRICULUM:
        steps += sum(len(stage.start.actions) + len(stage.solution) for stage in stages_of(config))
    elif config.kind is Kind.GOAL and not config.goal:
        steps += LONGEST_OWN_SOLUTION
    states = len(starts) * (config.noop_start_max + 1)
    return CopyCost(
        unit="frames",
        per_second=FRAMES_PER_SECOND,
        opening=steps * config.frames_per_step + states * _STATE_FRAMES,
        decision=config.frames_per_step,
        closing=config.frames_per_step * (FRAMES_PER_SECOND // INTERPRETED_FRAMES_PER_SECOND),
        memory_bytes=_COPY_BYTES,
        shared_bytes=states * _STATE_BYTES,
    )
