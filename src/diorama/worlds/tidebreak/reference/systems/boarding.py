"""Boarding, the connection: an attacker comes alongside, latches, docks and sends its marines over."""

from typing import Final

from diorama.numerics import fmax, fmin, hyp
from diorama.worlds.tidebreak.codes import (
    BoardingStatus,
    CaptureMethod,
    ConnectionState,
    Layer,
    System,
    UnitStatus,
    ZoneEffect,
)
from diorama.worlds.tidebreak.reference.components import STEADY, Boarding
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.boarding_fights import capture, fight_aboard
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.weather import local_weather
from diorama.worlds.tidebreak.reference.systems.zones import zone_intensity

LATCH_GAP_M: Final = 60.0
LATCH_RELATIVE_MS: Final = 3.0
LATCH_TARGET_MS: Final = 4.0
LATCH_TICKS: Final = 8
DOCK_TICKS: Final = 2
BREAK_RELATIVE_MS: Final = 4.0
BREAK_GAP_M: Final = 100.0
BREAK_DAMAGE: Final = 0.08  # of the attacker's hp_max, in one tick
WINDOW_KEEPS: Final = 0.9
MARINES_PER_TICK: Final = 2.0


def resolve_boarding(battle: Battle, _outputs: Outputs) -> None:
    """Bring every boarding one tick further, by attacker."""
    for attacker in battle.units:
        if not attacker.is_present:
            attacker.boarding.state = ConnectionState.NONE
            continue
        taken = attacker.scratch.effective_taken / attacker.spec.hull.hp_max
        attacker.boarding.damage_window = attacker.boarding.damage_window * WINDOW_KEEPS + taken
        if attacker.boarding.state == ConnectionState.NONE and attacker.scratch.board_target:
            _begin(battle, attacker, attacker.scratch.board_target)
        if attacker.boarding.state != ConnectionState.NONE:
            _continue(battle, attacker, battle.unit(attacker.boarding.target_id))


def gap_m(attacker: Unit, target: Unit) -> float:
    """Water between two hulls."""
    distance = hyp(target.x - attacker.x, target.y - attacker.y)
    return distance - attacker.spec.hull.radius_m - target.spec.hull.radius_m


def can_board(attacker: Unit) -> bool:
    """Whether a unit is where marines can go over the side, and has some."""
    return (
        attacker.is_effective
        and attacker.crew.marines > 0.0
        and attacker.layer.layer == Layer.SURFACE
        and attacker.layer.mode == STEADY
    )


def transfer_rate(battle: Battle, attacker: Unit, target: Unit) -> float:
    """Marines that can cross in one tick."""
    dock = 1.0 - 0.5 * fmin(1.0, attacker.boarding.damage_window / BREAK_DAMAGE)
    suppression = 1.0 - 0.7 * usable(target, System.WEAPONS)
    sea = fmax(0.2, 1.0 - 0.08 * local_weather(battle, attacker.x, attacker.y).sea_state)
    ecm = zone_intensity(battle, ZoneEffect.ECM, attacker.layers_mask, attacker.x, attacker.y)
    return MARINES_PER_TICK * dock * suppression * sea * (1.0 - 0.5 * ecm)


def _begin(battle: Battle, attacker: Unit, target_id: int) -> None:
    target, boarding = battle.unit(target_id), attacker.boarding
    is_held = boarding.target_id == target_id and boarding.status == BoardingStatus.ESTABLISHED
    if is_held or not (can_board(attacker) and _can_be_boarded(target)):
        attacker.note_invalid()
        return
    if boarding.target_id != target_id:
        attacker.boarding = Boarding(target_id=target_id, damage_window=boarding.damage_window)
    attacker.boarding.status = BoardingStatus.ATTEMPTED
    _enter(battle, attacker, ConnectionState.APPROACHING)


def _continue(battle: Battle, attacker: Unit, target: Unit) -> None:
    boarding = attacker.boarding
    if not target.is_present or target.has(UnitStatus.CAPTURED):
        _enter(battle, attacker, ConnectionState.NONE)
    elif boarding.state == ConnectionState.APPROACHING:
        _approach(battle, attacker, target)
    elif _breaks(attacker, target):
        _enter(battle, attacker, ConnectionState.APPROACHING)
    else:
        boarding.timer += 1
        _hold(battle, attacker, target)


def _approach(battle: Battle, attacker: Unit, target: Unit) -> None:
    ordered_id = attacker.scratch.board_target
    if ordered_id != target.id or not attacker.is_effective:
        _enter(battle, attacker, ConnectionState.NONE)
        if ordered_id:
            _begin(battle, attacker, ordered_id)
    elif _can_latch(attacker, target):
        _enter(battle, attacker, ConnectionState.LATCHING)


def _hold(battle: Battle, attacker: Unit, target: Unit) -> None:
    boarding = attacker.boarding
    if boarding.state == ConnectionState.LATCHING:
        if boarding.timer >= LATCH_TICKS:
            _enter(battle, attacker, ConnectionState.DOCKED)
            if target.has(UnitStatus.SURRENDERED):
                capture(battle, attacker, target, CaptureMethod.SURRENDERED)
        return
    boarding.attached_ticks += 1
    if target.has(UnitStatus.SURRENDERED):
        capture(battle, attacker, target, CaptureMethod.SURRENDERED)
    elif boarding.state == ConnectionState.DOCKED:
        if boarding.timer >= DOCK_TICKS:
            _enter(battle, attacker, ConnectionState.TRANSFERRING)
    else:
        moved = fmin(transfer_rate(battle, attacker, target), attacker.crew.marines)
        attacker.crew.marines -= moved
        boarding.transferred += moved
        fight_aboard(battle, attacker, target)


def _can_be_boarded(target: Unit) -> bool:
    is_on_surface = target.layer.layer == Layer.SURFACE and target.layer.mode == STEADY
    return target.is_present and is_on_surface and not target.has(UnitStatus.CAPTURED)


def _can_latch(attacker: Unit, target: Unit) -> bool:
    is_slow = target.speed <= LATCH_TARGET_MS or target.has(UnitStatus.DEAD_IN_WATER | UnitStatus.SURRENDERED)
    is_near = gap_m(attacker, target) <= LATCH_GAP_M and _relative_speed(attacker, target) <= LATCH_RELATIVE_MS
    return is_slow and is_near and _can_be_boarded(target)


def _breaks(attacker: Unit, target: Unit) -> bool:
    scratch = attacker.scratch
    return (
        _relative_speed(attacker, target) > BREAK_RELATIVE_MS
        or gap_m(attacker, target) > BREAK_GAP_M
        or scratch.effective_taken >= BREAK_DAMAGE * attacker.spec.hull.hp_max
        or any(other_id != target.id for other_id in scratch.collided_ids)
        or not attacker.is_effective
        or (attacker.boarding.state == ConnectionState.LATCHING and scratch.board_target != target.id)
    )


def _relative_speed(attacker: Unit, target: Unit) -> float:
    return hyp(target.motion.vx - attacker.motion.vx, target.motion.vy - attacker.motion.vy)


def _enter(battle: Battle, attacker: Unit, state: ConnectionState) -> None:
    attacker.boarding.state = state
    attacker.boarding.timer = 0
    battle.record(EventKind.BOARDING_STATE, attacker.id, attacker.boarding.target_id, i0=state)
