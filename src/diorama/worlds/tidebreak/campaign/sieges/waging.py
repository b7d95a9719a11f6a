"""A day of every siege, and what becomes of a conquered hub."""

from typing import Final

from diorama.numerics import fmax
from diorama.worlds.tidebreak.campaign.bots.besieging import take_siege_turns
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of
from diorama.worlds.tidebreak.campaign.sieges.conquest import conquer, hold_conquests
from diorama.worlds.tidebreak.campaign.sieges.landings import land_on_beaches
from diorama.worlds.tidebreak.campaign.state import CampaignState, Siege
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

CONTROL_STEP: Final = 0.03
LOSSES: Final = 0.02
_RISING_FROM: Final = 0.3
_UNSUPPORTED: Final = 0.5


def wage_sieges(state: CampaignState) -> None:
    """Land, act, fight a day, and end what is decided."""
    land_on_beaches(state)
    for siege in list(state.sieges):
        hub = state.hub(siege.hub)
        if hub.owner != siege.defender or siege.attacker not in enemies_of(state, siege.defender):
            _lift(state, siege, f"the siege of {hub.name} is lifted")
            continue
        take_siege_turns(state, siege)
        if siege not in state.sieges:
            continue
        attack, defense = strengths(state, siege)
        total = attack + defense
        if total > 0.0:
            siege.control += CONTROL_STEP * (attack - defense) / total
            siege.troops -= siege.troops * LOSSES * defense / total
            hub.security = fmax(hub.security - hub.security * LOSSES * attack / total, 0.0)
        if siege.control <= 0.0 or siege.troops < 1.0:
            _lift(state, siege, f"{hub.name} is purged of the last invaders")
        elif siege.control >= 1.0:
            state.sieges.remove(siege)
            conquer(state, hub, siege)
    hold_conquests(state)


def strengths(state: CampaignState, siege: Siege) -> tuple[float, float]:
    """Return what the attackers and the defenders of a siege can bring to bear."""
    hub = state.hub(siege.hub)
    legitimacy = hub.government.legitimacy
    has_fleet = any(fleet.owner == siege.attacker for fleet in state.fleets_at(hub.id))
    attack = siege.troops * (0.6 + 0.8 * effective_morale(state.faction(siege.attacker)))
    attack *= 1.0 if has_fleet else _UNSUPPORTED
    people = 0.01 * hub.population if legitimacy > _RISING_FROM else 0.0
    morale = effective_morale(state.faction(siege.defender))
    defense = (hub.security + people) * (0.4 + 0.6 * legitimacy) * (0.6 + 0.8 * morale)
    return attack, defense


def _lift(state: CampaignState, siege: Siege, text: str) -> None:
    state.sieges.remove(siege)
    report(state, "siege", text, factions=[siege.attacker, siege.defender], node=siege.hub, cause=siege.news)
