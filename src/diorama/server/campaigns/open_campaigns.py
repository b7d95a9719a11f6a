"""`OpenCampaigns`: the campaigns in memory, and one caller at a time who plays each, off the event loop."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import Work
from diorama.runs.clock import Clock
from diorama.server.campaigns.entry import CampaignEntry
from diorama.server.campaigns.errors import CampaignConflict, CampaignLimit, CampaignUnknown
from diorama.server.campaigns.files import CampaignFiles
from diorama.server.shares import VISITOR, Shares
from diorama.server.turns import Turns, as_refusal
from diorama.server.under_way import UnderWay

_WORKERS: Final = 2
_IN_MEMORY: Final = 32
_ID_BYTES: Final = 6

T = TypeVar("T")
U = TypeVar("U")


class OpenCampaigns:
    """Campaigns that somebody asked for lately, and the threads that play them; used from the event loop alone.

    What was begun is finished even if its client has left, unless it takes too long: then nothing of it has happened.
    A campaign that leaves memory is on the disk.
    """

    def __init__(
        self,
        files: CampaignFiles,
        *,
        limit: int,
        idle_seconds: float,
        call_seconds: float,
        clock: Clock,
        shares: Shares,
    ) -> None:
        """Begin with none in memory.

        Args:
            files: Those on the disk.
            limit: How many are kept there.
            idle_seconds: How long one stays in memory that nobody asks for.
            call_seconds: How long one call may play.
            clock: Of the time since.
            shares: What one visitor may take.
        """
        self._files = files
        self._limit = limit
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._entries: dict[str, CampaignEntry] = {}
        self._beginning: Counter[str] = Counter()
        self._begun_by: dict[str, str] = {}
        self._call_seconds = call_seconds
        self._shares = shares
        self._turns = Turns(_WORKERS, shares, name="diorama-campaigns")
        self._under_way = UnderWay()

    def __len__(self) -> int:
        """How many campaigns are in memory."""
        return len(self._entries)

    async def begin(self, fill: Callable[[CampaignEntry], T]) -> T:
        """Give a new campaign an id and return what is told of it.

        Args:
            fill: Fills the entry and writes it to the disk, on a thread.

        Raises:
            CampaignLimit: As many are kept as there may be.
        """

        async def work() -> T:
            visitor = VISITOR.get()
            kept = await self.on_thread(self._files.ids)
            own = sum(self._begun_by.get(campaign_id) == visitor for campaign_id in kept) + self._beginning[visitor]
            if len(kept) + self._beginning.total() >= self._limit:
                raise CampaignLimit(f"{self._limit} campaigns are kept, as many as there may be; delete one first")
            if own >= self._shares.of(self._limit):
                raise CampaignLimit(
                    f"your address has begun {own} of the {self._limit} campaigns that are kept, its share of them; "
                    "delete one first",
                    code="campaign_share_used",
                )
            self._beginning[visitor] += 1
            try:
                entry = CampaignEntry(secrets.token_hex(_ID_BYTES), self._clock.seconds())
                told = await self.on_thread(lambda: fill(entry))
                self._entries[entry.campaign_id] = entry
                self._begun_by[entry.campaign_id] = visitor
                return told
            finally:
                self._beginning[visitor] -= 1

        self._make_room()
        return await self._under_way.finish(work())

    async def open(self, campaign_id: str) -> CampaignEntry:
        """Return a campaign, from the disk unless it is in memory.

        Raises:
            CampaignUnknown: There is none.
            DocumentError: Its file is broken.
        """
        self._make_room()
        entry = self._entries.get(campaign_id)
        if entry is None:
            if not await self.on_thread(lambda: self._files.has(campaign_id)):
                raise CampaignUnknown.of(campaign_id)
            entry = self._entries.setdefault(campaign_id, CampaignEntry(campaign_id, self._clock.seconds()))
        entry.touched_seconds = self._clock.seconds()
        async with entry.reading:
            if entry.game is None and not entry.is_played:
                try:
                    await self.on_thread(lambda: self._read(entry))
                except BaseException:
                    self._entries.pop(campaign_id, None)
                    raise
        return entry

    async def play(
        self, campaign_id: str, change: Callable[[CampaignEntry], T], tell: Callable[[CampaignEntry, T], U]
    ) -> U:
        """Change a campaign when nobody else does; if that fails, it is what is on the disk.

        Args:
            campaign_id: Which.
            change: Changes it and writes it to the disk, on a thread.
            tell: Says what came of that, on a thread, when others may play again.

        Raises:
            CampaignUnknown: There is none.
            CampaignConflict: Somebody is at it.
        """
        entry = await self.open(campaign_id)
        if entry.is_played:
            raise _busy(campaign_id)
        entry.is_played = True

        async def work() -> U:
            try:
                done = await self.on_thread(lambda: change(entry))
            except BaseException:
                entry.forget()
                raise
            finally:
                entry.is_played = False
            return await self.on_thread(lambda: tell(entry, done))

        return await self._under_way.finish(work())

    async def remove(self, campaign_id: str) -> None:
        """Remove a campaign from memory and from the disk.

        Raises:
            CampaignUnknown: There is none.
            CampaignConflict: Somebody is at it.
        """
        entry = self._entries.get(campaign_id)
        if entry is not None and entry.is_played:
            raise _busy(campaign_id)
        await self.on_thread(lambda: self._files.remove(campaign_id))
        self._entries.pop(campaign_id, None)
        self._begun_by.pop(campaign_id, None)

    async def on_thread(self, call: Callable[[], T]) -> T:
        """Do something that takes a while on one of the threads.

        Raises:
            LimitReached: The visitor has used its share, or it took too long.
        """
        try:
            return await self._turns.run(call, Work(self._call_seconds))
        except WorkStopped as error:
            raise as_refusal(error, "playing the campaign") from None

    def stop(self) -> None:
        """Ask all calls to end at their next checkpoint, and begin no more."""
        self._turns.stop()

    async def close(self) -> None:
        """End what is under way at its next checkpoint; such a campaign is as it is on the disk."""
        self.stop()
        await self._under_way.wait()
        await asyncio.to_thread(self._turns.close)

    def _read(self, entry: CampaignEntry) -> None:
        document = self._files.read(entry.campaign_id)
        game = entry.load(document)
        entry.view, entry.document, entry.game = game.view(), document, game

    def _make_room(self) -> None:
        """Forget campaigns that nobody asked for lately."""
        now = self._clock.seconds()
        idle = sorted(
            (entry for entry in self._entries.values() if not entry.is_played and not entry.reading.locked()),
            key=lambda entry: entry.touched_seconds,
        )
        surplus = len(self._entries) - _IN_MEMORY
        for place, entry in enumerate(idle):
            if place < surplus or now - entry.touched_seconds > self._idle_seconds:
                del self._entries[entry.campaign_id]


def _busy(campaign_id: str) -> CampaignConflict:
    return CampaignConflict(f"campaign {campaign_id} is being played at this moment; ask again when that is done")
