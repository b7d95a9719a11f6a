"""What a bot builds and invests in."""

from typing import Final

from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.fleets.strength import marines_aboard, ship_class
from diorama.worlds.tidebreak.campaign.kinds import NEEDS, Chain, DecisionKind, GoalKind, Resource
from diorama.worlds.tidebreak.campaign.politics.decision_targets import INVEST_MATERIALS, build_materials, legal_targets
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose, propose
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Goal, Hub

_WANTED_MARINES: Final = 600
_LINE_SHIPS: Final = ("frigate", "corvette", "attack_sub", "cutter", "skimmer")
_MADE_BY: Final = {
    Resource.FOOD: (Chain.KELP, Chain.AQUA),
    Resource.WATER: (Chain.DESAL,),
    Resource.FUEL: (Chain.REFINE, Chain.WELL),
    Resource.LUXURIES: (Chain.CRAFT,),
}
_BUILDS_MAX: Final = 2
_ENOUGH_DAYS: Final = 40.0
_KEPT_FUEL_DAYS: Final = 24.0


def reinforce(state: CampaignState, faction: Faction, goal: Goal, is_wanted: bool) -> bool:
    """Lay down the hull that the goal asks for, at the first yard that can pay it."""
    for class_id in _wanted_hulls(state, faction, goal):
        for hub in state.hubs_of(faction.id):
            if _can_build(state, hub, class_id):
                if is_wanted:
                    propose(state, hub, DecisionKind.BUILD, class_id, proposer=faction.id, is_pressed=True)
                return True
    return False


def invest(state: CampaignState, faction: Faction, _goal: Goal, is_wanted: bool) -> bool:
    """Enlarge what makes the scarcest need."""
    needs = sorted(
        ((hub.days[resource], hub.number, resource) for hub in state.hubs_of(faction.id) for resource in NEEDS),
        key=lambda entry: (entry[0], entry[1], list(NEEDS).index(entry[2])),
    )
    for days, number, resource in needs:
        if days > _ENOUGH_DAYS:
            return False
        hub = next(hub for hub in state.hubs if hub.number == number)
        targets = legal_targets(state, hub, DecisionKind.INVEST)
        for chain in _MADE_BY[resource]:
            if chain.value in targets and _can_invest(state, hub, chain):
                if is_wanted:
                    propose(state, hub, DecisionKind.INVEST, chain.value, proposer=faction.id)
                return True
    return False


def _wanted_hulls(state: CampaignState, faction: Faction, goal: Goal) -> list[str]:
    own = [ship for fleet in state.fleets_of(faction.id) for ship in state.ships_of(fleet)]
    hulls = list(_LINE_SHIPS)
    on_slip = sum(build.class_id == "assault_transport" for hub in state.hubs_of(faction.id) for build in hub.builds)
    planned = marines_aboard(own) + on_slip * ship_class("assault_transport").stores.marines
    if goal.kind is GoalKind.EXPAND and planned < _WANTED_MARINES:
        return ["assault_transport", *hulls]
    return hulls


def _can_build(state: CampaignState, hub: Hub, class_id: str) -> bool:
    row = ship_class(class_id)
    spare_fuel = hub.stock[Resource.FUEL] - _KEPT_FUEL_DAYS * daily_need(hub, Resource.FUEL)
    can_pay = hub.stock[Resource.MATERIALS] >= build_materials(class_id) and spare_fuel >= 2.0 * row.cost
    if not can_pay or len(hub.builds) >= _BUILDS_MAX or not can_propose(state, hub, DecisionKind.BUILD, class_id):
        return False
    return price_of_passing(hub, DecisionKind.BUILD, class_id, is_pressed=True) is not None


def _can_invest(state: CampaignState, hub: Hub, chain: Chain) -> bool:
    # More workshops for luxuries would eat up the materials that ships are made of.
    needed = 5.0 * INVEST_MATERIALS if chain is Chain.CRAFT else INVEST_MATERIALS
    if hub.stock[Resource.MATERIALS] < needed:
        return False
    is_askable = can_propose(state, hub, DecisionKind.INVEST, chain.value)
    return is_askable and price_of_passing(hub, DecisionKind.INVEST, chain.value, is_pressed=False) is not None
