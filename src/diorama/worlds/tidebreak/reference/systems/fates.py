"""What becomes of a hull whose hit points run out, by its size."""

from typing import Final

from diorama.numerics import fmax
from diorama.worlds.tidebreak.codes import SizeClass, System, UnitKind, UnitStatus
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.fields.effects import sinking
from diorama.worlds.tidebreak.reference.outputs import Outputs, Plugin, StampField
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable

MEDIUM_DISABLED_BELOW: Final = 0.15  # of hp_max, as all shares here
MEDIUM_DEAD_PROPULSION: Final = 0.1
LARGE_SINKS_FLOOD: Final = 0.6
LARGE_HELD_HP: Final = 1.0
LARGE_DISABLED_AT: Final = 0.2
CITY_HELD_SHARE: Final = 0.05
CITY_DISABLED_AT: Final = 0.25


def settle_fate(battle: Battle, unit: Unit, outputs: Outputs, *, city_killer: bool = False) -> None:
    """Destroy or disable a unit that has come to that; `city_killer` is of the damage it has just taken."""
    hull, hp_max = unit.hull, unit.spec.hull.hp_max
    match SizeClass(unit.identity.size):
        case SizeClass.S:
            if hull.hp <= 0.0:
                destroy(battle, unit, outputs)
        case SizeClass.M:
            if hull.hp <= 0.0:
                destroy(battle, unit, outputs)
            elif hull.hp < MEDIUM_DISABLED_BELOW * hp_max and usable(unit, System.PROPULSION) < MEDIUM_DEAD_PROPULSION:
                disable(battle, unit)
        case SizeClass.L:
            if hull.hp <= 0.0 and hull.flood >= LARGE_SINKS_FLOOD:
                destroy(battle, unit, outputs)
                return
            if hull.hp <= 0.0:
                hull.hp = LARGE_HELD_HP
            if hull.hp <= LARGE_DISABLED_AT * hp_max:
                disable(battle, unit)
        case SizeClass.XL:
            if hull.hp <= 0.0 and city_killer:
                destroy(battle, unit, outputs)
                return
            if hull.hp <= CITY_DISABLED_AT * hp_max:
                disable(battle, unit)
            hull.hp = fmax(hull.hp, CITY_HELD_SHARE * hp_max)


def destroy(battle: Battle, unit: Unit, outputs: Outputs) -> None:
    """Take a unit out of the battle, name its destroyer and leave the traces of its end."""
    unit.hull.hp = 0.0
    unit.mark(UnitStatus.DESTROYED)
    memory = unit.memory
    if unit.identity.kind == UnitKind.SQUADRON:
        battle.record(EventKind.SQUADRON_LOST, memory.last_damage_by, unit.id, cause=memory.last_damage_event)
        return
    battle.record(EventKind.DESTROYED, memory.last_damage_by, unit.id, cause=memory.last_damage_event)
    destroyer = battle.find_unit(memory.last_damage_by)
    if destroyer is not None and destroyer.team != unit.team:
        destroyer.tally.kills += 1
    credit_loss(battle, unit)
    for stamp in sinking(unit.x, unit.y):
        outputs.emit(Plugin.DAMAGE_CONTROL, StampField(unit.id, stamp))


def disable(battle: Battle, unit: Unit) -> None:
    """Put a unit out of the fight for the rest of the battle; once is enough."""
    if unit.has(UnitStatus.DISABLED):
        return
    unit.mark(UnitStatus.DISABLED)
    battle.record(EventKind.DISABLED, unit.memory.last_damage_by, unit.id, cause=unit.memory.last_damage_event)
    credit_loss(battle, unit)


def credit_loss(battle: Battle, unit: Unit) -> None:
    """Credit the cost of a lost unit, once, to the enemy that damaged it last."""
    victor = battle.find_unit(unit.memory.last_damage_by)
    if unit.memory.is_loss_paid or victor is None or victor.team == unit.team:
        return
    unit.memory.is_loss_paid = True
    victor.scratch.credited_cost += unit.spec.hull.cost
