"""What can go wrong with campaigns.

UnknownName
└── CampaignUnknown    no campaign of that id
StateConflict
└── CampaignConflict   the campaign stands where this cannot be done, or somebody is at it
LimitReached
└── CampaignLimit      there are as many campaigns as are kept
"""

from diorama.contracts.errors import UnknownName
from diorama.server.errors import LimitReached, StateConflict


class CampaignUnknown(UnknownName):
    """There is no such campaign."""

    @classmethod
    def of(cls, campaign_id: str) -> "CampaignUnknown":
        """Say which one."""
        return cls(f"there is no campaign {campaign_id[:64]!r}; /api/campaigns lists those there are")


class CampaignConflict(StateConflict):
    """The campaign stands where this cannot be done."""


class CampaignLimit(LimitReached):
    """No further campaign is kept."""
