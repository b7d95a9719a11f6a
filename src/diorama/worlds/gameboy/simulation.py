"""The readable tier: one copy over the interpreted kernel, which needs no compiler and hides nothing."""

from collections.abc import Sequence

import numpy as np

from diorama.contracts.errors import EpisodeOver
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import F32, U8, U64, JsonObject
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.episodes import Episodes
from diorama.worlds.gameboy.envs.seeds import as_words
from diorama.worlds.gameboy.records import opening_record, step_record, trap_of
from diorama.worlds.gameboy.render import render_state

_BACKEND = "py"
_ONLY = np.array([0], np.intp)


class GameboySimulation:
    """One console and the episode it is in."""

    def __init__(self, config: GameboyConfig) -> None:
        """Open the episode of seed 0; `reset` opens any other."""
        self._episodes = Episodes(config, 1, backend=_BACKEND)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start the episode of this seed."""
        self._episodes.open(_ONLY, as_words([seed]))
        self._is_over = False

    def step(self, decisions: Sequence[Decision]) -> StepRecord:
        """Advance by one decision.

        Raises:
            EpisodeOver: When the episode has ended.
        """
        if self._is_over:
            raise EpisodeOver("the episode has ended; reset it before the next step")
        (decision,) = decisions
        outcome = self._episodes.advance(np.array(decision, np.int32))
        self._is_over = bool(outcome.ended[0])
        trap = trap_of(self._episodes, 0) if outcome.trapped[0] else None
        return step_record(outcome, 0, tuple(decision), self._episodes, trap)

    def opening_record(self) -> StepRecord:
        """Describe an episode that has not been stepped yet."""
        return opening_record(self._episodes, 0)

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self._is_over

    @property
    def episode_seed(self) -> int:
        """Seed of the running episode."""
        return int(self._episodes.seeds[0])

    def observe(self, obs: F32, obs_u8: U8) -> None:
        """Write the observation row."""
        self._episodes.observe(obs, obs_u8)

    def write_masks(self, masks: U8) -> None:
        """Write 1 for the keys of the configuration: those can be pressed at any time."""
        masks[:] = self._episodes.key_mask

    def write_alive(self, alive: U8) -> None:
        """Write 1: the one player always takes the next decision."""
        alive[:] = 1

    def write_episode_starts(self, starts: U8) -> None:
        """Mark nobody: seats do not change hands."""
        starts[:] = 0

    def state_words(self) -> U64:
        """Return the canonical state of the console."""
        return self._episodes.lanes.state_words(0)

    def snapshot_words(self) -> U64:
        """Return the console, its pictures and what the episode remembers."""
        return self._episodes.write_lane(0)

    def load_words(self, words: U64) -> None:
        """Take over a state written by `snapshot_words`."""
        self._episodes.read_lane(0, words)
        self._is_over = False

    def reseed(self, seed: int) -> None:
        """Change nothing: a console draws no random numbers once its episode is open."""

    def render_state(self) -> JsonObject:
        """Return what a viewer needs to draw this moment."""
        return render_state(self._episodes, 0)
