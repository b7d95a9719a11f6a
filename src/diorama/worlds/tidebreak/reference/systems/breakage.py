"""What a critical hit breaks, and changes of the hull that other rules ask for."""

from collections.abc import Sequence
from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.codes import Layer, System
from diorama.worlds.tidebreak.reference.components import Compartment, Hull
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import HullField, Modify
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import average_over_compartments
from diorama.worlds.tidebreak.reference.systems.criticals import CEILING_PER_LOSS, FIRE_OR_FLOOD, SEVERITY, Critical

_SYSTEMS: Final = {
    Critical.PROPULSION: System.PROPULSION,
    Critical.BALLAST: System.BALLAST,
    Critical.WEAPONS: System.WEAPONS,
    Critical.SENSORS: System.SENSORS,
    Critical.POWER: System.POWER,
}
SHOWS_FROM: Final = 0.05  # fire and flood above this show


def break_something(battle: Battle, unit: Unit, effect: Critical, compartment: int | None, damage_event: int) -> None:
    """Carry out a critical effect; fire and water start in the struck compartment, if there is one."""
    if effect is Critical.FIRE and unit.layer.layer != Layer.SURFACE:
        effect = Critical.FLOOD
    event = battle.record(EventKind.CRITICAL, target=unit.id, cause=damage_event, i0=effect)
    if effect is Critical.FIRE:
        _start_fire(battle, unit, compartment, event)
    elif effect is Critical.FLOOD:
        _start_flooding(battle, unit, compartment, event)
    else:
        _lose_system(unit.hull, _SYSTEMS[effect], SEVERITY[unit.identity.tier])


def modify_hull(battle: Battle, unit: Unit, change: Modify) -> None:
    """Add to a field of the hull, within its range; fire and flood go to every compartment alike."""
    hull, place = unit.hull, change.field
    if place == HullField.HP:
        hull.hp = clamp(hull.hp + change.delta, 0.0, unit.spec.hull.hp_max)
    elif HullField.SYSTEMS <= place < HullField.CEILINGS:
        index = place - HullField.SYSTEMS
        hull.systems[index] = clamp(hull.systems[index] + change.delta, 0.0, 1.0)
    elif HullField.CEILINGS <= place < HullField.FIRE:
        index = place - HullField.CEILINGS
        hull.ceilings[index] = clamp(hull.ceilings[index] + change.delta, 0.0, 1.0)
    else:
        _modify_everywhere(battle, unit, change)


def _lose_system(hull: Hull, system: System, severity: float) -> None:
    hull.systems[system] = clamp(hull.systems[system] - severity, 0.0, 1.0)
    hull.ceilings[system] = clamp(hull.ceilings[system] - severity * CEILING_PER_LOSS, 0.0, 1.0)


def _start_fire(battle: Battle, unit: Unit, compartment: int | None, cause: int) -> None:
    was_burning = unit.hull.fire > SHOWS_FROM
    place = _place(unit, compartment)
    place.fire = clamp(place.fire + FIRE_OR_FLOOD, 0.0, 1.0)
    if unit.compartments:
        average_over_compartments(unit)
    if unit.hull.fire > SHOWS_FROM and not was_burning:
        battle.record(EventKind.FIRE_STARTED, target=unit.id, cause=cause, f0=unit.hull.fire)


def _start_flooding(battle: Battle, unit: Unit, compartment: int | None, cause: int) -> None:
    was_flooding = unit.hull.flood > SHOWS_FROM
    place = _place(unit, compartment)
    place.flood = clamp(place.flood + FIRE_OR_FLOOD, 0.0, 1.0)
    if unit.compartments:
        average_over_compartments(unit)
    if unit.hull.flood > SHOWS_FROM and not was_flooding:
        battle.record(EventKind.FLOODING_STARTED, target=unit.id, cause=cause, f0=unit.hull.flood)


def _modify_everywhere(battle: Battle, unit: Unit, change: Modify) -> None:
    was_flooding = unit.hull.flood > SHOWS_FROM
    places: Sequence[Compartment | Hull] = unit.compartments or (unit.hull,)
    for place in places:
        if change.field == HullField.FIRE:
            place.fire = clamp(place.fire + change.delta, 0.0, 1.0)
        else:
            place.flood = clamp(place.flood + change.delta, 0.0, 1.0)
    if unit.compartments:
        average_over_compartments(unit)
    if unit.hull.flood > SHOWS_FROM and not was_flooding:
        battle.record(EventKind.FLOODING_STARTED, target=unit.id, cause=change.cause, f0=unit.hull.flood)


def _place(unit: Unit, compartment: int | None) -> Compartment | Hull:
    return unit.hull if compartment is None else unit.compartments[compartment]
