"""What ships and fleets are worth: the arena's cost, as far as the hull is whole."""

from functools import cache
from typing import Final

from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Ship
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.content import ShipClass, shipped_content

DISABLED_AT: Final = 0.25  # hull share at which a city or platform no longer fights


@cache
def ship_class(class_id: str) -> ShipClass:
    """Return the class of a hull."""
    return shipped_content().classes[class_id]


def ship_cost(ship: Ship) -> float:
    """Cost of a ship, whatever its condition."""
    return ship_class(ship.class_id).cost


def fleet_cost(state: CampaignState, fleet: Fleet) -> float:
    """Cost of a fleet, whatever its condition."""
    return total(ship_cost(ship) for ship in state.ships_of(fleet))


def fleet_strength(state: CampaignState, fleet: Fleet) -> float:
    """Cost of a fleet weighed by the condition of its hulls."""
    return total(ship_cost(ship) * ship.hp_share for ship in state.ships_of(fleet))


def faction_cost(state: CampaignState, faction_id: str) -> float:
    """Cost of all ships of a faction that sail in fleets."""
    return total(fleet_cost(state, fleet) for fleet in state.fleets_of(faction_id))


def faction_strength(state: CampaignState, faction_id: str) -> float:
    """Strength of all fleets of a faction."""
    return total(fleet_strength(state, fleet) for fleet in state.fleets_of(faction_id))


def slowest_ms(ships: list[Ship]) -> float:
    """Surface speed of the slowest ship in m/s."""
    return min((ship_class(ship.class_id).speed.surface for ship in ships), default=0.0)


def marines_aboard(ships: list[Ship]) -> int:
    """Marines that assault transports among some ships carry."""
    return sum(marines_of(ship) for ship in ships if ship.class_id == "assault_transport")


def marines_of(ship: Ship) -> int:
    """Marines of one ship."""
    return ship_class(ship.class_id).stores.marines if ship.marines is None else ship.marines
