"""How well a faction stands, and when the campaign is over."""

from typing import Final

from diorama.worlds.tidebreak.campaign.economy.stocks import move
from diorama.worlds.tidebreak.campaign.fleets.muster import new_ship, station_ship
from diorama.worlds.tidebreak.campaign.fleets.strength import faction_cost
from diorama.worlds.tidebreak.campaign.fleets.upkeep import capacity
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS
from diorama.worlds.tidebreak.campaign.politics.legitimacy import mean_legitimacy
from diorama.worlds.tidebreak.campaign.state import CampaignState, Ending, Faction
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

_RETURN_DAYS: Final = 120
_RETURNS_MAX: Final = 3
_HOST_FROM: Final = 0.5
_RETURNING: Final = ("corvette", "corvette", "cutter")


def score(state: CampaignState, faction_id: str) -> float:
    """0 to 1: people, ships, legitimacy and goods delivered."""
    everybody = total(hub.population for hub in state.hubs)
    own_people = total(hub.population for hub in state.hubs_of(faction_id))
    all_ships = total(faction_cost(state, faction.id) for faction in state.factions)
    faction = state.faction(faction_id)
    delivered = faction.goods_delivered / faction.goods_planned if faction.goods_planned > 0.0 else 0.0
    return (
        0.3 * (own_people / everybody if everybody > 0.0 else 0.0)
        + 0.3 * (faction_cost(state, faction_id) / all_ships if all_ships > 0.0 else 0.0)
        + 0.2 * mean_legitimacy(state, faction_id)
        + 0.2 * min(delivered, 1.0)
    )


def settle_day(state: CampaignState) -> None:
    """Note defeats and returns, and end the campaign when a major power is gone or time is up."""
    for faction in state.factions:
        if faction.defeated_day is None and not state.hubs_of(faction.id) and not state.fleets_of(faction.id):
            faction.defeated_day = state.day
            report(state, "end", f"the {faction.name} is no more", factions=[faction.id])
        elif faction.defeated_day is not None:
            _return(state, faction)
    fallen = [faction for faction in state.factions if faction.is_major and faction.defeated_day is not None]
    if fallen:
        _end(state, f"the {fallen[0].name} is defeated")
    elif state.day >= state.last_day:
        _end(state, f"day {state.last_day} is over")


def leader(state: CampaignState) -> str | None:
    """Return the major faction with the best score, the first on a tie."""
    major = [faction for faction in state.standing if faction.is_major]
    best = max(major, key=lambda faction: (score(state, faction.id), -faction.number), default=None)
    return None if best is None else best.id


def _end(state: CampaignState, reason: str) -> None:
    if state.ending is None:
        state.ending = Ending(day=state.day, reason=reason, winner=leader(state))
        report(state, "end", f"the campaign ends: {reason}", factions=[f.id for f in state.factions])


def _return(state: CampaignState, faction: Faction) -> None:
    """Let a defeated faction come back once a friend takes it in."""
    if state.day - (faction.defeated_day or 0) < _RETURN_DAYS or faction.returns >= _RETURNS_MAX:
        return
    hosts = [
        f for f in state.standing if state.hubs_of(f.id) and state.relation(f.id, faction.id).disposition >= _HOST_FROM
    ]
    if not hosts:
        return
    harbor = state.hub(hosts[0].capital)
    faction.defeated_day, faction.returns = None, faction.returns + 1
    for class_id in _RETURNING:
        fleet = station_ship(state, new_ship(state, class_id, faction.id, harbor.id), harbor.id)
    for resource in FLEET_NEEDS:
        move(harbor.stock, fleet.supply, resource, capacity(state, fleet, resource))
    report(
        state, "end", f"the {faction.name} returns from exile at {harbor.name}", factions=[faction.id], node=harbor.id
    )
