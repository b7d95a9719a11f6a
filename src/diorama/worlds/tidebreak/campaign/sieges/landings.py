"""How troops get into a hub: over a beachhead on a city, or up an undefended beach."""

from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.strength import DISABLED_AT, marines_aboard, marines_of
from diorama.worlds.tidebreak.campaign.kinds import MissionKind
from diorama.worlds.tidebreak.campaign.map.paths import hostile_fleets_at
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Fleet, Hub, Ship, Siege
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.campaign.telling.chronicle import report
from diorama.worlds.tidebreak.codes import BoardingStatus, System
from diorama.worlds.tidebreak.packages import BattleResult

ACTION_EVERY_DAYS: Final = 5
_LANDING_LEAST: Final = 200.0
_LANDING_SHARE: Final = 0.02


def landing_threshold(hub: Hub) -> float:
    """Marines it takes to hold a place in a hub."""
    return max(_LANDING_LEAST, _LANDING_SHARE * hub.population)


def land_beachheads(state: CampaignState, encounter: Encounter, result: BattleResult, *, cause: int) -> None:
    """Begin a siege for every beachhead that a battle established."""
    for hub in state.hubs:
        boardings = [b for b in result.boarding_outcomes if b.target_ship_id == hub.hull and b.troops_inserted > 0.0]
        established = [b for b in boardings if b.status is BoardingStatus.ESTABLISHED]
        if hub.hull is None or not boardings:
            continue
        attacker = boardings[0].attacker_team_id
        _put_ashore(state, encounter, attacker, total(b.troops_inserted for b in boardings))
        if established:
            best = max(b.breach_quality for b in established)
            begin_siege(state, hub, attacker, total(b.troops_inserted for b in boardings), best, cause=cause)


def land_on_beaches(state: CampaignState) -> None:
    """Let invaders go ashore where nobody stands against them: no fleet, and no city whose guns still fire."""
    for hub in state.hubs:
        city = state.find_ship(hub.hull)
        is_held = any(fleet.owner == hub.owner and _can_fight(state, fleet) for fleet in state.fleets_at(hub.id))
        if is_held or (city is not None and city.hp_share > DISABLED_AT):
            continue
        invaders = [fleet for fleet in hostile_fleets_at(state, hub.id, hub.owner) if _is_invading(state, fleet)]
        if not invaders or any(siege.hub == hub.id for siege in state.sieges):
            continue
        attacker = invaders[0].owner
        ships = [ship for f in invaders if f.owner == attacker for ship in state.ships_of(f)]
        troops = marines_aboard(ships)
        if troops >= landing_threshold(hub):
            for ship in ships:
                ship.marines = 0 if ship.class_id == "assault_transport" else ship.marines
            quality = _quality_unopposed(city, troops / landing_threshold(hub))
            cause = state.relation(attacker, hub.owner).cause
            begin_siege(state, hub, attacker, float(troops), quality, cause=cause)


def _quality_unopposed(city: Ship | None, surplus: float) -> float:
    """How well a landing goes that nobody fires at: by its numbers and, in a city, by the guns that are gone."""
    if city is None:
        return 0.0
    return 0.4 * min(1.0, surplus / 2.0) + 0.3 * (1.0 - city.systems[System.WEAPONS])


def begin_siege(
    state: CampaignState, hub: Hub, attacker: str, troops: float, breach_quality: float, *, cause: int | None
) -> Siege:
    """Start a siege, or strengthen the one the attacker holds already."""
    for siege in state.sieges:
        if siege.hub == hub.id and siege.attacker == attacker:
            siege.troops += troops
            return siege
    text = f"troops of the {state.faction(attacker).name} hold a part of {hub.name}: the city is besieged"
    news = report(state, "siege", text, factions=[attacker, hub.owner], node=hub.id, cause=cause)
    siege = Siege(
        number=state.next_number("siege"),
        hub=hub.id,
        attacker=attacker,
        defender=hub.owner,
        control=0.15 + 0.25 * breach_quality,
        troops=troops,
        breach_quality=breach_quality,
        started_day=state.day,
        attacker_next_day=state.day + ACTION_EVERY_DAYS,
        defender_next_day=state.day + ACTION_EVERY_DAYS,
        news=news,
    )
    state.sieges.append(siege)
    return siege


def _can_fight(state: CampaignState, fleet: Fleet) -> bool:
    """Freighters in port hold nobody off."""
    return any(ship.class_id != "freighter" for ship in state.ships_of(fleet))


def _is_invading(state: CampaignState, fleet: Fleet) -> bool:
    mission = state.find_mission(fleet.mission)
    return mission is not None and mission.kind is MissionKind.INVASION and mission.node == fleet.node


def _put_ashore(state: CampaignState, encounter: Encounter, attacker: str, troops: float) -> None:
    """Take landed marines off the ships that brought them, transports first."""
    left = troops
    for force in (encounter.attacker, encounter.defender):
        for name in force.fleets:
            fleet = state.find_fleet(name)
            for ship in [] if fleet is None or fleet.owner != attacker else state.ships_of(fleet):
                landed = min(int(left), marines_of(ship))
                if ship.class_id == "assault_transport" and landed > 0:
                    ship.marines = marines_of(ship) - landed
                    left -= landed
