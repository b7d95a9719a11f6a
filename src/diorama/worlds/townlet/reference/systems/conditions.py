"""Evaluating preconditions: a small stack machine over the operands of the expression language."""

from typing import Final

from diorama.worlds.townlet.codes import NEED_NAMES, NOBODY
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.expressions import Condition, Op, Operand
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS

_MEALS: Final = CORE_ITEMS.index("meals")
_PUSH_CONST: Final = int(Op.PUSH_CONST)
_PUSH_OPERAND: Final = int(Op.PUSH_OPERAND)


def holds(town: Town, condition: Condition, citizen: Citizen, object_index: int) -> bool:
    """Whether a condition is true for a citizen at an object."""
    stack: list[float] = []
    for op, argument in condition.code:
        if op == _PUSH_CONST:
            stack.append(argument)
        elif op == _PUSH_OPERAND:
            stack.append(operand_value(town, int(argument), citizen, object_index))
        else:
            _apply(op, int(argument), stack)
    return stack[0] != 0.0


def operand_value(town: Town, operand: int, citizen: Citizen, object_index: int) -> float:
    """Value of an operand; truth is 1.0 and 0.0."""
    state = town.objects[object_index]
    if Operand.STOCK <= operand < Operand.INVENTORY:
        return float(state.stock[operand - Operand.STOCK])
    if Operand.INVENTORY <= operand < Operand.NEED:
        return float(citizen.inventory[operand - Operand.INVENTORY])
    if Operand.NEED <= operand < Operand.NEED + len(NEED_NAMES):
        return citizen.needs[operand - Operand.NEED]
    if Operand.PRICE <= operand < Operand.PRICE + len(PRICE_KEYS):
        return town.economy.live[operand - Operand.PRICE]
    match operand:
        case Operand.OCCUPIED:
            return float(state.holder not in (NOBODY, citizen.seat))
        case Operand.POWER_ON:
            return float(town.has_power)
        case Operand.WATER_ON:
            return float(town.has_water)
        case Operand.MEAL_AVAILABLE:
            return float(state.stock[_MEALS] >= 1)
        case Operand.QUEUE_LENGTH:
            return float(len(state.queue))
        case Operand.TOD:
            return float(town.tod)
        case Operand.DAY:
            return float(town.day)
        case Operand.ON_SHIFT:
            return float(citizen.shift.is_on_shift)
        case Operand.SHIFT_STATE:
            return float(citizen.shift.state)
        case Operand.AT_HOME:
            return float(town.tables.map.zone_of[citizen.tile] == citizen.home)
        case Operand.IS_OWNER:
            return float(state.owner == citizen.seat)
        case _:
            return citizen.wallet


def _apply(op: int, argument: int, stack: list[float]) -> None:
    if op == Op.IN_SET:
        choices = [stack.pop() for _ in range(argument)]
        stack.append(float(stack.pop() in choices))
        return
    right = stack.pop()
    if op == Op.NOT:
        stack.append(float(right == 0.0))
        return
    if op == Op.NEG:
        stack.append(-right)
        return
    left = stack.pop()
    match op:
        case Op.EQ:
            result = left == right
        case Op.NE:
            result = left != right
        case Op.LT:
            result = left < right
        case Op.LE:
            result = left <= right
        case Op.GT:
            result = left > right
        case Op.GE:
            result = left >= right
        case Op.AND:
            result = left != 0.0 and right != 0.0
        case _:
            result = left != 0.0 or right != 0.0
    stack.append(float(result))
