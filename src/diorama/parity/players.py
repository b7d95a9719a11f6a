"""Who chooses the actions of a case."""

from typing import Protocol

import numpy as np

from diorama.contracts.config import WorldConfig
from diorama.contracts.values import I32
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.parity.cases import Case, find_suite


class Player(Protocol):
    """Plays all seats of the one copy in a batch."""

    def open(self, batch: Batch) -> None:
        """Begin the episode the batch has just opened."""

    def choose(self, batch: Batch) -> I32:
        """Return one decision per seat."""


class SuitePlayer:
    """Plays a suite of the world's plan, one bot per seat."""

    def __init__(self, world: World[WorldConfig], case: Case) -> None:
        """Start the bots; seats differ in their seed, or they would all play alike."""
        suite = find_suite(world, case.suite)
        agents = world.describe(world.config_type.model_validate(case.column.config)).agents
        self._bots = [suite.start(case.seed + seat) for seat in range(agents)]

    def open(self, batch: Batch) -> None:
        """Tell the bots that an episode begins."""
        for bot in self._bots:
            bot.reset(batch.episode_seed(0))

    def choose(self, batch: Batch) -> I32:
        """Ask the bots of living seats; a dead one takes the no-op."""
        decisions = [
            bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) if batch.alive[row] else batch.spec.noop
            for row, bot in enumerate(self._bots)
        ]
        return np.array(decisions, np.int32)


class RecordedPlayer:
    """Plays the actions of a recorded case again."""

    def __init__(self, actions: I32) -> None:
        """Take over the actions, steps by seats by heads."""
        self._actions = iter(actions)

    def open(self, batch: Batch) -> None:
        """A recording has no memory to clear."""

    def choose(self, batch: Batch) -> I32:
        """Return the next recorded decisions."""
        decisions: I32 = next(self._actions)
        return decisions
