"""Seats that a bot plays against the contender who is judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.matches import opposing_seats
from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.engine.batched_bots import open_batched_bot
from diorama.engine.venue import Venue


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposition:
    """Who plays the other sides.

    Attributes:
        bot: Name of a scripted baseline of the world.
        side: The side of the contender who is judged; the bot has all others.
    """

    bot: str
    side: int


class OpposingRows:
    """The rows of a batch that a bot plays."""

    def __init__(self, opposition: Opposition, venue: Venue, rows: int) -> None:
        """Make the bot; `open` starts its episodes.

        Raises:
            UnknownName: The world has no such bot.
        """
        self._opposition = opposition
        self._venue = venue
        self._bot = open_batched_bot(venue.world, opposition.bot, venue.spec, rows)
        self._rows: NDArray[np.bool_] = np.zeros(rows, np.bool_)

    def open(self, batch: Batch, seeds: Sequence[int]) -> None:
        """Take the rows of the other sides in episodes that have just begun with these seeds.

        Raises:
            ConfigError: A side has no seat.
        """
        rules, agents = self._venue.world.matches, self._venue.spec.agents
        assert rules is not None, "only worlds with sides have opponents"
        for copy in range(len(seeds)):
            sides = rules.sides(self._venue.config, batch.opening_record(copy))
            is_other = opposing_seats(sides, self._opposition.side, self._opposition.bot)
            self._rows[copy * agents : (copy + 1) * agents] = is_other
        rows: list[int] = np.flatnonzero(self._rows).tolist()
        self._bot.reset(rows, [seeds[row // agents] for row in rows])

    @property
    def others(self) -> NDArray[np.bool_]:
        """Which rows the bot does not play."""
        return ~self._rows

    def act(self, batch: Batch, running: NDArray[np.bool_], actions: I32) -> None:
        """Write what the bot decides for its rows, in the copies that are still running."""
        rows = self._rows & np.repeat(running, self._venue.spec.agents)
        actions[rows] = self._bot.act(batch.obs, batch.obs_u8, batch.masks)[rows]
