"""Which missions bots write out, and which fleets they send."""

from collections.abc import Iterator
from typing import Final

from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.wars import enemies_of
from diorama.worlds.tidebreak.campaign.draws import Stream, choice
from diorama.worlds.tidebreak.campaign.economy.routes import owners_of
from diorama.worlds.tidebreak.campaign.fleets.missions import (
    MISSION_DAYS,
    OPEN,
    assign,
    load_delivery,
    new_mission,
    open_missions,
)
from diorama.worlds.tidebreak.campaign.fleets.readiness import is_ready
from diorama.worlds.tidebreak.campaign.fleets.strength import fleet_cost
from diorama.worlds.tidebreak.campaign.kinds import (
    NEEDS,
    ActionKind,
    GoalKind,
    MissionKind,
    MissionStatus,
    NodeKind,
    Resource,
    RouteStatus,
)
from diorama.worlds.tidebreak.campaign.map.paths import hostile_fleets_at, path_days, shortest_path
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Fleet, Goal, Mission
from diorama.worlds.tidebreak.campaign.sums import total

MISSIONS_MAX: Final = 3
_ODDS: Final = 1.2
_STARVED_BELOW_DAYS: Final = 20.0
_DELIVERY_BELOW_DAYS: Final = 10.0
_FUEL_DAYS: Final = 14.0
_PAUSE_DAYS: Final = 30  # before a routine mission is repeated
_PLAYER_GRACE_DAYS: Final = 30
_NEEDS_FREIGHTERS: Final = (MissionKind.DELIVERY, MissionKind.SALVAGE)

_Plan = tuple[MissionKind, str, str]
"""Kind, target, node."""


def plan_missions(state: CampaignState) -> None:
    """Write out missions for bots, and send their fleets on them."""
    for faction in state.standing:
        if state.is_run_by_bot(faction.id):
            _plan_routine(state, faction)
    for mission in open_missions(state):
        if mission.status is MissionStatus.OPEN and state.is_run_by_bot(mission.issuer):
            _send(state, mission)


def order_mission(state: CampaignState, faction: Faction, goal: Goal, is_wanted: bool) -> bool:
    """Write out the first mission that serves a goal and that a fleet could take."""
    plans = _against(state, faction, goal.target) if goal.kind is GoalKind.WEAKEN else _for_survival(state, faction)
    for kind, target, node in plans:
        if _may_write(state, faction, kind, node) and _able_fleets(state, faction.id, kind, node):
            if is_wanted:
                new_mission(state, faction.id, kind, target, node, days=MISSION_DAYS)
            return True
    return False


def estimated_opposition(state: CampaignState, faction_id: str, node: str) -> float:
    """Cost of enemy fleets at a place."""
    return total(fleet_cost(state, fleet) for fleet in hostile_fleets_at(state, node, faction_id))


def _plan_routine(state: CampaignState, faction: Faction) -> None:
    cost = tables().actions[ActionKind.MISSION].cost
    if faction.action_points < cost:
        return
    for kind, target, node in _routine(state, faction):
        if _may_write(state, faction, kind, node) and _has_taker(state, faction, kind, node):
            new_mission(state, faction.id, kind, target, node, days=MISSION_DAYS)
            faction.action_points -= cost
            return


def _routine(state: CampaignState, faction: Faction) -> Iterator[_Plan]:
    own_routes = [route for route in state.routes if faction.id in owners_of(state, route)]
    for route in own_routes:
        for node in route.path:
            if route.status is RouteStatus.CONTESTED and hostile_fleets_at(state, node, faction.id):
                yield MissionKind.ESCORT, route.id, node
    yield from _for_survival(state, faction)
    if not _can_afford_sailing(state, faction):
        return
    for route in own_routes:
        yield from ((MissionKind.PATROL, node, node) for node in route.path if state.node(node).is_chokepoint)
    yield from ((MissionKind.SALVAGE, node.id, node.id) for node in state.nodes if node.kind is NodeKind.WRECK)
    quiet = [node for node in state.nodes if node.owner is None]
    if quiet and enemies_of(state, faction.id):
        goal = quiet[choice(state, Stream.MISSIONS, faction.number, 0, 0, len(quiet))]
        yield MissionKind.RECON, goal.id, goal.id


def _can_afford_sailing(state: CampaignState, faction: Faction) -> bool:
    """Whether fuel is left for what can wait."""
    return all(hub.days[Resource.FUEL] > _FUEL_DAYS for hub in state.hubs_of(faction.id))


def _against(state: CampaignState, faction: Faction, target: str | None) -> Iterator[_Plan]:
    if target is None or not state.are_at_war(faction.id, target):
        return
    if target == state.player and state.day < _PLAYER_GRACE_DAYS:
        return
    for fleet in state.fleets_of(target):
        if fleet.node is not None:
            yield MissionKind.STRIKE, fleet.id, fleet.node
    for route in state.routes:
        if target not in owners_of(state, route) or faction.id in owners_of(state, route):
            continue
        hub = state.hub(route.origin if state.hub(route.origin).owner == target else route.destination)
        is_starved = any(hub.days[resource] < _STARVED_BELOW_DAYS for resource in NEEDS)
        middle = route.path[len(route.path) // 2]
        yield (MissionKind.BLOCKADE if is_starved else MissionKind.RAID), route.id, middle
    for site in state.sites:
        if site.owner == target:
            yield MissionKind.BLOCKADE, site.id, site.id


def _for_survival(state: CampaignState, faction: Faction) -> Iterator[_Plan]:
    for hub in state.hubs_of(faction.id):
        is_short = any(hub.days[resource] < _DELIVERY_BELOW_DAYS for resource in NEEDS)
        if hub.id != faction.capital and is_short and not enemies_of(state, faction.id):
            yield MissionKind.DELIVERY, hub.id, hub.id


def _may_write(state: CampaignState, faction: Faction, kind: MissionKind, node: str) -> bool:
    own = [mission for mission in state.missions if mission.issuer == faction.id]
    if sum(mission.status in OPEN for mission in own) >= MISSIONS_MAX:
        return False
    recent = [mission for mission in own if mission.status in OPEN or state.day - mission.created_day < _PAUSE_DAYS]
    return not any((mission.kind, mission.node) == (kind, node) for mission in recent)


def _has_taker(state: CampaignState, faction: Faction, kind: MissionKind, node: str) -> bool:
    """Whether an own fleet could go, or the player could be asked because there is none."""
    if _able_fleets(state, faction.id, kind, node):
        return True
    if state.player is None or state.player == faction.id or state.fleets_of(faction.id):
        return False
    return not state.are_at_war(faction.id, state.player)


def _able_fleets(state: CampaignState, faction_id: str, kind: MissionKind, node: str) -> list[Fleet]:
    """Own idle fleets that match the opposition, the nearest first, the cheapest of equally near ones."""
    needed = _ODDS * estimated_opposition(state, faction_id, node)
    able = [f for f in state.fleets_of(faction_id) if is_ready(state, f) and fleet_cost(state, f) >= needed]
    if kind in _NEEDS_FREIGHTERS:
        able = [f for f in able if any(ship.class_id == "freighter" for ship in state.ships_of(f))]

    def effort(fleet: Fleet) -> tuple[float, float, int]:
        way = shortest_path(state, str(fleet.node), node) or []
        return path_days(state, way), fleet_cost(state, fleet), fleet.number

    return sorted(able, key=effort)


def _send(state: CampaignState, mission: Mission) -> None:
    able = _able_fleets(state, mission.issuer, mission.kind, mission.node)
    if able:
        assign(state, mission, [able[0]])
        if mission.kind is MissionKind.DELIVERY:
            load_delivery(state, mission, able[0])
