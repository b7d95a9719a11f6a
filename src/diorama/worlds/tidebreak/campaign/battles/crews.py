"""The state in which crews go into battle."""

from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant
from diorama.worlds.tidebreak.campaign.diplomacy.attitudes import effective_morale
from diorama.worlds.tidebreak.campaign.fleets.readiness import supply_days
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.people import captain_command
from diorama.worlds.tidebreak.campaign.state import CampaignState
from diorama.worlds.tidebreak.packages.ships import CrewSnapshot

MOBILISED_GUNNERY: Final = 0.05
RECENT_DAYS: Final = 14
_PORT_DAYS: Final = 30.0


def crew_of(state: CampaignState, combatant: Combatant) -> CrewSnapshot:
    """People, skills and morale of a ship."""
    ship = combatant.ship
    people = ship_class(ship.class_id).crew * ship.crew_share
    hub = next((hub for hub in state.hubs if hub.hull == ship.id), None)
    if hub is not None:
        people = hub.population
    mobilised = any(e.kind == "mobilised" for hub in state.hubs_of(ship.owner) for e in hub.effects)
    return CrewSnapshot(
        crew_count=max(1, int(people)),
        gunnery=clamp(ship.gunnery + (MOBILISED_GUNNERY if mobilised else 0.0), 0.0, 1.0),
        engineering=ship.engineering,
        morale=morale_of(state, combatant),
        fatigue=ship.fatigue,
    )


def morale_of(state: CampaignState, combatant: Combatant) -> float:
    """Faction morale weighed by supply, condition, leadership and the last two weeks."""
    ship, fleet = combatant.ship, combatant.fleet
    recent = 0
    if fleet is not None:
        recent = sum(state.day - day < RECENT_DAYS for day in fleet.wins)
        recent -= sum(state.day - day < RECENT_DAYS for day in fleet.losses)
    supply = _supply_factor(days_left(state, combatant))
    condition = 0.7 + 0.3 * ship.hp_share
    leadership = 0.85 + 0.3 * captain_command(state, ship, fleet)
    events = clamp(1.0 + 0.05 * recent, 0.85, 1.15)
    morale = effective_morale(state.faction(ship.owner)) * supply * condition * leadership * events
    return clamp(morale, 0.05, 1.0)


def days_left(state: CampaignState, combatant: Combatant) -> float:
    """Days of supply aboard; what has no fleet lives from its hub."""
    return _PORT_DAYS if combatant.fleet is None else supply_days(state, combatant.fleet)


def _supply_factor(days: float) -> float:
    if days >= 15.0:
        return 1.0
    if days >= 7.0:
        return 0.9
    return 0.7 if days >= 1.0 else 0.4
