"""Ships and fleets that come, part, join and vanish."""

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.economy.stocks import move, use
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class
from diorama.worlds.tidebreak.campaign.kinds import FLEET_NEEDS, Flow, Resource, Stance
from diorama.worlds.tidebreak.campaign.people import release
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Ship


def new_ship(state: CampaignState, class_id: str, owner: str, home: str) -> Ship:
    """Commission a hull; it belongs to no fleet yet."""
    number = state.next_number("ship")
    names = tables().people.ships
    name, series = names[(number - 1) % len(names)], 1 + (number - 1) // len(names)
    ship = Ship(
        id=f"{owner}-{class_id}-{number:04d}",
        number=number,
        name=name if series == 1 else f"{name} {series}",
        class_id=ship_class(class_id).name,
        owner=owner,
        home=home,
    )
    state.ships[ship.id] = ship
    return ship


def new_fleet(state: CampaignState, owner: str, node: str, name: str | None = None) -> Fleet:
    """Form a fleet without ships."""
    number = state.next_number("fleet")
    fleet = Fleet(
        id=f"fleet-{number}",
        number=number,
        name=name or f"{state.faction(owner).name} squadron {number}",
        owner=owner,
        node=node,
        ships=[],
        stance=Stance.HOLD,
        supply=dict.fromkeys(FLEET_NEEDS, 0.0),
    )
    state.fleets.append(fleet)
    return fleet


def station_ship(state: CampaignState, ship: Ship, node: str) -> Fleet:
    """Put a ship into the first own fleet that lies idle at a node, else into a new one."""
    idle = [f for f in state.fleets_at(node) if f.owner == ship.owner and f.mission is None and not f.path]
    fleet = idle[0] if idle else new_fleet(state, ship.owner, node)
    fleet.ships.append(ship.id)
    ship.fleet = fleet.id
    return fleet


def split(state: CampaignState, fleet: Fleet, ship_ids: list[str]) -> Fleet:
    """Send some ships of a fleet off on their own; supply goes by their number.

    Raises:
        ContractError: None or all of its ships are named, or one is not in it.
    """
    chosen = [name for name in fleet.ships if name in ship_ids]
    if not chosen or len(chosen) == len(fleet.ships) or len(chosen) != len(set(ship_ids)):
        raise ContractError(f"{fleet.name} can only be split by naming some of its ships: {', '.join(fleet.ships)}")
    part = new_fleet(state, fleet.owner, str(fleet.node))
    share = len(chosen) / len(fleet.ships)
    for resource in FLEET_NEEDS:
        move(fleet.supply, part.supply, resource, fleet.supply[resource] * share)
    for name in chosen:
        fleet.ships.remove(name)
        part.ships.append(name)
        state.ship(name).fleet = part.id
    return part


def merge(state: CampaignState, fleet: Fleet, other: Fleet) -> None:
    """Let another fleet at the same place join a fleet."""
    for name in other.ships:
        fleet.ships.append(name)
        state.ship(name).fleet = fleet.id
    other.ships = []
    for resource in FLEET_NEEDS:
        move(other.supply, fleet.supply, resource, other.supply[resource])
    for resource in Resource:
        move(other.cargo, fleet.cargo, resource, other.cargo[resource])
    disband_empty(state)


def remove_ship(state: CampaignState, ship: Ship) -> None:
    """Strike a ship off the list; its captain is somebody else's business."""
    for fleet in state.fleets:
        if ship.id in fleet.ships:
            fleet.ships.remove(ship.id)
    state.ships.pop(ship.id, None)


def disband_empty(state: CampaignState) -> None:
    """Dissolve fleets without ships; what they carried is lost with them."""
    for fleet in [fleet for fleet in state.fleets if not fleet.ships]:
        for resource in FLEET_NEEDS:
            use(state, fleet.supply, resource, fleet.supply[resource], Flow.LOST)
        for resource in Resource:
            use(state, fleet.cargo, resource, fleet.cargo[resource], Flow.LOST)
        release(state, fleet.commander)
        state.fleets.remove(fleet)
