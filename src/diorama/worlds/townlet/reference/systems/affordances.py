"""Affordances: starting one, advancing those that run, and ending them well or badly."""

from typing import Final, NamedTuple

from diorama.worlds.townlet.codes import NOBODY, NOTHING, ApplyMode, FailReason, Option, Role
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.names import CONDITIONS_PER_AFFORDANCE
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.conditions import holds, operand_value
from diorama.worlds.townlet.reference.systems.handover import hand_over
from diorama.worlds.townlet.reference.systems.hooks import run_after, run_before, run_fail
from diorama.worlds.townlet.reference.systems.needs import change_need
from diorama.worlds.townlet.reference.systems.prices import amount_of
from diorama.worlds.townlet.reference.systems.queues import may_use, release
from diorama.worlds.townlet.tables.affordances import DEFAULT_COOLDOWN, AffordanceRow

_REFUNDED: Final = (FailReason.UTILITY_OUTAGE, FailReason.OBJECT_REMOVED)
_ENDS_OPTION: Final = {
    Role.EAT: (Option.GET_FED,),
    Role.COOK: (Option.SHOP_GROCERIES,),
    Role.SHOWER: (Option.GET_CLEAN,),
    Role.SLEEP: (Option.SLEEP,),
    Role.BUY: (Option.SHOP_GROCERIES,),
}


class Obstacle(NamedTuple):
    """Why something cannot be started: the place of the failing condition, -1 where what it costs is missing."""

    condition: int


def money_cost(town: Town, row: AffordanceRow, object_index: int) -> float:
    """Coins an affordance costs at an object now."""
    return amount_of(town, row.money) * town.tables.objects[object_index].price_factor


def obstacle_to(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> Obstacle | None:
    """The first thing that keeps a citizen from starting an affordance at an object, None if nothing does."""
    for place, condition in enumerate(row.conditions):
        if not holds(town, condition, citizen, object_index):
            return Obstacle(place)
    return None if _can_afford(town, citizen, row, object_index) else Obstacle(NOTHING)


def start(town: Town, citizen: Citizen, rank: int) -> bool:
    """Start the affordance of a rank at the object a citizen holds and stands at.

    Returns:
        Whether it runs now. If not, the reservation is gone and it has been told why.
    """
    object_index = citizen.holding
    state = town.objects[object_index]
    rows = town.tables.by_type[town.tables.objects[object_index].type]
    if rank >= len(rows):
        _refuse(town, citizen, object_index, NOTHING, FailReason.MISSING_SPEC)
        return False
    row = rows[rank]
    obstacle = obstacle_to(town, citizen, row, object_index)
    if obstacle is not None:
        _tell_obstacle(town, citizen, row, object_index, obstacle)
        run_fail(town, citizen, row, object_index)
        _refuse(town, citizen, object_index, row.index, FailReason.PRECONDITION_FAILED)
        return False
    if not run_before(town, citizen, row, object_index):
        run_fail(town, citizen, row, object_index)
        _refuse(town, citizen, object_index, row.index, FailReason.HOOK_CANCELLED)
        return False
    _take_costs(town, citizen, row, object_index)
    state.running, state.spec, state.remaining = row.index, row, row.duration
    citizen.is_running = True
    town.record(EventKind.AFFORDANCE_START, citizen.number, object_index, row.index, row.duration)
    return True


def advance_affordances(town: Town) -> None:
    """Advance everything that runs by one tick, in object order; what has run its time is finished."""
    for object_index, state in enumerate(town.objects):
        row = state.spec
        if row is None:
            continue
        citizen = town.citizen(state.holder)
        if row.mode is ApplyMode.SPREAD:
            for need, effect in enumerate(row.effects):
                change_need(town, citizen, need, amount_of(town, effect) / row.duration)
        state.remaining -= 1
        if state.remaining == 0:
            _finish(town, citizen, row, object_index)


def fail_running(town: Town, citizen: Citizen, reason: FailReason) -> None:
    """End what a citizen is doing before its time, and release what it holds."""
    object_index = citizen.holding
    row = town.objects[object_index].spec
    if not citizen.is_running or row is None:
        return
    if reason in _REFUNDED:
        _refund(town, citizen, row, object_index)
    _stop(town.objects[object_index], citizen)
    run_fail(town, citizen, row, object_index)
    _refuse(town, citizen, object_index, row.index, reason)


def fail_without_utilities(town: Town) -> None:
    """End everything that runs and needs a utility that is off."""
    has_power, has_water = town.has_power, town.has_water
    for state in town.objects:
        row = state.spec
        if row is not None and ((row.needs_power and not has_power) or (row.needs_water and not has_water)):
            fail_running(town, town.citizen(state.holder), FailReason.UTILITY_OUTAGE)


def _finish(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    state = town.objects[object_index]
    effects = [amount_of(town, effect) for effect in row.effects]
    if row.mode is ApplyMode.FINISH:
        for need, delta in enumerate(effects):
            if delta != 0.0:
                change_need(town, citizen, need, delta)
    _give_yields(town, citizen, row, object_index)
    _stop(state, citizen)
    run_after(town, citizen, row, object_index)
    town.record(EventKind.AFFORDANCE_FINISH, citizen.number, object_index, row.index, *effects)
    _end_option(town, citizen, row)
    default = town.config.queue_fairness.cooldown_ticks
    hand_over(town, object_index, citizen, cooldown=default if row.cooldown == DEFAULT_COOLDOWN else row.cooldown)


def _end_option(town: Town, citizen: Citizen, row: AffordanceRow) -> None:
    for role, options in _ENDS_OPTION.items():
        if row.index != NOTHING and town.tables.roles[role] == row.index and citizen.plan.option in options:
            citizen.plan.has_ended = True


def _can_afford(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> bool:
    state = town.objects[object_index]
    return (
        citizen.wallet >= money_cost(town, row, object_index)
        and all(held >= cost for held, cost in zip(state.stock, row.stock_costs, strict=True))
        and all(held >= cost for held, cost in zip(citizen.inventory, row.inventory_costs, strict=True))
        and may_use(town, citizen, object_index)
        and not (row.is_owner_only and state.owner != citizen.seat)
    )


def _take_costs(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    state = town.objects[object_index]
    state.paid = money_cost(town, row, object_index)
    citizen.wallet -= state.paid
    for item, cost in enumerate(row.stock_costs):
        state.stock[item] -= cost
    for item, cost in enumerate(row.inventory_costs):
        citizen.inventory[item] -= cost


def _refund(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    state = town.objects[object_index]
    citizen.wallet += state.paid
    for item, cost in enumerate(row.stock_costs):
        state.stock[item] += cost
    for item, cost in enumerate(row.inventory_costs):
        citizen.inventory[item] += cost


def _give_yields(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    for item, count in enumerate(row.inventory_yields):
        citizen.inventory[item] += count
    _put(town, object_index, row.stock_yields)
    linked = town.tables.objects[object_index].linked
    if linked != NOTHING:
        _put(town, linked, row.linked_yields)


def _put(town: Town, object_index: int, yields: tuple[int, ...]) -> None:
    state, caps = town.objects[object_index], town.tables.objects[object_index].caps
    for item, count in enumerate(yields):
        if count:
            state.stock[item] = max(state.stock[item], min(caps[item], state.stock[item] + count))


def _stop(state: ObjectState, citizen: Citizen) -> None:
    state.running, state.spec, state.remaining, state.paid = NOTHING, None, 0, 0.0
    citizen.is_running = False


def _refuse(town: Town, citizen: Citizen, object_index: int, affordance: int, reason: FailReason) -> None:
    town.record(EventKind.AFFORDANCE_FAIL, citizen.number, object_index, affordance, reason)
    if town.objects[object_index].holder != NOBODY:
        release(town, object_index)


def _tell_obstacle(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int, obstacle: Obstacle) -> None:
    if obstacle.condition == NOTHING:
        town.record(EventKind.AFFORDANCE_PRECONDITION_FAIL, citizen.number, object_index, row.index, NOTHING)
        return
    values = [
        operand_value(town, operand, citizen, object_index)
        for operand, _ in row.conditions[obstacle.condition].operands
    ]
    condition = row.index * CONDITIONS_PER_AFFORDANCE + obstacle.condition
    town.record(EventKind.AFFORDANCE_PRECONDITION_FAIL, citizen.number, object_index, row.index, condition, *values)
