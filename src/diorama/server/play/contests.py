"""`Contests`: rivals play in the background for as long as it takes; people wait for as long as they like."""

import asyncio
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from diorama.server.models.play import Standing
from diorama.server.play.entry import SessionEntry
from diorama.server.play.errors import SessionLimit
from diorama.server.play.limits import PlayLimits
from diorama.server.play.rooms import Rooms
from diorama.server.play.standings import Rival, Rivalry, StandingsTable

_MOST_CONTESTS: Final = 32  # under way or waiting


class Contests:
    """One contest per rivalry and set of rivals; used from the event loop alone."""

    def __init__(self, rooms: Rooms[SessionEntry], table: StandingsTable, limits: PlayLimits) -> None:
        """Begin with none."""
        self._rooms = rooms
        self._table = table
        self._limits = limits
        self._under_way: dict[Hashable, asyncio.Task[None]] = {}

    async def standings(self, rivalry: Rivalry, rivals: Sequence[Rival]) -> list[Standing]:
        """Return how rivals fared; those that are not done when the patience ends have no figures yet, and play on.

        Raises:
            SessionLimit: Too many others are being played.
        """
        if not all(row.finished for row in self._rows(rivalry, rivals)):
            contest = self._contest(rivalry, rivals)
            done, _ = await asyncio.wait({contest}, timeout=self._limits.standings_seconds)
            for task in done:
                task.result()
        return self._rows(rivalry, rivals)

    async def close(self) -> None:
        """Let everybody stop playing."""
        self._table.stopping.set()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)

    def _rows(self, rivalry: Rivalry, rivals: Sequence[Rival]) -> list[Standing]:
        return [self._table.standing(rivalry, rival) for rival in rivals]

    def _contest(self, rivalry: Rivalry, rivals: Sequence[Rival]) -> asyncio.Task[None]:
        identities = tuple(rival.identity for rival in rivals)
        key = rivalry.venue.config_hash, rivalry.seed, rivalry.seat, identities
        if key not in self._under_way:
            if len(self._under_way) >= _MOST_CONTESTS:
                raise SessionLimit(
                    f"{_MOST_CONTESTS} games are being compared, as many as there may be; try again later"
                )
            self._under_way[key] = asyncio.create_task(self._play(rivalry, rivals))
            self._under_way[key].add_done_callback(lambda _: self._under_way.pop(key))
        return self._under_way[key]

    async def _play(self, rivalry: Rivalry, rivals: Sequence[Rival]) -> None:
        for rival in rivals:
            await self._rooms.aside(partial(self._play_one, rivalry, rival))

    def _play_one(self, rivalry: Rivalry, rival: Rival) -> None:
        self._table.play(rivalry, rival, within_seconds=self._limits.episode_seconds)
