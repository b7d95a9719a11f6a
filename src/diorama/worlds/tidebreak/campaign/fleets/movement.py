"""Fleets under way, one lane at a time."""

from typing import Final

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.fleets.strength import slowest_ms
from diorama.worlds.tidebreak.campaign.kinds import Resource
from diorama.worlds.tidebreak.campaign.map.paths import lane_between, shortest_path
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Passage

SLOW_MS: Final = 9.0
_ARRIVES_WITHIN: Final = 0.5  # a passage takes whole days, rounded to the nearest


def set_course(state: CampaignState, fleet: Fleet, goal: str) -> None:
    """Plan the quickest way; a fleet under way finishes its lane first.

    Raises:
        ContractError: There is no way.
    """
    start = fleet.passage.target if fleet.passage is not None else str(fleet.node)
    path = shortest_path(state, start, state.node(goal).id)
    if path is None:
        raise ContractError(f"no way leads from {state.node(start).name} to {state.node(goal).name}")
    fleet.path = path[1:]


def move_fleets(state: CampaignState) -> None:
    """Cast off, sail and arrive."""
    for fleet in state.fleets:
        if fleet.passage is None and fleet.path:
            _cast_off(state, fleet)
        if fleet.passage is None:
            continue
        fleet.passage.days_left -= 1.0
        if fleet.passage.days_left < _ARRIVES_WITHIN:
            fleet.node, fleet.came_from, fleet.passage = fleet.passage.target, fleet.passage.origin, None


def passage_days(state: CampaignState, fleet: Fleet, origin: str, target: str) -> float:
    """Days that a lane takes this fleet in this weather."""
    lane = lane_between(state, origin, target)
    if lane is None:
        raise ContractError(f"no lane joins {origin} and {target}")
    is_slow = slowest_ms(state.ships_of(fleet)) < SLOW_MS
    swell = state.node(target).sky.sea_state
    return lane.days * (1.0 + 0.5 * float(is_slow)) * (1.0 + 0.2 * swell / 5.0)


def _cast_off(state: CampaignState, fleet: Fleet) -> None:
    # Out of fuel nobody moves; the course is kept until there is some.
    if fleet.supply[Resource.FUEL] <= 0.0 or fleet.node is None:
        return
    target = fleet.path.pop(0)
    days = passage_days(state, fleet, fleet.node, target)
    fleet.passage = Passage(origin=fleet.node, target=target, days_left=days)
    fleet.node = None
