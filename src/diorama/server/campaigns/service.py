"""`CampaignService`: the calls of campaigns, for the event loop."""

import asyncio
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from diorama.contracts.campaigns import CampaignGame, PendingCampaignBattle
from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.foreign_config import NO_FILE, FileAccess
from diorama.runs.clock import Clock, SystemClock, timestamp
from diorama.server.campaigns.describing import row_of, scenario_rows, state_of
from diorama.server.campaigns.documents import CampaignDocument
from diorama.server.campaigns.entry import CampaignEntry
from diorama.server.campaigns.errors import CampaignConflict, CampaignUnknown
from diorama.server.campaigns.files import CampaignFiles
from diorama.server.campaigns.offers import campaigns_of
from diorama.server.campaigns.open_campaigns import OpenCampaigns
from diorama.server.campaigns.recording import BattleRecorder
from diorama.server.errors import BadValue
from diorama.server.models.campaigns import (
    BattleRecording,
    CampaignChange,
    CampaignList,
    CampaignState,
    CreateCampaign,
    PendingBattle,
    ScenarioList,
    UploadCampaign,
)
from diorama.server.shares import Shares

_SEED_BITS: Final = 31


class CampaignService:
    """Begins campaigns and plays them; every change is on the disk before it is told.

    Attributes:
        opened: The campaigns in memory.
    """

    def __init__(
        self,
        root: Path,
        runs_root: Path,
        *,
        limit: int,
        idle_seconds: float,
        files: FileAccess = NO_FILE,
        call_seconds: float = 20.0,
        clock: Clock | None = None,
        shares: Shares | None = None,
    ) -> None:
        """Read nothing yet; without `shares` a visitor may take everything."""
        self._files = CampaignFiles(root)
        self._limit = limit
        self._clock = clock or SystemClock()
        self._recorder = BattleRecorder(runs_root, self._clock, files=files)
        self.opened = OpenCampaigns(
            self._files,
            limit=limit,
            idle_seconds=idle_seconds,
            call_seconds=call_seconds,
            clock=self._clock,
            shares=shares or Shares(),
        )

    async def scenarios(self) -> ScenarioList:
        """Return the opening positions of all worlds."""
        return await self.opened.on_thread(lambda: ScenarioList(scenarios=scenario_rows()))

    async def all(self) -> CampaignList:
        """Return all campaigns, those that were played last first."""
        rows = await self.opened.on_thread(lambda: [row_of(found) for found in self._files.all()])
        rows.sort(key=lambda row: (row.updated_at or "", row.campaign_id), reverse=True)
        return CampaignList(campaigns=rows, count=len(rows), limit=self._limit)

    async def create(self, body: CreateCampaign) -> CampaignState:
        """Begin a campaign.

        Raises:
            DioramaError: A value is wrong, or there is no room.
        """

        def begin(entry: CampaignEntry) -> tuple[str, CampaignGame]:
            world, offer = campaigns_of(body.world)
            scenario = body.scenario or offer.scenarios()[0].id
            seed = body.seed or 1 + secrets.randbits(_SEED_BITS)
            return world, offer.start(scenario, seed, body.player, entry.fought.append)

        return await self.opened.begin(lambda entry: self._found(entry, begin, body.name))

    async def upload(self, body: UploadCampaign) -> CampaignState:
        """Go on from a save.

        Raises:
            BadValue: It is no save.
            DioramaError: A value is wrong, or there is no room.
        """

        def begin(entry: CampaignEntry) -> tuple[str, CampaignGame]:
            world, offer = campaigns_of(body.world)
            try:
                return world, offer.load(body.save, entry.fought.append)
            except DocumentError as error:
                raise BadValue(f"body.{error}") from None

        return await self.opened.begin(lambda entry: self._found(entry, begin, body.name))

    async def state(self, campaign_id: str) -> CampaignState:
        """Return a campaign as it is on the disk."""
        entry = await self.opened.open(campaign_id)
        return await self.opened.on_thread(lambda: state_of(entry, self._recorder))

    async def submit(self, campaign_id: str, order: str) -> CampaignChange:
        """Give an order."""

        def give(game: CampaignGame) -> tuple[str, int]:
            if game.pending() is not None:
                raise CampaignConflict("a battle waits; fight it before you give orders")
            try:
                return game.submit(order), 0
            except UnknownName as error:
                raise BadValue(f"body.order: {error}") from None

        return await self._change(campaign_id, give)

    async def advance(self, campaign_id: str, days: int, *, autopilot: bool) -> CampaignChange:
        """Play days."""

        def play(game: CampaignGame) -> tuple[str, int]:
            if game.pending() is not None:
                raise CampaignConflict("a battle waits; fight it before you go on")
            played = game.advance(days, autopilot=autopilot)
            return f"{played} {'day' if played == 1 else 'days'} went by", played

        return await self._change(campaign_id, play)

    async def pending(self, campaign_id: str) -> PendingBattle:
        """Return the battle that waits for the player.

        Raises:
            CampaignConflict: None does.
        """
        document = _on_disk(await self.opened.open(campaign_id))

        def look() -> PendingCampaignBattle | None:
            # A copy of what is on the disk, so that nobody who plays meanwhile is in the way.
            return campaigns_of(document.world)[1].load(document.save, lambda battle: None).pending()

        found = await self.opened.on_thread(look)
        if found is None:
            raise CampaignConflict("no battle waits")
        return PendingBattle(package=dict(found.package), briefing=found.briefing, side=found.side)

    async def resolve(self, campaign_id: str, done: str, resolve: Callable[[CampaignGame], None]) -> CampaignChange:
        """Bring the pending battle to its end."""

        def finish(game: CampaignGame) -> tuple[str, int]:
            if game.pending() is None:
                raise CampaignConflict("no battle waits")
            resolve(game)
            return done, 1

        return await self._change(campaign_id, finish)

    async def record(self, campaign_id: str, battle_id: str) -> BattleRecording:
        """See to it that a battle is recorded, and return how far that is.

        Raises:
            UnknownName: No such battle was fought here.
        """
        entry = await self.opened.open(campaign_id)
        document = _on_disk(entry)
        if battle_id not in document.battles:
            raise UnknownName.among("battle of this campaign", battle_id, document.battles)

        def ask() -> BattleRecording:
            self._ask(document, battle_id)
            told = state_of(entry, self._recorder)
            return next(one for one in told.recordings if one.battle_id == battle_id)

        return await self.opened.on_thread(ask)

    async def save(self, campaign_id: str) -> tuple[str, str]:
        """Return the save and a name for its file."""
        document = await self.opened.on_thread(lambda: self._files.read(campaign_id))
        return document.save, f"{document.scenario}-{campaign_id}-day-{document.day}.json"

    async def delete(self, campaign_id: str) -> None:
        """Remove a campaign.

        Raises:
            CampaignUnknown: There is none.
            CampaignConflict: Somebody is at it.
        """
        await self.opened.remove(campaign_id)

    async def close(self) -> None:
        """Finish what is under way."""
        await self.opened.close()
        await asyncio.to_thread(self._recorder.close)

    def _found(
        self,
        entry: CampaignEntry,
        begin: Callable[[CampaignEntry], tuple[str, CampaignGame]],
        name: str | None,
    ) -> CampaignState:
        world, game = begin(entry)
        facts, moment = game.facts(), timestamp(self._clock.now())
        leader = "Bots only" if facts.player_name is None else facts.player_name
        document = CampaignDocument.of(
            facts,
            campaign_id=entry.campaign_id,
            world=world,
            name=name or f"{leader}, seed {facts.seed}",
            created_at=moment,
            updated_at=moment,
            battles=(),
            save=game.save(),
        )
        entry.view = game.view()
        self._files.write(document)
        entry.game, entry.document = game, document
        return state_of(entry, self._recorder)

    async def _change(self, campaign_id: str, change: Callable[[CampaignGame], tuple[str, int]]) -> CampaignChange:
        def tell(entry: CampaignEntry, told: tuple[str, int]) -> CampaignChange:
            done, days = told
            return CampaignChange(done=done, days=days, state=state_of(entry, self._recorder))

        return await self.opened.play(campaign_id, lambda entry: self._play(entry, change), tell)

    def _play(self, entry: CampaignEntry, change: Callable[[CampaignGame], tuple[str, int]]) -> tuple[str, int]:
        before = _on_disk(entry)
        game = entry.game or entry.load(before)
        told = change(game)
        for battle in entry.fought:
            self._files.write_battle(entry.campaign_id, battle)
        fought = tuple(battle.battle_id for battle in entry.fought)
        view = game.view()
        document = CampaignDocument.of(
            game.facts(),
            campaign_id=before.campaign_id,
            world=before.world,
            name=before.name,
            created_at=before.created_at,
            updated_at=timestamp(self._clock.now()),
            battles=before.battles + fought,
            save=game.save(),
        )
        self._files.write(document)
        entry.game, entry.document, entry.view = game, document, view
        entry.fought.clear()
        for battle_id in fought:
            self._ask(document, battle_id)
        return told

    def _ask(self, document: CampaignDocument, battle_id: str) -> None:
        campaign_id = document.campaign_id
        self._recorder.ask(
            campaign_id, document.world, battle_id, lambda: self._files.read_battle(campaign_id, battle_id)
        )


def _on_disk(entry: CampaignEntry) -> CampaignDocument:
    if entry.document is None:
        raise CampaignUnknown.of(entry.campaign_id)
    return entry.document
