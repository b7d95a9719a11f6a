"""How bots sail their fleets."""

from diorama.worlds.tidebreak.campaign.fleets.missions import STANCES
from diorama.worlds.tidebreak.campaign.fleets.movement import set_course
from diorama.worlds.tidebreak.campaign.fleets.readiness import is_worn
from diorama.worlds.tidebreak.campaign.fleets.upkeep import FUEL_RESERVE_DAYS
from diorama.worlds.tidebreak.campaign.kinds import MissionKind, Resource, Stance
from diorama.worlds.tidebreak.campaign.map.paths import path_days, shortest_path
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Hub, Mission


def command_fleets(state: CampaignState) -> None:
    """Give every fleet of a bot its course and stance."""
    for fleet in state.fleets:
        if state.is_run_by_bot(fleet.owner) and fleet.node is not None:
            _command(state, fleet)


def nearest_hub(state: CampaignState, fleet: Fleet) -> str | None:
    """Own hub that is reached first from where a fleet lies; those that have fuel to give come first."""
    here = str(fleet.node or (fleet.passage and fleet.passage.target))

    def effort(hub: Hub) -> tuple[bool, float, int]:
        has_fuel = hub.days[Resource.FUEL] > FUEL_RESERVE_DAYS
        return not has_fuel, path_days(state, shortest_path(state, here, hub.id) or []), hub.number

    best = min(state.hubs_of(fleet.owner), key=effort, default=None)
    return None if best is None else best.id


def _command(state: CampaignState, fleet: Fleet) -> None:
    mission = state.find_mission(fleet.mission)
    if is_worn(state, fleet) and fleet.node != nearest_hub(state, fleet):
        fleet.mission, fleet.stance = None, Stance.RETURN
        _go(state, fleet, nearest_hub(state, fleet))
    elif mission is not None:
        fleet.stance = STANCES[mission.kind]
        _go(state, fleet, _goal(state, fleet, mission))
    elif state.find_hub(fleet.node) is None or state.hub(str(fleet.node)).owner != fleet.owner:
        fleet.stance = Stance.RETURN
        _go(state, fleet, nearest_hub(state, fleet))
    else:
        fleet.stance = Stance.HOLD


def _goal(state: CampaignState, fleet: Fleet, mission: Mission) -> str:
    if mission.kind is MissionKind.STRIKE:
        prey = state.find_fleet(mission.target)
        if prey is not None:
            mission.node = prey.node or (prey.passage.target if prey.passage is not None else mission.node)
    if mission.kind is MissionKind.INVASION and not mission.is_gathered and mission.rendezvous is not None:
        return mission.rendezvous
    return mission.node


def _go(state: CampaignState, fleet: Fleet, goal: str | None) -> None:
    if goal is not None and goal != fleet.node and (not fleet.path or fleet.path[-1] != goal):
        set_course(state, fleet, goal)
    elif goal == fleet.node:
        fleet.path = []
