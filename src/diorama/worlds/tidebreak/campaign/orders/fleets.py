"""Orders to fleets: which are legal, and what they do."""

from collections.abc import Iterator

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of
from diorama.worlds.tidebreak.campaign.fleets.missions import (
    INVASION_DAYS,
    STANCES,
    assign,
    load_delivery,
    mission_words,
    new_mission,
    open_missions,
)
from diorama.worlds.tidebreak.campaign.fleets.movement import set_course
from diorama.worlds.tidebreak.campaign.fleets.muster import merge, split
from diorama.worlds.tidebreak.campaign.fleets.strength import marines_aboard
from diorama.worlds.tidebreak.campaign.kinds import MissionKind, MissionStatus, Stance
from diorama.worlds.tidebreak.campaign.map.paths import path_days, shortest_path
from diorama.worlds.tidebreak.campaign.orders.order import Order, Verb
from diorama.worlds.tidebreak.campaign.sieges.landings import landing_threshold
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Mission


def fleet_orders(state: CampaignState, player: str) -> Iterator[Order]:
    """Give every order to a fleet that is legal now."""
    fleets = state.fleets_of(player)
    for fleet in fleets:
        yield from _moves(state, fleet)
        for stance in Stance:
            if stance is not fleet.stance:
                yield _order(Verb.STANCE, (fleet.id, stance.value), f"{fleet.name}: take the stance {stance.lower()}")
        yield from _splits(state, fleet)
        for other in fleets:
            if other is not fleet and fleet.node is not None and other.node == fleet.node:
                yield _order(Verb.MERGE, (fleet.id, other.id), f"{fleet.name}: take in {other.name}")
        yield from _tasks(state, player, fleet)


def order_fleet(state: CampaignState, player: str, order: Order) -> str:
    """Carry out an order to a fleet.

    Raises:
        ContractError: The fleet cannot do that.
    """
    names = order.arguments
    fleet = _own_fleet(state, player, names[1] if order.verb is Verb.MISSION else names[0])
    match order.verb:
        case Verb.MOVE:
            goal = state.node(names[1])
            set_course(state, fleet, goal.id)
            return f"{fleet.name} sails for {goal.name}"
        case Verb.STANCE:
            if names[1].upper() not in Stance.__members__:
                raise ContractError(f"{names[1]!r} is no stance; there are: {', '.join(Stance)}")
            fleet.stance = Stance[names[1].upper()]
            return f"{fleet.name} takes the stance {fleet.stance.lower()}"
        case Verb.SPLIT:
            _must_lie_still(fleet)
            part = split(state, fleet, names[1].split(","))
            return f"{part.name} ({part.id}) leaves {fleet.name} with {len(part.ships)} ships"
        case Verb.MERGE:
            return _merge(state, player, fleet, names[1])
        case Verb.MISSION:
            return _take_mission(state, player, fleet, names[0])
        case _:
            return _invade(state, player, fleet, names[1])


def _moves(state: CampaignState, fleet: Fleet) -> Iterator[Order]:
    start = fleet.passage.target if fleet.passage is not None else str(fleet.node)
    for node in state.nodes:
        path = shortest_path(state, start, node.id)
        if path is None or node.id == start:
            continue
        days = path_days(state, path)
        text = f"{fleet.name}: sail to {node.name} (about {days:.0f} day{'' if days == 1.0 else 's'})"
        yield _order(Verb.MOVE, (fleet.id, node.id), text)


def _splits(state: CampaignState, fleet: Fleet) -> Iterator[Order]:
    if fleet.node is None or len(fleet.ships) < 2:
        return
    for ship in state.ships_of(fleet):
        text = f"{fleet.name}: detach the {ship.class_id.replace('_', ' ')} {ship.name}"
        yield _order(Verb.SPLIT, (fleet.id, ship.id), text)
    half = ",".join(fleet.ships[::2])
    yield _order(Verb.SPLIT, (fleet.id, half), f"{fleet.name}: detach every second ship")


def _tasks(state: CampaignState, player: str, fleet: Fleet) -> Iterator[Order]:
    if fleet.mission is not None:
        return
    for mission in offered_missions(state, player):
        text = f"{fleet.name}: {mission_words(state, mission)} (for the {state.faction(mission.issuer).name})"
        yield _order(Verb.MISSION, (str(mission.number), fleet.id), text)
    for hub in state.hubs:
        if hub.owner in enemies_of(state, player) and marines_aboard(state.ships_of(fleet)) > 0:
            text = f"{fleet.name}: invade {hub.name} (takes {landing_threshold(hub):.0f} marines)"
            yield _order(Verb.INVADE, (fleet.id, hub.id), text)


def offered_missions(state: CampaignState, player: str) -> list[Mission]:
    """Missions the player may take: own ones, and those of others who trust the player enough."""
    return [
        mission
        for mission in open_missions(state)
        if mission.status is MissionStatus.OPEN
        and (mission.issuer == player or state.faction(mission.issuer).reputation >= mission.visibility)
        and not state.are_at_war(mission.issuer, player)
    ]


def _merge(state: CampaignState, player: str, fleet: Fleet, name: str) -> str:
    other = _own_fleet(state, player, name)
    _must_lie_still(fleet)
    if other is fleet or other.node != fleet.node:
        raise ContractError(f"{other.name} does not lie beside {fleet.name}; both must be at the same place")
    merge(state, fleet, other)
    return f"{other.name} joins {fleet.name}"


def _take_mission(state: CampaignState, player: str, fleet: Fleet, number: str) -> str:
    mission = next((m for m in offered_missions(state, player) if str(m.number) == number), None)
    if mission is None:
        raise ContractError(f"mission {number} is not offered; 'orders' lists those that are")
    if fleet.mission is not None:
        raise ContractError(f"{fleet.name} is on a mission already")
    assign(state, mission, [fleet])
    fleet.stance = STANCES[mission.kind]
    if mission.kind is MissionKind.DELIVERY:
        load_delivery(state, mission, fleet)
    if fleet.node != mission.node:
        set_course(state, fleet, mission.node)
    return f"{fleet.name} takes the mission: {mission_words(state, mission)}"


def _invade(state: CampaignState, player: str, fleet: Fleet, hub_id: str) -> str:
    hub = state.hub(hub_id)
    if hub.owner not in enemies_of(state, player):
        raise ContractError(f"{hub.name} is no enemy's; propose DECLARE_WAR first")
    if marines_aboard(state.ships_of(fleet)) <= 0:
        raise ContractError(f"{fleet.name} has no marines; it needs an assault transport")
    mission = new_mission(state, player, MissionKind.INVASION, hub.id, hub.id, days=INVASION_DAYS)
    mission.is_gathered = True
    assign(state, mission, [fleet])
    fleet.stance = Stance.BLOCKADE
    if fleet.node != hub.id:
        set_course(state, fleet, hub.id)
    return f"{fleet.name} sails to invade {hub.name}"


def _own_fleet(state: CampaignState, player: str, name: str) -> Fleet:
    fleet = state.fleet(name)
    if fleet.owner != player:
        own = ", ".join(f.id for f in state.fleets_of(player)) or "none"
        raise ContractError(f"{fleet.name} is not yours; your fleets are: {own}")
    return fleet


def _must_lie_still(fleet: Fleet) -> None:
    if fleet.node is None:
        raise ContractError(f"{fleet.name} is under way; fleets part and join at a place only")


def _order(verb: Verb, arguments: tuple[str, ...], text: str) -> Order:
    return Order(verb=verb, arguments=arguments, text=text)
