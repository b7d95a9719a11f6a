"""Track tables: every tick tracks age, measurements bring them up to date, and what is too vague is dropped."""

from bisect import insort
from math import sqrt
from typing import Final

from diorama.numerics import TWO_PI, sincos
from diorama.worlds.tidebreak.codes import (
    Emissions,
    Iff,
    Layer,
    Modality,
    TrackQuality,
    UnitStatus,
)
from diorama.worlds.tidebreak.reference.components import Track
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Measure, Outputs
from diorama.worlds.tidebreak.reference.sensing.constants import (
    CLUTTER_CHANCE,
    CLUTTER_SEA_STATE,
    RADAR_SIGMA,
    VELOCITY_KNOWN_HITS,
)
from diorama.worlds.tidebreak.reference.sensing.detection import Detection, is_seen
from diorama.worlds.tidebreak.reference.sensing.filtering import cap_quality, is_stale, open_track, predict, update
from diorama.worlds.tidebreak.reference.sensing.identification import class_level, has_harmed, identify
from diorama.worlds.tidebreak.reference.sensing.pairs import has_electronics
from diorama.worlds.tidebreak.reference.sensing.targets import Target, is_observer, targets_of, unit_target
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.weather import local_weather

GHOST: Final = 0  # target id of a track that nothing is behind


def resolve_tracks(battle: Battle, outputs: Outputs) -> None:
    """Bring every present unit's own tracks up to date."""
    kept: dict[int, list[Measure]] = {}
    for detection in outputs.of(Detection):
        kept.setdefault(detection.source, []).append(detection.measure)
    for unit in battle.present_units():
        _refresh(battle, unit, kept.get(unit.id, []))


def add_track(battle: Battle, unit: Unit, track: Track) -> bool:
    """Give a track its id and put it into the table; a full one gives up its worst, unless that is no worse."""
    table = unit.tracks
    if len(table.tracks) >= unit.spec.sensors.tracks_max:
        worst = min(table.tracks, key=lambda held: (held.quality, -held.age, held.track_id))
        if worst.quality >= track.quality:
            return False
        _drop(battle, unit, worst)
    track.track_id = table.next_track_id
    table.next_track_id += 1
    table.tracks.append(track)
    battle.record(EventKind.CONTACT_NEW, unit.id, track.target_id, i0=int(track.quality))
    return True


def _refresh(battle: Battle, unit: Unit, measures: list[Measure]) -> None:
    targets = {target.id: target for target in targets_of(battle, unit)} if is_observer(unit) else {}
    by_target = {measure.target: measure for measure in measures}
    is_foggy = battle.rules.fog
    for track in list(unit.tracks.tracks):
        before = track.quality
        predict(track)
        target, measure = targets.get(track.target_id), by_target.pop(track.target_id, None)
        if not is_foggy and target is not None and target.unit is not None:
            _know_exactly(battle, unit, track, target, target.unit)
        elif measure is not None and target is not None:
            update(track, measure)
            track.shared = False
            identify(battle, unit, track, target, measure)
        elif target is not None and has_harmed(battle, unit.team, target):
            track.iff = Iff.HOSTILE_DECLARED
        _settle(battle, unit, track, before, measure)
    _open_tracks(battle, unit, targets, by_target)
    if battle.rules.clutter and is_observer(unit):
        _see_ghosts(battle, unit)


def _settle(battle: Battle, unit: Unit, track: Track, before: int, measure: Measure | None) -> None:
    cap_quality(track)
    if is_stale(track) or _is_seen_lost(battle, unit, track):
        _drop(battle, unit, track)
        return
    if track.quality > before:
        battle.record(EventKind.CONTACT_UPGRADED, unit.id, track.target_id, i0=int(track.quality))
    _count_raised(battle, unit, track, measure)


def _open_tracks(battle: Battle, unit: Unit, targets: dict[int, Target], measures: dict[int, Measure]) -> None:
    for target in targets.values():
        measure = measures.get(target.id)
        if not battle.rules.fog and target.unit is not None:
            if unit.tracks.of_target(target.id) is None:
                track = open_track(0, _exact_measure(unit, target))
                _know_exactly(battle, unit, track, target, target.unit)
                add_track(battle, unit, track)
        elif measure is not None:
            track = open_track(0, measure)
            identify(battle, unit, track, target, measure)
            cap_quality(track)
            if add_track(battle, unit, track):
                _count_raised(battle, unit, track, measure)


def _know_exactly(battle: Battle, unit: Unit, track: Track, target: Target, other: Unit) -> None:
    """Without fog a track is the truth, at the quality that local fire control needs."""
    track.x, track.y = target.x, target.y
    track.vx, track.vy = other.motion.vx, other.motion.vy
    track.P = 0.0
    track.age = 0
    track.hits = max(track.hits + 1, VELOCITY_KNOWN_HITS)
    track.quality = TrackQuality.Q2
    track.bearing_only = False
    track.layer_est = target.layer
    track.id_conf = 1.0
    track.class_level = class_level(1.0)
    track.modalities |= 1 << Modality.VISUAL
    is_enemy = battle.are_enemies(unit.team, target.team)
    track.iff = Iff.HOSTILE_DECLARED if is_enemy else Iff.FRIENDLY_ASSUMED


def _exact_measure(unit: Unit, target: Target) -> Measure:
    return Measure(unit.id, target.id, Modality.VISUAL, 0.0, 0.0, target.x, target.y, TrackQuality.Q2)


def _count_raised(battle: Battle, unit: Unit, track: Track, measure: Measure | None) -> None:
    """Credit the first time own sensors bring an enemy under fire control."""
    other = battle.find_unit(track.target_id)
    is_own_work = measure is not None and measure.quality >= TrackQuality.Q2 and track.quality >= TrackQuality.Q2
    if not is_own_work or other is None or not battle.are_enemies(unit.team, other.team):
        return
    if track.target_id not in unit.memory.raised_ids:
        insort(unit.memory.raised_ids, track.target_id)
        unit.scratch.raised += 1


def _is_seen_lost(battle: Battle, unit: Unit, track: Track) -> bool:
    other = battle.find_unit(track.target_id)
    if other is None or other.is_present or not is_observer(unit):
        return False
    if not battle.rules.fog:
        return True
    return _is_just_lost(other) and is_seen(battle, unit, unit_target(other))


def _is_just_lost(unit: Unit) -> bool:
    """Whether it went down in this tick; what was lost before takes no damage and no orders."""
    was_there = unit.memory.was_effective
    is_sunk = unit.has(UnitStatus.DESTROYED) and (was_there or unit.scratch.effective_taken > 0.0)
    return is_sunk or (unit.has(UnitStatus.SCUTTLED) and (was_there or unit.scratch.is_scuttling))


def _drop(battle: Battle, unit: Unit, track: Track) -> None:
    unit.tracks.tracks.remove(track)
    battle.record(EventKind.CONTACT_LOST, unit.id, track.target_id)


def _see_ghosts(battle: Battle, unit: Unit) -> None:
    """Let a radar in a rough sea take waves for a contact."""
    range_m = unit.spec.sensors.radar_range_m
    is_on = unit.posture.emissions == Emissions.ACTIVE and has_electronics(unit) and unit.touches_surface
    sea_state = local_weather(battle, unit.x, unit.y).sea_state
    if range_m is None or not is_on or sea_state < CLUTTER_SEA_STATE:
        return
    if uniform(battle, Stream.CLUTTER, unit.id, 0, 0) >= CLUTTER_CHANCE * sea_state:
        return
    distance_m = range_m * sqrt(uniform(battle, Stream.CLUTTER, unit.id, 0, 1))
    sine, cosine = sincos(TWO_PI * uniform(battle, Stream.CLUTTER, unit.id, 0, 2))
    least_m, per_meter = RADAR_SIGMA
    measure = Measure(
        source=unit.id,
        target=GHOST,
        modality=Modality.RADAR,
        excess=0.0,
        sigma=least_m + per_meter * distance_m,
        x=unit.x + distance_m * cosine,
        y=unit.y + distance_m * sine,
        quality=TrackQuality.Q1,
    )
    ghost = open_track(0, measure)
    ghost.layer_est = Layer.SURFACE
    ghost.modalities = 1 << Modality.RADAR
    add_track(battle, unit, ghost)
