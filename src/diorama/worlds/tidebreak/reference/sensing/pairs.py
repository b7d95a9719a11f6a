"""An observer and a target: the way between them and the excess of every way of sensing over it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

from diorama.numerics import fmax, fmin, hyp
from diorama.worlds.tidebreak.codes import Emissions, Layer, Modality, System, UnitStatus, ZoneEffect
from diorama.worlds.tidebreak.reference.fields import Field
from diorama.worlds.tidebreak.reference.sensing.acoustics import (
    crossing_loss,
    noise_level,
    thermocline_with_fields,
    transmission_loss,
)
from diorama.worlds.tidebreak.reference.sensing.constants import ESM_FACTOR, ESM_LINK_RANGE_M, PING_PERIOD_TICKS
from diorama.worlds.tidebreak.reference.sensing.excess import (
    active_excess,
    counter_excess,
    esm_excess,
    passive_excess,
    penalty,
    radar_excess,
    radar_range,
    radar_weather,
    visibility_share,
    visual_excess,
    visual_range,
)
from diorama.worlds.tidebreak.reference.sensing.mesh import is_linked
from diorama.worlds.tidebreak.reference.sensing.sight import (
    Point,
    interference,
    is_sight_blocked,
    path_points,
    zone_share,
)
from diorama.worlds.tidebreak.reference.sensing.targets import Target, own_speed_share
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable
from diorama.worlds.tidebreak.reference.systems.weather import ambient_noise_db, local_weather


@dataclass(frozen=True, slots=True)
class Observer:
    """A unit that senses, with what all its pairs share.

    Attributes:
        unit: Who senses.
        noise_db: Level it listens through.
        visibility_km: Where it is.
        has_electronics: Whether its radar, its receiver and its pings work.
    """

    unit: Unit
    noise_db: float
    visibility_km: float
    has_electronics: bool

    @classmethod
    def of(cls, battle: Battle, unit: Unit) -> Self:
        """Work out what is the same for every target."""
        weather = local_weather(battle, unit.x, unit.y)
        ambient_db = ambient_noise_db(unit.layer.layer, weather.sea_state)
        noise_field = field_at(battle, Field.NOISE, unit.layer.layer, (unit.x, unit.y))
        return cls(
            unit=unit,
            noise_db=noise_level(ambient_db, own_speed_share(unit), noise_field),
            visibility_km=weather.visibility_km,
            has_electronics=has_electronics(unit),
        )


class Pair:
    """One observer and one target; what several ways of sensing need is computed once."""

    def __init__(self, battle: Battle, observer: Observer, target: Target) -> None:
        """Look from an observer to a target."""
        self.battle = battle
        self.observer = observer
        self.target = target
        self.start: Point = (observer.unit.x, observer.unit.y)
        self.end: Point = (target.x, target.y)
        self.range_m = hyp(target.x - observer.unit.x, target.y - observer.unit.y)

    def excess(self, modality: Modality) -> float | None:
        """Decibels above the threshold without noise; None where this way of sensing has no say."""
        value = _BY_MODALITY[modality](self)
        if value is None:
            return None
        return value + self.battle.map.layers[self.observer.unit.layer.layer].sensor_db[modality]

    def visual(self) -> float | None:
        """Needs both at the surface and nothing in between."""
        if not (self._is_at_surface and not self.is_blocked):
            return None
        theirs = local_weather(self.battle, self.target.x, self.target.y).visibility_km
        visibility = visibility_share(fmin(self.observer.visibility_km, theirs))
        factor = self.observer.unit.spec.sensors.visual_factor
        reach_m = visual_range(factor, visibility, self.target.visual_index, self._smoke)
        return visual_excess(reach_m, self.range_m, self._penalty_db)

    def radar(self) -> float | None:
        """Needs a radar that is switched on, both at the surface and nothing in between."""
        fitted_m = self.observer.unit.spec.sensors.radar_range_m
        if fitted_m is None or not self.observer.has_electronics:
            return None
        is_on = self.observer.unit.posture.emissions == Emissions.ACTIVE
        if not (is_on and self._is_at_surface and not self.is_blocked):
            return None
        weather = local_weather(self.battle, self.target.x, self.target.y)
        factor = radar_weather(weather.sea_state, weather.precipitation)
        return radar_excess(
            radar_range(fitted_m, self.target.radar_index, factor), self.range_m, self._penalty_db, self._ecm
        )

    def esm(self) -> float | None:
        """Needs a receiver at the surface and somebody there who radiates."""
        own = self.observer.unit
        can_receive = own.layer.layer == Layer.SURFACE and own.spec.sensors.radar_range_m is not None
        if not (can_receive and self.observer.has_electronics and self.target.touches_surface):
            return None
        emitter = self.target.unit
        reach_m = None if emitter is None else emission_range(self.battle, emitter)
        return None if reach_m is None else esm_excess(reach_m, self.range_m, self._ecm)

    def passive_sonar(self) -> float | None:
        """Needs an array to listen with."""
        own = self.observer.unit
        if own.spec.sensors.di_db is None:
            return None
        return passive_excess(
            self.target.source_db,
            self.loss_db,
            self.observer.noise_db,
            own.spec.sensors.di_db,
            self._penalty_db,
            is_abyssal=own.layer.layer == Layer.ABYSSAL,
        )

    def active_sonar(self) -> float | None:
        """Needs a ping in this tick."""
        sensors = self.observer.unit.spec.sensors
        if sensors.ping_db is None or not is_pinging(self.battle, self.observer.unit):
            return None
        di_db = 0.0 if sensors.di_db is None else sensors.di_db
        return active_excess(
            sensors.ping_db,
            self.loss_db,
            self.target.target_strength_db,
            self.observer.noise_db,
            di_db,
            self._penalty_db,
        )

    def heard_ping(self) -> float | None:
        """Excess with which the target's ping of this tick is heard."""
        pinger, di_db = self.target.unit, self.observer.unit.spec.sensors.di_db
        if pinger is None or di_db is None or not is_pinging(self.battle, pinger):
            return None
        ping_db = pinger.spec.sensors.ping_db
        return None if ping_db is None else counter_excess(ping_db, self.loss_db, self.observer.noise_db, di_db)

    @cached_property
    def is_blocked(self) -> bool:
        """Whether land or a solid obstacle is in the way."""
        return is_sight_blocked(self.battle.map, self.start, self.end, self.target.layer)

    @cached_property
    def loss_db(self) -> float:
        """Sound lost on the way."""
        here, there = self.observer.unit.layers_mask, self.target.layers_mask
        crossing_db = 0.0 if here & there else crossing_loss(here, there, thermocline_at(self.battle, self.end))
        return transmission_loss(self.range_m, crossing_db, self._sediment, is_blocked=self.is_blocked)

    @property
    def _is_at_surface(self) -> bool:
        return self.observer.unit.touches_surface and self.target.touches_surface

    @property
    def _ends(self) -> tuple[tuple[Point, int], tuple[Point, int]]:
        return (self.start, self.observer.unit.layers_mask), (self.end, self.target.layers_mask)

    @cached_property
    def _penalty_db(self) -> float:
        own = self.observer.unit
        return penalty(usable(own, System.SENSORS), usable(own, System.POWER), interference(self.battle, *self._ends))

    @cached_property
    def _ecm(self) -> float:
        return zone_share(self.battle, ZoneEffect.ECM, *self._ends)

    @cached_property
    def _smoke(self) -> float:
        largest = 0.0
        for point in self._path:
            largest = fmax(field_at(self.battle, Field.SMOKE, Layer.SURFACE, point), largest)
        return largest

    @cached_property
    def _sediment(self) -> float:
        total = 0.0
        for point in self._path:
            total += field_at(self.battle, Field.SEDIMENT, self.target.layer, point)
        return total / 3.0

    @cached_property
    def _path(self) -> list[Point]:
        return path_points(self.start, self.end) if self.battle.rules.fields else []


_BY_MODALITY = {
    Modality.VISUAL: Pair.visual,
    Modality.RADAR: Pair.radar,
    Modality.ESM: Pair.esm,
    Modality.PASSIVE_SONAR: Pair.passive_sonar,
    Modality.ACTIVE_SONAR: Pair.active_sonar,
}


def field_at(battle: Battle, field: Field, layer: int, point: Point) -> float:
    """A field that only events write, at a point; 0 when fields are off. TEMPERATURE has another rest value."""
    return battle.fields.value(field, layer, *point) if battle.rules.fields else 0.0


def thermocline_at(battle: Battle, point: Point) -> float:
    """Strength of the thermocline over a point."""
    if not battle.rules.fields:
        return battle.map.thermocline
    surface_c = field_at(battle, Field.TEMPERATURE, Layer.SURFACE, point)
    submerged_c = field_at(battle, Field.TEMPERATURE, Layer.SUBMERGED, point)
    return thermocline_with_fields(battle.map.thermocline, surface_c, submerged_c)


def has_electronics(unit: Unit) -> bool:
    """Whether radar, receiver and pings work: without sensors a unit keeps its eyes and its listening sonar."""
    return not unit.has(UnitStatus.SENSORS_DISABLED)


def is_pinging(battle: Battle, unit: Unit) -> bool:
    """Whether a unit pings in this tick; the deep has no active sonar."""
    can_ping = unit.spec.sensors.ping_db is not None and unit.layer.layer != Layer.ABYSSAL
    is_on = unit.posture.emissions == Emissions.ACTIVE and has_electronics(unit)
    is_manned = unit.is_present and not unit.has(UnitStatus.SURRENDERED | UnitStatus.CAPTURED)
    return can_ping and is_on and is_manned and (battle.tick + unit.id) % PING_PERIOD_TICKS == 0


def emission_range(battle: Battle, emitter: Unit) -> float | None:
    """Range at which a receiver's excess on a unit is 0; None if it radiates nothing."""
    if emitter.posture.emissions == Emissions.ACTIVE:
        fitted_m = emitter.spec.sensors.radar_range_m
        return None if fitted_m is None or not has_electronics(emitter) else ESM_FACTOR * fitted_m
    if emitter.posture.emissions == Emissions.PASSIVE and is_linked(battle, emitter):
        return ESM_LINK_RANGE_M
    return None
