"""Who meets whom today, and who would rather not."""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.campaign.battles.encounter_making import new_encounter
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.fleets.strength import DISABLED_AT, ship_cost, slowest_ms
from diorama.worlds.tidebreak.campaign.kinds import EncounterKind, MissionKind
from diorama.worlds.tidebreak.campaign.map.paths import lane_between
from diorama.worlds.tidebreak.campaign.state import CampaignState, Fleet, Force, Ship
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.campaign.telling.chronicle import report

_DECLINES_BELOW: Final = 0.5  # of the other side's cost
_LEAST_SPEED_MS: Final = 1.0


def find_encounters(state: CampaignState) -> None:
    """Put every battle of today on the list: at nodes, on lanes, and against cities and platforms."""
    busy = {name for encounter in state.encounters for name in (*encounter.attacker.fleets, *encounter.defender.fleets)}
    for node in state.nodes:
        here = [fleet for fleet in state.fleets_at(node.id) if fleet.id not in busy]
        owners = [faction.id for faction in state.factions]
        for first, second in combinations(owners, 2):
            if state.are_at_war(first, second):
                _meet_at(state, node.id, _own(here, first), _own(here, second), (first, second))
    for fleet, other in _crossing(state):
        if not busy.intersection((fleet.id, other.id)):
            _meet_on_lane(state, fleet, other)


def scouts_among(ships: list[Ship]) -> int:
    """How many ships look out for others."""
    return sum(ship.class_id in tables().economy.scouts for ship in ships)


def _own(fleets: list[Fleet], owner: str) -> list[Fleet]:
    return [fleet for fleet in fleets if fleet.owner == owner]


def _crossing(state: CampaignState) -> Iterator[tuple[Fleet, Fleet]]:
    for fleet, other in combinations(state.fleets, 2):
        if fleet.passage is None or other.passage is None or not state.are_at_war(fleet.owner, other.owner):
            continue
        ways = (fleet.passage.origin, fleet.passage.target), (other.passage.target, other.passage.origin)
        if ways[0] == ways[1]:
            yield fleet, other


def _meet_at(state: CampaignState, node: str, first: list[Fleet], second: list[Fleet], owners: tuple[str, str]) -> None:
    host = state.node(node).owner
    fixtures = _fixtures(state, node)
    sides = (
        Force(faction=owners[0], fleets=[f.id for f in first], fixtures=fixtures if host == owners[0] else []),
        Force(faction=owners[1], fleets=[f.id for f in second], fixtures=fixtures if host == owners[1] else []),
    )
    if not all(side.fleets or side.fixtures for side in sides):
        return
    attacker, defender = sides if host != owners[0] else sides[::-1]
    is_assault = _means_assault(state, attacker, node)
    if not attacker.fleets or (not defender.fleets and not is_assault):
        return
    fleets = [state.fleet(name) for name in (*attacker.fleets, *defender.fleets)]
    attacker.origin = fleets[0].came_from
    key = (fleets[0].number, fleets[-1].number if defender.fleets else state.node(node).number)
    is_chokepoint = state.node(node).is_chokepoint
    # Who attacks a city is seen by it: only fleets can miss each other.
    if defender.fleets and not _is_contact(state, attacker, defender, key, is_chokepoint=is_chokepoint):
        return
    if defender.fleets and not is_assault and _is_declined(state, attacker, defender, key):
        return
    kind = EncounterKind.FLEETS if defender.fleets else EncounterKind.ASSAULT
    _announce(state, kind, node, attacker, defender, key)


def _meet_on_lane(state: CampaignState, fleet: Fleet, other: Fleet) -> None:
    if fleet.passage is None:
        return
    lane = lane_between(state, fleet.passage.origin, fleet.passage.target)
    attacker = Force(faction=fleet.owner, fleets=[fleet.id], origin=fleet.passage.origin)
    defender = Force(faction=other.owner, fleets=[other.id], origin=fleet.passage.target)
    key = (fleet.number, other.number)
    is_chokepoint = lane is not None and lane.is_chokepoint
    if not _is_contact(state, attacker, defender, key, is_chokepoint=is_chokepoint):
        return
    if not _is_declined(state, attacker, defender, key):
        _announce(state, EncounterKind.FLEETS, fleet.passage.target, attacker, defender, key)


def _announce(
    state: CampaignState, kind: EncounterKind, node: str, attacker: Force, defender: Force, key: tuple[int, int]
) -> None:
    who = f"the {state.faction(attacker.faction).name} and the {state.faction(defender.faction).name}"
    text = f"{who} meet at {state.node(node).name}"
    cause = state.relation(attacker.faction, defender.faction).cause
    news = report(state, "battle", text, factions=[attacker.faction, defender.faction], node=node, cause=cause)
    new_encounter(state, kind, node, attacker=attacker, defender=defender, key=key, cause=news)


def _fixtures(state: CampaignState, node: str) -> list[str]:
    """Platform or city of a place that can still fight or be fought over."""
    hub, site = state.find_hub(node), state.find_site(node)
    names = (hub.hull if hub is not None else None, site.platform if site is not None else None)
    ships = [state.find_ship(name) for name in names]
    return [ship.id for ship in ships if ship is not None and ship.hp_share > DISABLED_AT]


def _means_assault(state: CampaignState, attacker: Force, node: str) -> bool:
    """Whether a side attacks a city that has no fleet; blockaders and passers-by only watch."""
    missions = [state.find_mission(state.fleet(name).mission) for name in attacker.fleets]
    return any(m is not None and m.kind is MissionKind.INVASION and m.node == node for m in missions)


def _ships(state: CampaignState, force: Force) -> list[Ship]:
    return [ship for name in force.fleets for ship in state.ships_of(state.fleet(name))]


def _is_contact(
    state: CampaignState, attacker: Force, defender: Force, key: tuple[int, int], *, is_chokepoint: bool
) -> bool:
    scouts = scouts_among(_ships(state, attacker)) - scouts_among(_ships(state, defender))
    chance = clamp(0.5 + 0.1 * scouts + 0.2 * float(is_chokepoint), 0.2, 0.95)
    return uniform(state, Stream.ENCOUNTERS, *key, 0) < chance


def _is_declined(state: CampaignState, attacker: Force, defender: Force, key: tuple[int, int]) -> bool:
    """The weaker side may slip away, the better the faster it is."""
    sides = [_ships(state, attacker), _ships(state, defender)]
    costs = [total(ship_cost(ship) * ship.hp_share for ship in ships) for ships in sides]
    weak, strong = (0, 1) if costs[0] < costs[1] else (1, 0)
    if costs[strong] <= 0.0 or costs[weak] / costs[strong] >= _DECLINES_BELOW:
        return False
    other = max(slowest_ms(sides[strong]), _LEAST_SPEED_MS)
    return uniform(state, Stream.ENCOUNTERS, *key, 1) < 0.5 * slowest_ms(sides[weak]) / other
