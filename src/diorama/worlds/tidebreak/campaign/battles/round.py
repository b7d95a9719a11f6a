"""The battles of a day, one after another."""

from collections.abc import Mapping

from diorama.worlds.tidebreak.campaign.battles.aftermath import apply_result
from diorama.worlds.tidebreak.campaign.battles.fighting import Fight
from diorama.worlds.tidebreak.campaign.battles.package import battle_package
from diorama.worlds.tidebreak.campaign.battles.roster import roster_of
from diorama.worlds.tidebreak.campaign.economy.stocks import move
from diorama.worlds.tidebreak.campaign.kinds import Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter

NO_CONTROLLERS: Mapping[str, str] = {}


def fight_battles(state: CampaignState, fight: Fight) -> bool:
    """Fight what is on the list until a battle of the player comes up; returns whether the list is done."""
    while state.encounters:
        encounter = state.encounters[0]
        if not _can_take_place(state, encounter):
            _call_off(state, encounter)
        elif state.player in encounter.factions and not state.is_autopilot:
            state.is_waiting = True
            return False
        else:
            apply_result(state, encounter, fight(battle_package(state, encounter), NO_CONTROLLERS))
    return True


def _can_take_place(state: CampaignState, encounter: Encounter) -> bool:
    """Whether both sides are still there; an earlier battle may have scattered one."""
    roster = roster_of(state, encounter)
    if not roster.attackers or not roster.defenders:
        return False
    for force in (encounter.attacker, encounter.defender):
        for name in force.fleets:
            fleet = state.find_fleet(name)
            if fleet is None or (fleet.passage is None and fleet.node != encounter.node):
                force.fleets = [other for other in force.fleets if other != name]
    roster = roster_of(state, encounter)
    return bool(roster.attackers) and bool(roster.defenders)


def _call_off(state: CampaignState, encounter: Encounter) -> None:
    """Strike an encounter off the list; a shipment that was in danger arrives."""
    if encounter.receiver is not None:
        for resource in Resource:
            move(encounter.cargo, state.hub(encounter.receiver).stock, resource, encounter.cargo[resource])
    state.encounters.remove(encounter)
