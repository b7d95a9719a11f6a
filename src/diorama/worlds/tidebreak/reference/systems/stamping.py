"""Traces in the fields: wakes, fires, pings, transits, and whatever exploded or sank in this tick."""

from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.components import IN_TRANSIT
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.fields import effects
from diorama.worlds.tidebreak.reference.outputs import Emit, Outputs, StampField
from diorama.worlds.tidebreak.reference.sensing.pairs import is_pinging
from diorama.worlds.tidebreak.reference.state import Battle, Unit


def stamp_sources(battle: Battle, unit: Unit, emit: Emit) -> None:
    """What a unit leaves behind it by being there."""
    if not battle.rules.fields:
        return
    x, y, layer = unit.x, unit.y, unit.layer.layer
    stamps = list(effects.wake(layer, x, y, unit.spec.hull.radius_m, unit.speed))
    if unit.hull.fire > 0.0 and layer == Layer.SURFACE:
        stamps += effects.fire(x, y, unit.hull.fire)
    if is_pinging(battle, unit):
        stamps += effects.sonar_ping(layer, x, y)
    if unit.layer.mode == IN_TRANSIT:
        stamps += effects.transit(unit.layers_mask, x, y)
    for stamp in stamps:
        emit(StampField(unit.id, stamp))


def keep_stamps(battle: Battle, outputs: Outputs) -> None:
    """Keep the stamps of a phase until the fields are due."""
    battle.stamps.extend((stamp.source, stamp.stamp) for stamp in outputs.of(StampField))


def resolve_fields(battle: Battle, outputs: Outputs) -> None:
    """Apply the stamps of this tick by source and sequence, then let the fields spread when it is time."""
    if not battle.rules.fields:
        battle.stamps.clear()
        return
    was_saturated = battle.fields.is_saturated
    keep_stamps(battle, outputs)
    battle.stamps.sort(key=lambda entry: entry[0])
    battle.fields.stamp(stamp for _, stamp in battle.stamps)
    if (battle.tick + 1) % battle.rules.field_period == 0:
        wind = battle.map.weather
        battle.fields.propagate(wind.wind_x, wind.wind_y)
    if battle.fields.is_saturated and not was_saturated:
        battle.record(EventKind.FIELD_SATURATED)
    battle.stamps.clear()
