"""A campaign in memory."""

import asyncio
from dataclasses import dataclass, field

from diorama.contracts.campaigns import CampaignBattle, CampaignGame
from diorama.contracts.values import JsonObject
from diorama.server.campaigns.documents import CampaignDocument
from diorama.server.campaigns.offers import campaigns_of


@dataclass(slots=True)
class CampaignEntry:
    """A campaign that somebody asked for lately; its marks belong to the event loop.

    Attributes:
        campaign_id: Which.
        touched_seconds: When it was last asked for.
        game: The campaign itself; None if it must be read from the disk.
        document: What is on the disk.
        view: What a page shows of that.
        is_played: Whether somebody changes it at this moment.
        reading: Held while it is read from the disk.
        fought: Battles that were fought since it was written last.
    """

    campaign_id: str
    touched_seconds: float
    game: CampaignGame | None = None
    document: CampaignDocument | None = None
    view: JsonObject | None = None
    is_played: bool = False
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    fought: list[CampaignBattle] = field(default_factory=list)

    def load(self, document: CampaignDocument) -> CampaignGame:
        """Return the campaign of a document; battles that are fought in it are noted here."""
        _, offer = campaigns_of(document.world)
        return offer.load(document.save, self.fought.append)

    def forget(self) -> None:
        """Go back to what is on the disk."""
        self.game = None
        self.fought.clear()
