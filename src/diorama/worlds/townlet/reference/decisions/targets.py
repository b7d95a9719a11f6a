"""What options aim at: which object to use next, and how."""

from typing import Final, NamedTuple

from diorama.worlds.townlet.codes import NOBODY, NOTHING, Need, Role
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import money_cost
from diorama.worlds.townlet.reference.systems.presence import distance_to, own_fridge, own_stove
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS
from diorama.worlds.townlet.tables.paths import UNREACHABLE

SATISFIED: Final = 0.95
_MEALS: Final = CORE_ITEMS.index("meals")
_FOOD_RAW: Final = CORE_ITEMS.index("food_raw")
_EAT_TICKS: Final = 15
_COOK_AND_EAT_TICKS: Final = 55
_SHOWER_TURN_TICKS: Final = 30
_COOLDOWN_PENALTY: Final = 1000
_ENOUGH_FOOD: Final = 2


class Target(NamedTuple):
    """An object and the rank of the affordance to start there."""

    object: int
    rank: int


def row_of(town: Town, role: Role) -> AffordanceRow | None:
    """The affordance of a role, None if the manifest has none."""
    index = town.tables.roles[role]
    return None if index == NOTHING else town.tables.affordances[index]


def fed_target(town: Town, citizen: Citizen) -> Target | None:
    """The next step towards a meal, None if there is no way to one."""
    eat = row_of(town, Role.EAT)
    if eat is None:
        return None
    fridge = own_fridge(town, citizen)
    if fridge != NOTHING and town.objects[fridge].stock[_MEALS] >= 1:
        return Target(fridge, eat.rank)
    cafe = _cafe(town, citizen, eat)
    if cafe != NOTHING:
        is_starving = citizen.needs[Need.HUNGER] < town.config.behavior.critical_threshold
        if is_starving or _is_cafe_quicker(town, citizen, cafe):
            return Target(cafe, eat.rank)
    cooking = cook_target(town, citizen)
    if cooking is not None:
        return cooking
    return Target(cafe, eat.rank) if cafe != NOTHING else buy_target(town, citizen)


def cook_target(town: Town, citizen: Citizen) -> Target | None:
    """The own stove, if there is something to cook, room for the meal, and power."""
    cook = row_of(town, Role.COOK)
    stove, fridge = own_stove(town, citizen), own_fridge(town, citizen)
    if cook is None or stove == NOTHING or fridge == NOTHING or not town.has_power:
        return None
    has_room = town.objects[fridge].stock[_MEALS] < town.tables.objects[fridge].caps[_MEALS]
    return Target(stove, cook.rank) if has_room and citizen.inventory[_FOOD_RAW] >= 1 else None


def buy_target(town: Town, citizen: Citizen) -> Target | None:
    """The nearest till with goods in stock, if the citizen can pay there."""
    buy = row_of(town, Role.BUY)
    if buy is None:
        return None
    shop = _nearest(town, citizen, Role.BUY, buy)
    return None if shop == NOTHING else Target(shop, buy.rank)


def shop_target(town: Town, citizen: Citizen) -> Target | None:
    """Buying while supplies are low, else cooking, else buying."""
    buying = buy_target(town, citizen)
    if buying is not None and citizen.inventory[_FOOD_RAW] < _ENOUGH_FOOD:
        return buying
    return cook_target(town, citizen) or buying


def sleep_target(town: Town, citizen: Citizen) -> Target | None:
    """The own bed."""
    sleep = row_of(town, Role.SLEEP)
    return None if sleep is None or citizen.bed == NOTHING else Target(citizen.bed, sleep.rank)


def clean_target(town: Town, citizen: Citizen) -> Target | None:
    """The shower that is free soonest; who holds one or waits for one stays with it."""
    shower = row_of(town, Role.SHOWER)
    if shower is None:
        return None
    taken = citizen.queued if citizen.holding == NOTHING else citizen.holding
    if taken != NOTHING and town.tables.objects[taken].type == shower.type:
        return Target(taken, shower.rank)
    best, best_cost = NOTHING, 0
    for index in town.tables.open_to[Role.SHOWER][citizen.home]:
        row, state = town.tables.objects[index], town.objects[index]
        cost = (
            _SHOWER_TURN_TICKS * (len(state.queue) + (state.holder != NOBODY))
            + distance_to(town, citizen, row.use_tile)
            + (_COOLDOWN_PENALTY if state.cooldowns[citizen.seat] > town.tick else 0)
        )
        if best == NOTHING or cost < best_cost:
            best, best_cost = index, cost
    return None if best == NOTHING else Target(best, shower.rank)


def can_shower(town: Town, citizen: Citizen) -> bool:
    """Whether a shower can be paid, works, and is not on cooldown everywhere."""
    shower = row_of(town, Role.SHOWER)
    if shower is None or (shower.needs_power and not town.has_power) or (shower.needs_water and not town.has_water):
        return False
    return any(
        citizen.wallet >= money_cost(town, shower, index) and town.objects[index].cooldowns[citizen.seat] <= town.tick
        for index in town.tables.open_to[Role.SHOWER][citizen.home]
    )


def _cafe(town: Town, citizen: Citizen, eat: AffordanceRow) -> int:
    return _nearest(town, citizen, Role.EAT, eat, public_only=True)


def _nearest(town: Town, citizen: Citizen, role: Role, row: AffordanceRow, *, public_only: bool = False) -> int:
    """The nearest object for an affordance that has the stock and that the citizen can pay, -1 for none."""
    best, best_distance = NOTHING, UNREACHABLE
    for index in town.tables.open_to[role][citizen.home]:
        place = town.tables.objects[index]
        if place.is_residents and public_only:
            continue
        held = town.objects[index].stock
        if any(have < cost for have, cost in zip(held, row.stock_costs, strict=True)):
            continue
        distance = distance_to(town, citizen, place.use_tile)
        if distance < best_distance and citizen.wallet >= money_cost(town, row, index):
            best, best_distance = index, distance
    return best


def _is_cafe_quicker(town: Town, citizen: Citizen, cafe: int) -> bool:
    stove = own_stove(town, citizen)
    if stove == NOTHING:
        return True
    to_cafe = distance_to(town, citizen, town.tables.objects[cafe].use_tile)
    to_stove = distance_to(town, citizen, town.tables.objects[stove].use_tile)
    return to_cafe + _EAT_TICKS < to_stove + _COOK_AND_EAT_TICKS
