"""Damage arrives: armor, hit points, people, critical hits, fates, and who gets the credit."""

from typing import Final

from diorama.numerics import fmax, wrap
from diorama.worlds.tidebreak.codes import DamageType, SizeClass, System, UnitStatus
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.draws import Stream, choice, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.fields.effects import blast_intensity, explosion_surface
from diorama.worlds.tidebreak.reference.outputs import Damage, Outputs, Plugin, StampField
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.armour import effective_damage
from diorama.worlds.tidebreak.reference.systems.breakage import SHOWS_FROM, break_something
from diorama.worlds.tidebreak.reference.systems.casualties import crew_loss, lose_crew
from diorama.worlds.tidebreak.reference.systems.compartments import (
    HULL_COMPARTMENTS,
    INNER_CHANCE,
    INNER_DISTRICTS,
    lose_integrity,
    struck_compartment,
    usable,
)
from diorama.worlds.tidebreak.reference.systems.criticals import critical_chance, critical_effect
from diorama.worlds.tidebreak.reference.systems.fates import settle_fate

DISABLED_BELOW: Final = 0.25
DEAD_IN_WATER_BELOW: Final = 0.1


def resolve_damage(battle: Battle, outputs: Outputs) -> None:
    """Let every damage of the phase arrive, by source and then in the order it was caused."""
    for damage in outputs.of(Damage):
        unit = battle.unit(damage.target)
        if unit.is_present and damage.amount > 0.0:
            _suffer(battle, unit, damage, outputs)


def finish_hulls(battle: Battle, outputs: Outputs) -> None:
    """Settle the fates that the tick has led to and derive the status bits that follow from the hull."""
    for unit in battle.present_units():
        settle_fate(battle, unit, outputs)
        propulsion = usable(unit, System.PROPULSION)
        _show(unit, UnitStatus.MOBILITY_DISABLED, is_set=propulsion < DISABLED_BELOW)
        _show(unit, UnitStatus.WEAPONS_DISABLED, is_set=usable(unit, System.WEAPONS) < DISABLED_BELOW)
        _show(unit, UnitStatus.SENSORS_DISABLED, is_set=usable(unit, System.SENSORS) < DISABLED_BELOW)
        _show(unit, UnitStatus.ON_FIRE, is_set=unit.hull.fire > SHOWS_FROM)
        _show(unit, UnitStatus.FLOODING, is_set=unit.hull.flood > SHOWS_FROM)
        _show(unit, UnitStatus.DEAD_IN_WATER, is_set=propulsion < DEAD_IN_WATER_BELOW)


def _suffer(battle: Battle, unit: Unit, damage: Damage, outputs: Outputs) -> None:
    effective = _effective(unit, damage)
    unit.hull.hp = fmax(0.0, unit.hull.hp - effective)
    if unit.layer.mode == IN_TRANSIT:
        unit.layer.trans_damage += effective
    event = _note(battle, unit, damage, effective)
    _credit(battle, unit, damage, effective)
    if damage.can_crit:
        _hit(battle, unit, damage, effective, event)
    if _is_explosion(damage):
        for stamp in explosion_surface(unit.x, unit.y, blast_intensity(effective)):
            outputs.emit(Plugin.GUIDANCE, StampField(unit.id, stamp))
    settle_fate(battle, unit, outputs, city_killer=damage.city_killer)


def _effective(unit: Unit, damage: Damage) -> float:
    if not damage.can_crit and not damage.is_hazard:
        return damage.amount
    armour = 0.0 if damage.ignores_armour else unit.spec.hull.armour
    return effective_damage(damage.amount, damage.type, armour, in_transit=unit.layer.mode == IN_TRANSIT)


def _note(battle: Battle, unit: Unit, damage: Damage, effective: float) -> int:
    """Record the event; what burns and floods tick by tick has none of its own."""
    if not damage.can_crit and not damage.cause:
        return unit.memory.last_damage_event
    event = battle.record(
        EventKind.DAMAGE,
        damage.source,
        unit.id,
        cause=damage.cause,
        f0=effective,
        f1=unit.hull.hp,
        i0=int(damage.type),
    )
    unit.memory.last_damage_event = event
    return event


def _credit(battle: Battle, unit: Unit, damage: Damage, effective: float) -> None:
    unit.tally.damage_taken += effective
    unit.scratch.effective_taken += effective
    if damage.is_hazard:
        unit.tally.hazard_damage += effective
        unit.scratch.hazard_damage += effective
    if damage.source == unit.id:
        return
    source = battle.unit(damage.source)
    unit.memory.last_damage_by = source.id
    source.tally.damage_dealt += effective
    source.tally.hits += 1
    source.memory.harmed_at[unit.team] = battle.tick
    worth = effective / unit.spec.hull.hp_max * unit.spec.hull.cost
    if source.team == unit.team:
        source.scratch.dealt_own += worth
    else:
        source.scratch.dealt += worth


def _hit(battle: Battle, unit: Unit, damage: Damage, effective: float, event: int) -> None:
    """What a hit does beyond taking hit points: it costs people, opens a compartment and may break something."""
    hp_max, hit = unit.spec.hull.hp_max, unit.scratch.hits_taken
    unit.scratch.hits_taken += 1
    lose_crew(unit, crew_loss(unit.spec.crew.crew_start, effective, hp_max))
    compartment = _compartment_of(battle, unit, damage.direction, hit)
    if compartment is not None:
        lose_integrity(unit, compartment, effective)
    if uniform(battle, Stream.DAMAGE, unit.id, hit, 0) < critical_chance(effective, hp_max):
        effect = critical_effect(damage.type, uniform(battle, Stream.DAMAGE, unit.id, hit, 1))
        break_something(battle, unit, effect, compartment, event)


def _compartment_of(battle: Battle, unit: Unit, direction: float, hit: int) -> int | None:
    if not unit.compartments:
        return None
    if unit.identity.size == SizeClass.XL and uniform(battle, Stream.DAMAGE, unit.id, hit, 2) < INNER_CHANCE:
        return HULL_COMPARTMENTS + choice(battle, Stream.DAMAGE, unit.id, hit, 3, INNER_DISTRICTS)
    return struck_compartment(wrap(direction - unit.heading))


def _is_explosion(damage: Damage) -> bool:
    """Whether it is a shell or missile that goes off on a hull; what bursts in the water stamps by itself."""
    is_weapon = damage.source != damage.target and not damage.ignores_armour
    return is_weapon and damage.type in (DamageType.KINETIC, DamageType.EXPLOSIVE)


def _show(unit: Unit, bit: UnitStatus, *, is_set: bool) -> None:
    if is_set:
        unit.mark(bit)
    else:
        unit.unmark(bit)
