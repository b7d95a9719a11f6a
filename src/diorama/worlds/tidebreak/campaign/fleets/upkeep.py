"""What fleets use up, and how they are filled again."""

from typing import Final

from diorama.numerics import clamp, fmax, fmin
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.economy.stocks import gain, move, use
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS, Flow, HubKind, Resource, TreatyKind
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Hub, Ship
from diorama.worlds.tidebreak.campaign.sums import total

CARRIED_DAYS: Final = 30.0
FREIGHTER_UNITS: Final = 200.0
FUEL_RESERVE_DAYS: Final = 12.0
FOOD_RESERVE_DAYS: Final = 5.0
_PER_CREW: Final = 0.01
_IN_PORT: Final = 0.2
_FRIENDLY_SHARE: Final = 0.5
_FRIENDLY_FROM: Final = 0.3
_STARVING_CREW: Final = 0.02
_FATIGUE_AT_SEA: Final = 0.01
_FATIGUE_IN_PORT: Final = 0.05
_RECRUITS: Final = 0.02  # crew share a day in an own hub


def ship_upkeep(ship: Ship, resource: Resource, *, in_port: bool) -> float:
    """Units a ship uses in a day."""
    if resource is Resource.FUEL:
        burned = tables().economy.fuel_per_day.get(ship.class_id, 0.0)
        return burned * (_IN_PORT if in_port else 1.0)
    return _PER_CREW * ship_class(ship.class_id).crew * ship.crew_share


def daily_upkeep(state: CampaignState, fleet: Fleet, resource: Resource, *, in_port: bool) -> float:
    """Units a fleet uses in a day."""
    return total(ship_upkeep(ship, resource, in_port=in_port) for ship in state.ships_of(fleet))


def capacity(state: CampaignState, fleet: Fleet, resource: Resource) -> float:
    """Units a fleet can carry: a month under way, and what its freighters add in the same proportion."""
    needs = {r: daily_upkeep(state, fleet, r, in_port=False) for r in FLEET_NEEDS}
    needed = total(needs.values())
    freighters = sum(ship.class_id == "freighter" for ship in state.ships_of(fleet))
    share = needs[resource] / needed if needed > 0.0 else 0.0
    return CARRIED_DAYS * needs[resource] + FREIGHTER_UNITS * freighters * share


def port_of(state: CampaignState, fleet: Fleet) -> Hub | None:
    """Hub a fleet lies in if it is welcome there."""
    hub = state.find_hub(fleet.node)
    return hub if hub is not None and _welcome_share(state, fleet.owner, hub) > 0.0 else None


def sustain_fleets(state: CampaignState) -> None:
    """Let every fleet eat, burn fuel, tire or rest, and fill up where it can."""
    for fleet in state.fleets:
        port = port_of(state, fleet)
        is_starving = False
        for resource in FLEET_NEEDS:
            need = daily_upkeep(state, fleet, resource, in_port=port is not None)
            taken = use(state, fleet.supply, resource, need, Flow.CONSUMED)
            is_starving |= resource is not Resource.FUEL and taken < need * 0.5
        for ship in state.ships_of(fleet):
            _live(
                ship,
                is_starving=is_starving,
                in_port=port is not None,
                at_home=port is not None and port.owner == fleet.owner,
            )
        if port is not None:
            _fill(state, fleet, port)
        _drop_excess(state, fleet)


def _live(ship: Ship, *, is_starving: bool, in_port: bool, at_home: bool) -> None:
    tiring = -_FATIGUE_IN_PORT if in_port else _FATIGUE_AT_SEA
    ship.fatigue = clamp(ship.fatigue + tiring, 0.0, 1.0)
    if is_starving:
        ship.crew_share = clamp(ship.crew_share - _STARVING_CREW, 0.05, 1.0)
    elif at_home:
        ship.crew_share = clamp(ship.crew_share + _RECRUITS, 0.0, 1.0)


def _fill(state: CampaignState, fleet: Fleet, port: Hub) -> None:
    share = _welcome_share(state, fleet.owner, port)
    for resource in FLEET_NEEDS:
        wanted = share * capacity(state, fleet, resource) - fleet.supply[resource]
        if resource is Resource.WATER and port.kind is HubKind.LAND_BASE:
            # Rivers belong to nobody's stock.
            gain(state, fleet.supply, resource, fmax(wanted, 0.0), Flow.FOUND)
            continue
        days = FUEL_RESERVE_DAYS if resource is Resource.FUEL else FOOD_RESERVE_DAYS
        spare = fmax(port.stock[resource] - days * daily_need(port, resource), 0.0)
        move(port.stock, fleet.supply, resource, fmin(wanted, spare))


def _drop_excess(state: CampaignState, fleet: Fleet) -> None:
    """What lost ships carried is lost."""
    for resource in FLEET_NEEDS:
        excess = fleet.supply[resource] - capacity(state, fleet, resource)
        if excess > 0.0:
            use(state, fleet.supply, resource, excess, Flow.LOST)


def _welcome_share(state: CampaignState, owner: str, hub: Hub) -> float:
    if hub.owner == owner:
        return 1.0
    if state.are_at_war(owner, hub.owner):
        return 0.0
    is_friendly = state.relation(owner, hub.owner).disposition >= _FRIENDLY_FROM
    is_bound = state.has_treaty(owner, hub.owner, TreatyKind.MUTUAL_DEFENSE, TreatyKind.VASSALAGE)
    return _FRIENDLY_SHARE if is_friendly or is_bound else 0.0
