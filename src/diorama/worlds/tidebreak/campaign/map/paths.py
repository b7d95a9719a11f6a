"""Ways over the map, and who can be met on them."""

from collections.abc import Callable
from itertools import pairwise

from diorama.worlds.tidebreak.campaign.fleets.strength import fleet_cost
from diorama.worlds.tidebreak.campaign.kinds import Stance
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Lane
from diorama.worlds.tidebreak.campaign.sums import total

_BLOCKADE_RATIO = 1.5


def lane_between(state: CampaignState, first: str, second: str) -> Lane | None:
    """Return the lane that joins two nodes."""
    return next((lane for lane in state.lanes if {lane.a, lane.b} == {first, second}), None)


def neighbors(state: CampaignState, node_id: str) -> list[str]:
    """Return the nodes one lane away, in the order of their numbers."""
    found = {lane.b if lane.a == node_id else lane.a for lane in state.lanes if node_id in (lane.a, lane.b)}
    return [node.id for node in state.nodes if node.id in found]


def shortest_path(
    state: CampaignState, start: str, goal: str, passable: Callable[[str], bool] = lambda _node: True
) -> list[str] | None:
    """Return the nodes of the quickest way, both ends included; ties go to lower node numbers.

    Args:
        state: The campaign.
        start: Node id.
        goal: Node id.
        passable: Nodes in between that may be used; both ends always may.
    """
    numbers = {node.id: node.number for node in state.nodes}
    best: dict[str, tuple[float, list[str]]] = {start: (0.0, [start])}
    open_nodes = [start]
    while open_nodes:
        here = min(open_nodes, key=lambda node: (best[node][0], numbers[node]))
        open_nodes.remove(here)
        days, way = best[here]
        if here == goal:
            return way
        for there in neighbors(state, here):
            lane = lane_between(state, here, there)
            if lane is None or (there != goal and not passable(there)):
                continue
            if there not in best or days + lane.days < best[there][0]:
                best[there] = (days + lane.days, [*way, there])
                open_nodes.append(there)
    return None


def path_days(state: CampaignState, path: list[str]) -> float:
    """Days of sailing along a path in calm weather."""
    total = 0.0
    for first, second in pairwise(path):
        lane = lane_between(state, first, second)
        total += 0.0 if lane is None else lane.days
    return total


def hostile_fleets_at(state: CampaignState, node_id: str, *owners: str) -> list[Fleet]:
    """Return the fleets at a node that are at war with one of some factions."""
    return [
        fleet for fleet in state.fleets_at(node_id) if any(state.are_at_war(fleet.owner, owner) for owner in owners)
    ]


def is_blockaded(state: CampaignState, node_id: str, *owners: str) -> bool:
    """Whether hostile fleets close a node against the escorts of some factions."""
    hostile = hostile_fleets_at(state, node_id, *owners)
    closing = [fleet for fleet in hostile if fleet.stance is Stance.BLOCKADE]
    if not closing:
        return False
    escorts = total(fleet_cost(state, fleet) for fleet in state.fleets_at(node_id) if fleet.owner in owners)
    return total(fleet_cost(state, fleet) for fleet in closing) > _BLOCKADE_RATIO * escorts


def is_cut_off(state: CampaignState, start: str, goal: str, owner: str) -> bool:
    """Whether every way between two places of a faction is blockaded."""
    if is_blockaded(state, start, owner) or is_blockaded(state, goal, owner):
        return True
    return shortest_path(state, start, goal, lambda node: not is_blockaded(state, node, owner)) is None
