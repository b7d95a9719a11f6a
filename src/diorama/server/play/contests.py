"""`Contests`: rivals play in the background for as long as it takes; people wait for as long as they like."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from diorama.server.errors import LimitReached, NotAvailable
from diorama.server.models.play import Standing
from diorama.server.play.entry import SessionEntry
from diorama.server.play.errors import SessionLimit
from diorama.server.play.limits import PlayLimits
from diorama.server.play.rooms import Rooms
from diorama.server.play.standings import Rival, Rivalry, StandingsTable
from diorama.server.shares import VISITOR, Shares

_MOST_CONTESTS: Final = 32  # under way or waiting


class Contests:
    """One contest per rivalry and set of rivals; used from the event loop alone."""

    def __init__(self, rooms: Rooms[SessionEntry], table: StandingsTable, limits: PlayLimits, shares: Shares) -> None:
        """Begin with none."""
        self._rooms = rooms
        self._shares = shares
        self._table = table
        self._limits = limits
        self._under_way: dict[Hashable, asyncio.Task[None]] = {}
        self._by_visitor: Counter[str] = Counter()

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
        for task in self._under_way.values():
            task.cancel()
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
            visitor = VISITOR.get()
            if self._by_visitor[visitor] >= self._shares.of(_MOST_CONTESTS):
                raise SessionLimit(
                    f"{self._by_visitor[visitor]} games are being compared for your address, its share of them; "
                    "try again later",
                    code="contest_share_used",
                )
            self._by_visitor[visitor] += 1
            self._under_way[key] = asyncio.create_task(self._play(rivalry, rivals))
            self._under_way[key].add_done_callback(lambda _: self._end(key, visitor))
        return self._under_way[key]

    def _end(self, key: Hashable, visitor: str) -> None:
        del self._under_way[key]
        self._by_visitor[visitor] -= 1

    async def _play(self, rivalry: Rivalry, rivals: Sequence[Rival]) -> None:
        for rival in rivals:
            try:
                await self._rooms.aside(
                    partial(self._table.play, rivalry, rival),
                    seconds=self._limits.episode_seconds,
                    is_patient=True,
                )
            except LimitReached:
                continue  # one that is not done in time has not played
            except NotAvailable:
                return  # the server stops
