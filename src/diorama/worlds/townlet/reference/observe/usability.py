"""Whether an object is of use to a citizen right now, as its map shows it."""

from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.queues import may_use
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.expressions import Operand


def is_usable(town: Town, citizen: Citizen, object_index: int) -> bool:
    """Whether nobody else is using it, it is not on cooldown, its utilities are on, and it is not somebody else's."""
    state = town.objects[object_index]
    if state.spec is not None and state.holder != citizen.seat:
        return False
    if state.cooldowns[citizen.seat] > town.tick or not may_use(town, citizen, object_index):
        return False
    is_owner = state.owner == citizen.seat
    has_power, has_water = town.has_power, town.has_water
    return any(
        (has_power or not row.needs_power) and (has_water or not row.needs_water) and (is_owner or not is_owned(row))
        for row in town.tables.by_type[town.tables.objects[object_index].type]
    )


def is_owned(row: AffordanceRow) -> bool:
    """Whether only the owner of an object may do this with it."""
    return row.is_owner_only or any(
        operand == Operand.IS_OWNER for condition in row.conditions for operand, _ in condition.operands
    )
