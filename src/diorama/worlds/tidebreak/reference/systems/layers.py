"""Changing depth: orders, the time it takes, and what damage on the way does to it."""

from enum import IntEnum
from typing import Final

from diorama.numerics import ceil, floor, fmax
from diorama.worlds.tidebreak.codes import NO_LAYER, DamageType, Layer, System, UnitStatus, WeaponGroup
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT, POPPING_UP, STEADY, LayerState
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import (
    Component,
    Damage,
    Emit,
    Exposed,
    Exposure,
    HullField,
    LayerDirection,
    LayerOrder,
    Modify,
    Outputs,
    Plugin,
    StoresField,
)
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.terrain import depth_below
from diorama.worlds.tidebreak.reference.systems.weather import local_weather
from diorama.worlds.tidebreak.resolve.terrain import allows

BALLAST_MIN: Final = 0.25
FUEL_SHARE: Final = 0.01
CALM_SEA_STATE: Final = 3.0
SEA_STATE_DELAY: Final = 0.08
POP_UP_TICKS: Final = 12
POP_UP_FIRES_FROM: Final = 6
POP_UP_FIRES_TO: Final = 9
BOTCH_SHARE: Final = 0.1  # of hp_max, of damage since the transit began
STUCK_TICKS: Final = 20
BOTCH_FLOOD: Final = 0.3
CATASTROPHE_SHARE: Final = 0.3  # of hp_max
STRAIN_BELOW: Final = 0.5  # of hp_max
STRAIN_SHARE: Final = 0.0002


class Botch(IntEnum):
    """What goes wrong."""

    RETURN = 0
    STUCK = 1
    FLOODED = 2
    CATASTROPHE = 3


BOTCH_BELOW: Final = ((0.50, Botch.RETURN), (0.80, Botch.STUCK), (0.95, Botch.FLOODED), (1.0, Botch.CATASTROPHE))


def accepts(battle: Battle, unit: Unit, direction: LayerDirection) -> bool:
    """Whether the unit would carry out this order now."""
    layer = unit.layer
    if not unit.is_effective or unit.has(UnitStatus.GROUNDED) or layer.mode == POPPING_UP:
        return False
    if battle.is_attached(unit):
        return False
    if direction is LayerDirection.POP_UP:
        return layer.mode == STEADY and layer.layer == Layer.SUBMERGED and _has_pop_up_missile(battle, unit)
    goal = _goal(layer, direction)
    if goal is None or not unit.spec.hull.layers_mask >> goal & 1 or usable(unit, System.BALLAST) < BALLAST_MIN:
        return False
    return allows(depth_below(battle, unit.x, unit.y), goal)


def can_launch_in_pop_up(unit: Unit) -> bool:
    """Whether the unit is in the window of a pop-up in which missiles may be fired."""
    return unit.layer.mode == POPPING_UP and POP_UP_FIRES_FROM <= unit.layer.elapsed <= POP_UP_FIRES_TO


def _goal(layer: LayerState, direction: LayerDirection) -> Layer | None:
    """Layer the order leads to: one up or down, or back to where a transit came from."""
    step = -int(direction)
    if layer.mode == IN_TRANSIT:
        is_back = (layer.target_layer - layer.layer) * step < 0
        return Layer(layer.layer) if is_back else None
    goal = layer.layer + step
    return Layer(goal) if Layer.SURFACE <= goal <= Layer.ABYSSAL else None


def _has_pop_up_missile(battle: Battle, unit: Unit) -> bool:
    weapons = (battle.spec.weapons[mount.weapon] for mount in unit.spec.mounts)
    return any(weapon.group == WeaponGroup.MISSILE and weapon.pop_up for weapon in weapons)


def resolve_layer_orders(battle: Battle, outputs: Outputs) -> None:
    """Begin or turn around transits."""
    for order in outputs.of(LayerOrder):
        unit = battle.unit(order.source)
        if not accepts(battle, unit, order.direction):
            unit.note_invalid()
        elif order.direction is LayerDirection.POP_UP:
            unit.layer.mode, unit.layer.elapsed, unit.layer.total = POPPING_UP, 0, POP_UP_TICKS
            battle.record(EventKind.TRANSITION_START, unit.id, f0=float(POP_UP_TICKS), i0=Layer.SURFACE)
        elif unit.layer.mode == IN_TRANSIT:
            _reverse(unit.layer)
        else:
            _begin(battle, unit, order.direction, outputs)


def _begin(battle: Battle, unit: Unit, direction: LayerDirection, outputs: Outputs) -> None:
    layer = unit.layer
    layer.mode, layer.target_layer = IN_TRANSIT, layer.layer - int(direction)
    layer.elapsed, layer.total = 0, transit_ticks(battle, unit, layer.layer, layer.target_layer)
    layer.trans_damage, layer.botches = 0.0, 0
    battle.record(EventKind.TRANSITION_START, unit.id, f0=float(layer.total), i0=layer.target_layer)
    spent = -FUEL_SHARE * fmax(unit.spec.fuel_capacity_s, 0.0)
    outputs.emit(Plugin.CONTROLLER, Modify(unit.id, unit.id, Component.STORES, StoresField.FUEL, spent))


def transit_ticks(battle: Battle, unit: Unit, origin: int, goal: int) -> int:
    """How long the unit takes from one layer to the next, here and now."""
    is_shallow = Layer.SURFACE in (origin, goal)
    base_s = unit.spec.hull.dive_s if is_shallow else unit.spec.hull.deep_s
    weather = 1.0
    if is_shallow:
        sea_state = local_weather(battle, unit.x, unit.y).sea_state
        weather = 1.0 + SEA_STATE_DELAY * fmax(0.0, sea_state - CALM_SEA_STATE)
    return int(ceil(base_s * weather * (1.5 - 0.5 * usable(unit, System.BALLAST))))


def _reverse(layer: LayerState) -> None:
    layer.layer, layer.target_layer = layer.target_layer, layer.layer
    layer.elapsed = layer.total - layer.elapsed


def transition(_battle: Battle, unit: Unit, emit: Emit) -> None:
    """Weak hulls suffer in the abyss."""
    hp_max = unit.spec.hull.hp_max
    if unit.layer.layer == Layer.ABYSSAL and unit.hull.hp < STRAIN_BELOW * hp_max:
        emit(Exposed(unit.id, Exposure.ABYSS, STRAIN_SHARE * hp_max))


def resolve_layer_timers(battle: Battle, outputs: Outputs) -> None:
    """Botch transits that took too much damage, and bring the others one tick closer to their end."""
    for unit in battle.present_units():
        layer = unit.layer
        if layer.mode == STEADY:
            continue
        if layer.mode == IN_TRANSIT:
            crossed = int(floor(layer.trans_damage / (BOTCH_SHARE * unit.spec.hull.hp_max)))
            while layer.botches < crossed:
                layer.botches += 1
                _botch(battle, unit, outputs)
        layer.elapsed += 1
        if layer.elapsed >= layer.total:
            _finish(battle, unit)


def _finish(battle: Battle, unit: Unit) -> None:
    if unit.layer.mode == IN_TRANSIT:
        unit.layer = LayerState(layer=unit.layer.target_layer)
        unit.tally.transitions += 1
        battle.record(EventKind.TRANSITION_COMPLETE, unit.id, i0=unit.layer.layer)
    else:
        unit.layer = LayerState(layer=int(Layer.SUBMERGED), target_layer=NO_LAYER)


def _botch(battle: Battle, unit: Unit, outputs: Outputs) -> None:
    u = uniform(battle, Stream.LAYER_TRANSITION, unit.id, unit.layer.botches, 0)
    outcome = next(botch for below, botch in BOTCH_BELOW if u < below)
    event = battle.record(
        EventKind.TRANSITION_BOTCHED, unit.id, unit.id, cause=unit.memory.last_damage_event, i0=outcome
    )
    if outcome is Botch.STUCK:
        unit.layer.total += STUCK_TICKS
    elif outcome is Botch.FLOODED:
        flood = Modify(unit.id, unit.id, Component.HULL, HullField.FLOOD, BOTCH_FLOOD, cause=event)
        outputs.emit(Plugin.TRANSITION, flood)
    else:
        _reverse(unit.layer)
    if outcome is Botch.CATASTROPHE:
        outputs.emit(
            Plugin.TRANSITION,
            Damage(
                source=unit.id,
                target=unit.id,
                amount=CATASTROPHE_SHARE * unit.spec.hull.hp_max,
                type=DamageType.PRESSURE,
                direction=unit.heading,
                cause=event,
            ),
        )
