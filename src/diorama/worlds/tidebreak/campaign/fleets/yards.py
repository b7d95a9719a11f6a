"""Building, repair and rearming in hubs."""

from typing import Final

from diorama.numerics import clamp, fmin
from diorama.worlds.tidebreak.campaign.economy.stocks import hub_use, move
from diorama.worlds.tidebreak.campaign.fleets.muster import new_ship, station_ship
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class, ship_cost
from diorama.worlds.tidebreak.campaign.fleets.upkeep import capacity
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS, Flow, Resource
from diorama.worlds.tidebreak.campaign.politics.decision_targets import build_materials
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Ship
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

REPAIR_PER_DAY: Final = 0.05
SYSTEMS_PER_DAY: Final = 0.2
REPAIR_MATERIALS: Final = 0.25  # of the cost, per day
REARM_MATERIALS: Final = 0.1  # of the cost, per full load
_YARD_SHARE: Final = 0.5  # of the materials, at most, that repairs of one ship may take on a day


def work_yards(state: CampaignState) -> None:
    """Build the first hull of every queue, and mend what lies in port."""
    for hub in state.hubs:
        _build(state, hub)
        for ship in _ships_in_port(state, hub):
            _mend(state, hub, ship)


def _build(state: CampaignState, hub: Hub) -> None:
    if not hub.builds:
        return
    job = hub.builds[0]
    if not job.is_begun:
        materials, fuel = build_materials(job.class_id), 2.0 * ship_class(job.class_id).cost
        if hub.stock[Resource.MATERIALS] < materials or hub.stock[Resource.FUEL] < fuel:
            return
        hub_use(state, hub, Resource.MATERIALS, materials, Flow.SPENT)
        hub_use(state, hub, Resource.FUEL, fuel, Flow.SPENT)
        job.is_begun = True
    job.days_left -= 1.0
    if job.days_left > 0.0:
        return
    hub.builds.pop(0)
    ship = new_ship(state, job.class_id, hub.owner, hub.id)
    fleet = station_ship(state, ship, hub.id)
    for resource in FLEET_NEEDS:
        wanted = capacity(state, fleet, resource) - fleet.supply[resource]
        move(hub.stock, fleet.supply, resource, fmin(wanted, hub.stock[resource]))
    text = f"{hub.name} commissions the {job.class_id.replace('_', ' ')} {ship.name}"
    report(state, "yard", text, factions=[hub.owner], node=hub.id, cause=job.cause)


def _ships_in_port(state: CampaignState, hub: Hub) -> list[Ship]:
    fleets = [fleet for fleet in state.fleets_at(hub.id) if fleet.owner == hub.owner]
    ships = [ship for fleet in fleets for ship in state.ships_of(fleet)]
    fixed = [hub.hull, *(site.platform for site in state.sites if site.hub == hub.id and not site.is_cut_off)]
    return [*ships, *(ship for ship in (state.find_ship(name) for name in fixed) if ship is not None)]


def _mend(state: CampaignState, hub: Hub, ship: Ship) -> None:
    cost = ship_cost(ship)
    if ship.hp_share < 1.0 or min(ship.systems) < 1.0 or min(ship.compartments, default=1.0) < 1.0:
        full = REPAIR_MATERIALS * cost
        paid = hub_use(
            state, hub, Resource.MATERIALS, fmin(full, _YARD_SHARE * hub.stock[Resource.MATERIALS]), Flow.SPENT
        )
        share = paid / full
        ship.hp_share = clamp(ship.hp_share + REPAIR_PER_DAY * share, 0.0, 1.0)
        ship.compartments = [clamp(part + REPAIR_PER_DAY * share, 0.0, 1.0) for part in ship.compartments]
        ship.systems = [clamp(part + SYSTEMS_PER_DAY * share, 0.0, 1.0) for part in ship.systems]
    if ship.ammo_share < 1.0:
        full = REARM_MATERIALS * cost
        paid = hub_use(state, hub, Resource.MATERIALS, full * (1.0 - ship.ammo_share), Flow.SPENT)
        ship.ammo_share = clamp(ship.ammo_share + paid / full, 0.0, 1.0)
    ship.decoy_share = 1.0
