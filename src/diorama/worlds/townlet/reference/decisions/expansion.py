"""From an option to the next step: the primitive controller under every policy."""

from collections.abc import Callable, Mapping
from typing import Final

from diorama.worlds.townlet.codes import NOTHING, Option, Primitive, Trait
from diorama.worlds.townlet.reference.decisions.nearness import chebyshev, manhattan
from diorama.worlds.townlet.reference.decisions.primitives import FIRST_INTERACT, FIRST_MOVE
from diorama.worlds.townlet.reference.decisions.targets import (
    Target,
    clean_target,
    fed_target,
    shop_target,
    sleep_target,
)
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.appointments import has_appointment
from diorama.worlds.townlet.reference.systems.conflicts import avoided_seats
from diorama.worlds.townlet.reference.systems.presence import stand_tile, zone_of
from diorama.worlds.townlet.reference.systems.talking import listener_for
from diorama.worlds.townlet.tables.paths import STAY

PARK_FROM: Final = 600
PARK_UNTIL: Final = 880
_STAND_STRIDE: Final = 3
_SOCIAL_STRIDE: Final = 7
_SOCIAL_MOVE_TICKS: Final = 200
_FULL_TILE_COST: Final = 0.5
_TARGETS: Final[Mapping[Option, Callable[[Town, Citizen], Target | None]]] = {
    Option.GET_FED: fed_target,
    Option.GET_CLEAN: clean_target,
    Option.SHOP_GROCERIES: shop_target,
    Option.SLEEP: sleep_target,
}


def expand(town: Town, citizen: Citizen) -> int:
    """The primitive that the current option comes to; the goal of the plan is set on the way."""
    if citizen.is_running:
        return Primitive.WAIT
    step = _step_of(town, citizen)
    return Primitive.TALK if step == Primitive.WAIT and _would_chat(town, citizen) else step


def social_zone(town: Town, citizen: Citizen) -> int:
    """Where a citizen goes for company, -1 if there is no such place."""
    if has_appointment(town, citizen):
        return citizen.appointment.zone
    return town.tables.park_zone if PARK_FROM <= town.tod < PARK_UNTIL else town.tables.cafe_zone


def chat_threshold(town: Town, citizen: Citizen) -> float:
    """Extroversion from which on a citizen seeks company."""
    threshold = town.config.behavior.chat_min_extroversion
    if town.config.features.behavior.personality_profiles:
        threshold /= town.tables.profiles[citizen.profile].chat_preference
    return threshold


def need_thresholds(town: Town, citizen: Citizen, *, is_night: bool = False) -> list[float]:
    """Needs below which a citizen looks after itself; at night it sleeps earlier."""
    rule = town.config.behavior
    energy = rule.night_energy_threshold if is_night else rule.energy_threshold
    thresholds = [rule.hunger_threshold, rule.hygiene_threshold, energy]
    if town.config.features.behavior.reward_multipliers:
        factors = town.tables.profiles[citizen.profile].need_factors
        thresholds = [threshold * factor for threshold, factor in zip(thresholds, factors, strict=True)]
    return thresholds


def _step_of(town: Town, citizen: Citizen) -> int:
    option = Option(citizen.plan.option)
    if option in _TARGETS:
        target = _TARGETS[option](town, citizen)
        return Primitive.WAIT if target is None else _use(town, citizen, target)
    if option is Option.GO_TO_WORK:
        zone = town.tables.jobs[citizen.job].zone if citizen.job != NOTHING else NOTHING
        return _stand(town, citizen, zone, citizen.seat * _STAND_STRIDE)
    if option is Option.SOCIALISE:
        return _socialise(town, citizen)
    if option is Option.AVOID_RIVALS:
        return _keep_away(town, citizen)
    return _stand(town, citizen, citizen.home, citizen.seat * _STAND_STRIDE)


def _use(town: Town, citizen: Citizen, target: Target) -> int:
    place, state = town.tables.objects[target.object], town.objects[target.object]
    if citizen.holding == target.object:
        if citizen.tile == place.use_tile:
            citizen.plan.goal = place.use_tile
            return FIRST_INTERACT + target.rank
        return _walk(town, citizen, place.use_tile)
    if citizen.queued == target.object:
        waiting_at = min(state.place_of(citizen.seat), len(place.queue_tiles) - 1)
        return _walk(town, citizen, place.queue_tiles[waiting_at])
    if citizen.holding != NOTHING or citizen.queued != NOTHING:
        return Primitive.RELEASE  # an interaction would be with that one, and others wait for it in vain
    # Where two objects are near, an interaction is with the nearer one: walk on until that is the target.
    if town.tables.reach[citizen.tile] != target.object:
        return _walk(town, citizen, place.use_tile)
    citizen.plan.goal = place.use_tile
    return FIRST_INTERACT + target.rank


def _stand(town: Town, citizen: Citizen, zone: int, number: int) -> int:
    if zone == NOTHING:
        citizen.plan.goal = NOTHING
        return Primitive.WAIT
    return _walk(town, citizen, stand_tile(town, zone, number))


def _walk(town: Town, citizen: Citizen, goal: int) -> int:
    citizen.plan.goal = goal
    if citizen.tile == goal:
        return Primitive.WAIT
    direction = town.tables.paths.next_dir(goal, citizen.tile, town.occupancy)
    return Primitive.WAIT if direction == STAY else FIRST_MOVE + direction


def _socialise(town: Town, citizen: Citizen) -> int:
    zone = social_zone(town, citizen)
    number = citizen.seat * _SOCIAL_STRIDE + town.tick // _SOCIAL_MOVE_TICKS
    if zone == NOTHING or zone_of(town, citizen) != zone:
        return _stand(town, citizen, zone, number)
    citizen.plan.goal = stand_tile(town, zone, number)
    if listener_for(town, citizen) is not None:
        return Primitive.TALK
    others = [other for other in town.living() if other is not citizen and zone_of(town, other) == zone]
    if not others:
        return Primitive.WAIT
    nearest = min(others, key=lambda other: manhattan(town, citizen.tile, other.tile))
    if chebyshev(town, citizen.tile, nearest.tile) <= 1:
        return Primitive.WAIT
    return _approach(town, citizen, nearest.tile)


def _approach(town: Town, citizen: Citizen, tile: int) -> int:
    best, best_cost = int(Primitive.WAIT), float("inf")
    for direction, neighbor in town.tables.paths.neighbors[citizen.tile]:
        cost = manhattan(town, neighbor, tile) + (_FULL_TILE_COST if town.occupancy[neighbor] else 0.0)
        if cost < best_cost:
            best, best_cost = FIRST_MOVE + direction, cost
    return best


def _keep_away(town: Town, citizen: Citizen) -> int:
    citizen.plan.goal = NOTHING
    rivals = [town.citizen(seat).tile for seat in avoided_seats(town, citizen)]
    best, best_distance = int(Primitive.WAIT), -1
    if not rivals:
        return best
    for direction, neighbor in town.tables.paths.neighbors[citizen.tile]:
        distance = min(manhattan(town, neighbor, tile) for tile in rivals)
        if not town.occupancy[neighbor] and distance > best_distance:
            best, best_distance = FIRST_MOVE + direction, distance
    return best


def _would_chat(town: Town, citizen: Citizen) -> bool:
    if citizen.traits[Trait.EXTROVERSION] < chat_threshold(town, citizen):
        return False
    if citizen.holding != NOTHING and citizen.tile == town.tables.objects[citizen.holding].use_tile:
        return False
    if any(need < least for need, least in zip(citizen.needs, need_thresholds(town, citizen), strict=True)):
        return False
    return listener_for(town, citizen) is not None
