"""How a bot goes to war for a hub."""

from typing import Final

from diorama.worlds.tidebreak.campaign.diplomacy.goals import PROTECTED
from diorama.worlds.tidebreak.campaign.fleets.missions import INVASION_DAYS, assign, new_mission, open_missions
from diorama.worlds.tidebreak.campaign.fleets.readiness import is_ready
from diorama.worlds.tidebreak.campaign.fleets.strength import fleet_strength, marines_aboard
from diorama.worlds.tidebreak.campaign.kinds import DecisionKind, MissionKind
from diorama.worlds.tidebreak.campaign.map.paths import path_days, shortest_path
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose, propose
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing
from diorama.worlds.tidebreak.campaign.sieges.landings import landing_threshold
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Fleet, Goal, Hub
from diorama.worlds.tidebreak.campaign.sums import total

_ODDS: Final = 1.2


def prepare_war(state: CampaignState, faction: Faction, goal: Goal) -> bool:
    """Ask the capital for the war that an invasion needs; False if it needs none or cannot have it."""
    if goal.target is None or state.are_at_war(faction.id, goal.target) or not _is_possible(state, faction, goal):
        return False
    capital = state.hub(faction.capital)
    if any(d.kind is DecisionKind.DECLARE_WAR and d.target == goal.target for d in capital.government.queue):
        return True
    if not can_propose(state, capital, DecisionKind.DECLARE_WAR, goal.target):
        return False
    if price_of_passing(capital, DecisionKind.DECLARE_WAR, goal.target, is_pressed=True) is None:
        return False
    propose(state, capital, DecisionKind.DECLARE_WAR, goal.target, proposer=faction.id, is_pressed=True)
    return True


def launch_invasion(state: CampaignState, faction: Faction, goal: Goal, is_wanted: bool) -> bool:
    """Send transports and all that is ready against a hub of the target."""
    if not _is_possible(state, faction, goal):
        return False
    target = _easiest_hub(state, faction, str(goal.target))
    if not is_wanted or target is None or not state.are_at_war(faction.id, target.owner):
        return target is not None and (not is_wanted or state.are_at_war(faction.id, target.owner))
    force = _force(state, faction)
    mission = new_mission(state, faction.id, MissionKind.INVASION, target.id, target.id, days=INVASION_DAYS)
    mission.rendezvous = _rendezvous(state, force[0], target)
    assign(state, mission, force)
    return True


def _is_possible(state: CampaignState, faction: Faction, goal: Goal) -> bool:
    if goal.target is None or state.has_treaty(faction.id, goal.target, *PROTECTED):
        return False
    target, force = _easiest_hub(state, faction, goal.target), _force(state, faction)
    is_running = any(m.kind is MissionKind.INVASION and m.issuer == faction.id for m in open_missions(state))
    if target is None or not force or is_running:
        return False
    marines = sum(marines_aboard(state.ships_of(fleet)) for fleet in force)
    own = total(fleet_strength(state, fleet) for fleet in force)
    theirs = total(fleet_strength(state, fleet) for fleet in state.fleets_of(target.owner))
    return marines >= landing_threshold(target) and own >= _ODDS * theirs


def _easiest_hub(state: CampaignState, faction: Faction, target: str) -> Hub | None:
    """Hub of the target that the fewest marines can hold a place in, the nearest on a tie."""
    home = faction.capital

    def effort(hub: Hub) -> tuple[float, float, int]:
        path = shortest_path(state, home, hub.id)
        return landing_threshold(hub), path_days(state, path or []), hub.number

    free = [hub for hub in state.hubs_of(target) if not any(siege.hub == hub.id for siege in state.sieges)]
    return min(free, key=effort, default=None)


def _force(state: CampaignState, faction: Faction) -> list[Fleet]:
    """Fleets that are ready, those with transports first; empty without any transport."""
    ready = [fleet for fleet in state.fleets_of(faction.id) if is_ready(state, fleet)]
    carriers = [fleet for fleet in ready if marines_aboard(state.ships_of(fleet)) > 0]
    return [*carriers, *(fleet for fleet in ready if fleet not in carriers)] if carriers else []


def _rendezvous(state: CampaignState, leader: Fleet, target: Hub) -> str | None:
    """Last place before the target that is nobody's."""
    path = shortest_path(state, str(leader.node), target.id) or []
    free = [node for node in path[1:-1] if state.node(node).owner is None]
    return free[-1] if free else leader.node
