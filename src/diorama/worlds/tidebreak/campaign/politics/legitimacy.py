"""How far a government is accepted."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.content.tables import GovernmentRow
from diorama.worlds.tidebreak.campaign.economy.needs import shortages
from diorama.worlds.tidebreak.campaign.kinds import NEEDS
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

STABLE_FROM: Final = 0.6
CRISIS_BELOW: Final = 0.4
COLLAPSE_BELOW: Final = 0.2


def band(legitimacy: float) -> str:
    """Put legitimacy into a word."""
    if legitimacy >= STABLE_FROM:
        return "stable"
    if legitimacy >= CRISIS_BELOW:
        return "strained"
    return "crisis" if legitimacy >= COLLAPSE_BELOW else "collapse"


def government_row(hub: Hub) -> GovernmentRow:
    """Return the numbers of a hub's form of government."""
    return tables().governments[hub.government.kind]


def change_legitimacy(hub: Hub, amount: float) -> None:
    """Add to a government's legitimacy within 0 to 1."""
    hub.government.legitimacy = clamp(hub.government.legitimacy + amount, 0.0, 1.0)


def drift_legitimacy(hub: Hub) -> None:
    """Move a day toward the baseline, by prosperity, by contentment and by shortages."""
    row, government = government_row(hub), hub.government
    content = 0.0
    for bloc in hub.blocs:
        content += bloc.share * bloc.satisfaction
    short = len(shortages(hub)) / len(NEEDS)
    change_legitimacy(
        hub,
        0.01 * (row.baseline - government.legitimacy)
        + 0.004 * row.s_prosper * hub.prosperity
        + 0.006 * (content - 0.5)
        - 0.01 * short,
    )


def mean_legitimacy(state: CampaignState, faction_id: str) -> float:
    """Return the mean over the hubs of a faction, 0 without any."""
    hubs = state.hubs_of(faction_id)
    total = 0.0
    for hub in hubs:
        total += hub.government.legitimacy
    return total / len(hubs) if hubs else 0.0
