"""Fleets and ships as JSON."""

from diorama.contracts.values import JsonObject
from diorama.worlds.tidebreak.campaign.fleets.readiness import condition, supply_days
from diorama.worlds.tidebreak.campaign.fleets.strength import fleet_cost, marines_of, ship_cost
from diorama.worlds.tidebreak.campaign.fleets.upkeep import capacity
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS, Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Ship


def fleet_view(state: CampaignState, fleet: Fleet) -> JsonObject:
    """A fleet, where it is, and its ships."""
    commander = state.find_person(fleet.commander)
    passage = fleet.passage
    return {
        "id": fleet.id,
        "name": fleet.name,
        "owner": fleet.owner,
        "node": fleet.node,
        "passage": None
        if passage is None
        else {"origin": passage.origin, "target": passage.target, "days_left": passage.days_left},
        "path": list(fleet.path),
        "stance": fleet.stance.value,
        "mission": fleet.mission,
        "commander": None if commander is None else {"number": commander.number, "name": commander.name},
        "cost": fleet_cost(state, fleet),
        "condition": condition(state, fleet),
        "supply_days": supply_days(state, fleet),
        "supply": [
            {
                "resource": resource.value,
                "amount": fleet.supply[resource],
                "capacity": capacity(state, fleet, resource),
            }
            for resource in FLEET_NEEDS
        ],
        "cargo": {r.value: fleet.cargo[r] for r in Resource if fleet.cargo[r] > 0.0},
        "ships": [_ship(ship) for ship in state.ships_of(fleet)],
    }


def _ship(ship: Ship) -> JsonObject:
    return {
        "id": ship.id,
        "name": ship.name,
        "class_id": ship.class_id,
        "cost": ship_cost(ship),
        "hp_share": ship.hp_share,
        "crew_share": ship.crew_share,
        "ammo_share": ship.ammo_share,
        "fatigue": ship.fatigue,
        "marines": marines_of(ship),
        "captain": ship.captain,
    }
