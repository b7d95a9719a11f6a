"""The sensor plugin, and the resolver that keeps one measurement of every target."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from diorama.numerics import atan2, sincos
from diorama.worlds.tidebreak.codes import Modality
from diorama.worlds.tidebreak.reference.contacts import estimated_range
from diorama.worlds.tidebreak.reference.draws import Stream, bell
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Emit, Measure, Outputs, Plugin
from diorama.worlds.tidebreak.reference.sensing.constants import (
    BEARING_NOISE_RAD,
    EXCESS_NOISE_DB,
    PAIR_RANGE_MAX_M,
)
from diorama.worlds.tidebreak.reference.sensing.measuring import (
    Grade,
    assumed_range,
    bearing_sigma,
    counter_grade,
    grade,
    keep_best,
)
from diorama.worlds.tidebreak.reference.sensing.pairs import Observer, Pair, is_pinging
from diorama.worlds.tidebreak.reference.sensing.targets import Target, is_observer, targets_of, unit_target
from diorama.worlds.tidebreak.reference.state import Battle, Unit

MODALITIES: Final = (
    Modality.VISUAL,
    Modality.RADAR,
    Modality.ESM,
    Modality.PASSIVE_SONAR,
    Modality.ACTIVE_SONAR,
)


@dataclass(frozen=True, slots=True)
class Alarm:
    """The source was pinged or painted by a radar in this tick."""

    source: int
    is_ping: bool


@dataclass(frozen=True, slots=True)
class Detection:
    """The measurement of a target that an observer keeps."""

    source: int
    measure: Measure


def sense(battle: Battle, unit: Unit, emit: Emit) -> None:
    """Look, listen and ping: emit a measurement for every way in which a target stands out."""
    if not is_observer(unit):
        return
    observer = Observer.of(battle, unit)
    for target in targets_of(battle, unit):
        pair = Pair(battle, observer, target)
        if pair.range_m > PAIR_RANGE_MAX_M:
            continue
        for modality in MODALITIES:
            _sense_by(pair, modality, emit)
        _hear_ping(pair, emit)
        _feel_radar(pair, emit)


def noisy_excess(pair: Pair, modality: Modality) -> float | None:
    """Excess with the luck of this tick; None where this way of sensing has no say."""
    excess = pair.excess(modality)
    if excess is None:
        return None
    luck = bell(pair.battle, Stream.SENSOR_EXCESS, pair.observer.unit.id, pair.target.id, modality)
    return excess + EXCESS_NOISE_DB * luck


def is_seen(battle: Battle, observer: Unit, target: Target) -> bool:
    """Whether eye or radar has a contact in this tick."""
    pair = Pair(battle, Observer.of(battle, observer), target)
    if pair.range_m > PAIR_RANGE_MAX_M:
        return False
    excesses = (noisy_excess(pair, modality) for modality in (Modality.VISUAL, Modality.RADAR))
    return any(excess is not None and excess >= 0.0 for excess in excesses)


def resolve_detections(battle: Battle, outputs: Outputs) -> None:
    """Note pings and alarms, and of all measurements of one target keep one."""
    for unit in battle.present_units():
        if is_pinging(battle, unit):
            unit.contact_memory.last_ping_tick = battle.tick
            battle.record(EventKind.PING, unit.id, f0=unit.spec.sensors.ping_db or 0.0)
    for alarm in outputs.of(Alarm):
        memory = battle.unit(alarm.source).contact_memory
        if alarm.is_ping:
            memory.pinged_at = battle.tick
        else:
            memory.painted_at = battle.tick
    # One observer's measurements come target by target, as it emitted them.
    for (source, _), measures in groupby(outputs.of(Measure), key=lambda measure: (measure.source, measure.target)):
        outputs.emit(Plugin.SENSOR, Detection(source, keep_best(measures)))


def _sense_by(pair: Pair, modality: Modality, emit: Emit) -> None:
    excess = noisy_excess(pair, modality)
    if excess is None or excess < 0.0:
        return
    track = pair.observer.unit.tracks.of_target(pair.target.id)
    graded = grade(modality, excess, pair.range_m, 0 if track is None else track.hits)
    emit(_measure(pair, modality, excess, graded))


def _hear_ping(pair: Pair, emit: Emit) -> None:
    excess = pair.heard_ping()
    if excess is not None and excess >= 0.0:
        emit(Alarm(pair.observer.unit.id, is_ping=True))
        emit(_measure(pair, Modality.PASSIVE_SONAR, excess, counter_grade(pair.range_m)))


def _feel_radar(pair: Pair, emit: Emit) -> None:
    own, emitter = pair.observer.unit, pair.target.unit
    if emitter is None:
        return
    received = pair.excess(Modality.ESM)
    if received is None or received < 0.0:
        return
    radar = Pair(pair.battle, Observer.of(pair.battle, emitter), unit_target(own)).excess(Modality.RADAR)
    if radar is not None and radar >= 0.0:
        emit(Alarm(own.id, is_ping=False))


def _measure(pair: Pair, modality: Modality, excess: float, graded: Grade) -> Measure:
    if graded.sigma_m is None:
        return _bearing(pair, modality, excess, graded)
    sigma_m = graded.sigma_m
    return Measure(
        source=pair.observer.unit.id,
        target=pair.target.id,
        modality=modality,
        excess=excess,
        sigma=sigma_m,
        x=pair.target.x + sigma_m * _luck(pair, 0),
        y=pair.target.y + sigma_m * _luck(pair, 1),
        quality=graded.quality,
    )


def _bearing(pair: Pair, modality: Modality, excess: float, graded: Grade) -> Measure:
    """A place on the bearing; only the bearing of the true place enters it."""
    own = pair.observer.unit
    bearing = atan2(pair.target.y - own.y, pair.target.x - own.x) + BEARING_NOISE_RAD * _luck(pair, 2)
    track = own.tracks.of_target(pair.target.id)
    range_m = assumed_range(modality, None if track is None else estimated_range(own, track))
    sine, cosine = sincos(bearing)
    return Measure(
        source=own.id,
        target=pair.target.id,
        modality=modality,
        excess=excess,
        sigma=bearing_sigma(range_m),
        x=own.x + range_m * cosine,
        y=own.y + range_m * sine,
        quality=graded.quality,
        bearing_only=True,
        assumed_range=range_m,
    )


def _luck(pair: Pair, k: int) -> float:
    return bell(pair.battle, Stream.MEASUREMENT, pair.observer.unit.id, pair.target.id, k)
