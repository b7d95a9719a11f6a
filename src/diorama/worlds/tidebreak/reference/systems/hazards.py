"""What the sea does to ships: burning zones, heavy seas, lightning, the pressure of the abyss."""

from typing import Final

from diorama.worlds.tidebreak.codes import DamageType, Layer, SizeClass, System, ZoneEffect
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import (
    Component,
    Damage,
    Emit,
    Exposed,
    Exposure,
    HullField,
    Modify,
    Outputs,
    Plugin,
)
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.weather import local_weather
from diorama.worlds.tidebreak.reference.systems.zones import zone_intensity

ZONE_SHARE: Final = 0.002  # of hp_max per tick
SMALL_FROM: Final = 6.0  # sea state from which S hulls suffer
SMALL_SHARE: Final = 0.004
MEDIUM_FROM: Final = 8.0
MEDIUM_SHARE: Final = 0.002
LIGHTNING_CHANCE: Final = 0.002
LIGHTNING_LOSS: Final = 0.25
DAMAGE_TYPES: Final = {
    Exposure.ZONE: DamageType.THERMAL,
    Exposure.SEA: DamageType.KINETIC,
    Exposure.ABYSS: DamageType.PRESSURE,
}


def hazard(battle: Battle, unit: Unit, emit: Emit) -> None:
    """Zones and weather reach units on SURFACE only."""
    if unit.layer.layer != Layer.SURFACE:
        return
    hp_max = unit.spec.hull.hp_max
    intensity = zone_intensity(battle, ZoneEffect.HAZARD, unit.layers_mask, unit.x, unit.y)
    if intensity > 0.0:
        emit(Exposed(unit.id, Exposure.ZONE, ZONE_SHARE * intensity * hp_max))
    weather = local_weather(battle, unit.x, unit.y)
    stress = hull_stress(unit.identity.size, hp_max, weather.sea_state)
    if stress > 0.0:
        emit(Exposed(unit.id, Exposure.SEA, stress))
    chance = LIGHTNING_CHANCE * weather.lightning
    if uniform(battle, Stream.WEATHER, unit.id, 0, 0) < chance:
        emit(Exposed(unit.id, Exposure.LIGHTNING, 0.0))


def hull_stress(size: int, hp_max: float, sea_state: float) -> float:
    """Damage per tick that this sea does to a hull of this size."""
    if size == SizeClass.S and sea_state > SMALL_FROM:
        excess = sea_state - SMALL_FROM
        return SMALL_SHARE * hp_max * (excess * excess)
    if size == SizeClass.M and sea_state > MEDIUM_FROM:
        return MEDIUM_SHARE * hp_max * (sea_state - MEDIUM_FROM)
    return 0.0


def resolve_hazards(battle: Battle, outputs: Outputs) -> None:
    """Note what units are exposed to, and pass it on as damage."""
    for exposed in outputs.of(Exposed):
        unit = battle.unit(exposed.source)
        if exposed.exposure is Exposure.LIGHTNING:
            event = battle.record(EventKind.LIGHTNING, target=unit.id)
            sensors = HullField.SYSTEMS + System.SENSORS
            outputs.emit(Plugin.HAZARD, Modify(unit.id, unit.id, Component.HULL, sensors, -LIGHTNING_LOSS, cause=event))
            continue
        event = battle.record(EventKind.HAZARD, target=unit.id, f0=exposed.amount, i0=exposed.exposure)
        outputs.emit(
            Plugin.HAZARD,
            Damage(
                source=unit.id,
                target=unit.id,
                amount=exposed.amount,
                type=DAMAGE_TYPES[exposed.exposure],
                direction=unit.heading,
                ignores_armour=True,
                can_crit=False,
                is_hazard=True,
                cause=event,
            ),
        )
