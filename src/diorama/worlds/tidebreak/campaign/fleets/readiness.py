"""Whether a fleet can be sent somewhere."""

from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.strength import ship_cost
from diorama.worlds.tidebreak.campaign.fleets.upkeep import daily_upkeep
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS, Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet

READY_CONDITION: Final = 0.6
READY_DAYS: Final = 12.0
WORN_CONDITION: Final = 0.45
WORN_DAYS: Final = 7.0
ENDLESS_DAYS: Final = 999.0


def supply_days(state: CampaignState, fleet: Fleet) -> float:
    """Days until the first of water, food and fuel runs out under way."""
    return min(resource_days(state, fleet, resource) for resource in FLEET_NEEDS)


def resource_days(state: CampaignState, fleet: Fleet, resource: Resource) -> float:
    """Days that one resource lasts under way."""
    need = daily_upkeep(state, fleet, resource, in_port=False)
    return fleet.supply[resource] / need if need > 0.0 else ENDLESS_DAYS


def condition(state: CampaignState, fleet: Fleet) -> float:
    """Mean hull share, weighed by cost."""
    whole = now = 0.0
    for ship in state.ships_of(fleet):
        whole += ship_cost(ship)
        now += ship_cost(ship) * ship.hp_share
    return now / whole if whole > 0.0 else 0.0


def is_ready(state: CampaignState, fleet: Fleet) -> bool:
    """Whether a fleet lies idle, whole and supplied."""
    if fleet.node is None or fleet.mission is not None or fleet.path:
        return False
    return condition(state, fleet) >= READY_CONDITION and supply_days(state, fleet) >= READY_DAYS


def is_worn(state: CampaignState, fleet: Fleet) -> bool:
    """Whether a fleet should go home."""
    return condition(state, fleet) < WORN_CONDITION or supply_days(state, fleet) < WORN_DAYS
