"""The table of contacts: what a captain believes of everybody else."""

from math import sqrt
from typing import Final

from diorama.numerics import atan2, hyp, sincos, wrap
from diorama.worlds.tidebreak.codes import NO_LAYER, Iff, Layer, MunitionKind, TrackQuality
from diorama.worlds.tidebreak.layout import CONTACT_COLUMNS, CONTACT_ROWS, FIRST_MATE_ROW, FIRST_MUNITION_ROW, Contact
from diorama.worlds.tidebreak.reference.components import MateFix, Munition, Track
from diorama.worlds.tidebreak.reference.contacts import is_friendly
from diorama.worlds.tidebreak.reference.observe.rows import contact_rows
from diorama.worlds.tidebreak.reference.observe.scaling import clip, relative_direction
from diorama.worlds.tidebreak.reference.sensing.constants import MATE_SIGMA_M
from diorama.worlds.tidebreak.reference.sensing.filtering import is_velocity_known
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.fire_conditions import can_engage

RANGE_SCALE_M: Final = 20_000.0
SPEED_SCALE_MS: Final = 40.0
SIGMA_SCALE_M: Final = 1_000.0
AGE_SCALE_TICKS: Final = 60.0
SIZE_STEP: Final = 0.25
SIZE_KNOWN_AT: Final = 2  # class level
HOSTILITY: Final = {
    Iff.UNKNOWN: 0.5,
    Iff.FRIENDLY_AUTHENTICATED: 0.0,
    Iff.FRIENDLY_ASSUMED: 0.0,
    Iff.SUSPECT: 0.75,
    Iff.HOSTILE_DECLARED: 1.0,
}

Row = list[float]


def show_contacts(battle: Battle, unit: Unit) -> list[float]:
    """Return the block `contacts`, row by row."""
    table = [[0.0] * CONTACT_COLUMNS for _ in range(CONTACT_ROWS)]
    rows = contact_rows(battle, unit)
    for row, track in enumerate(rows.tracks):
        _show_track(table[row], battle, unit, track)
    for row, fix in enumerate(rows.mates):
        _show_mate(table[FIRST_MATE_ROW + row], battle, unit, fix)
    for row, munition in enumerate(rows.munitions):
        _show_munition(table[FIRST_MUNITION_ROW + row], unit, munition)
    return [clip(value) for row in table for value in row]


def _show_track(row: Row, battle: Battle, unit: Unit, track: Track) -> None:
    is_moving = is_velocity_known(track)
    velocity = (track.vx, track.vy) if is_moving else (0.0, 0.0)
    _show_geometry(row, unit, (track.x, track.y), velocity, is_course_known=is_moving)
    row[Contact.SIGMA] = sqrt(track.P) / SIGMA_SCALE_M
    row[Contact.AGE] = float(track.age) / AGE_SCALE_TICKS
    row[Contact.QUALITY + track.quality] = 1.0
    row[Contact.BEARING_ONLY] = 1.0 if track.bearing_only else 0.0
    _show_layer(row, track.layer_est)
    row[Contact.HOSTILE] = HOSTILITY[Iff(track.iff)]
    row[Contact.FRIEND] = 1.0 if is_friendly(track) else 0.0
    row[Contact.SIZE_CLASS] = _apparent_size(battle, track)
    row[Contact.IS_MUNITION] = 1.0 if track.is_munition else 0.0
    row[Contact.CAN_ENGAGE] = 1.0 if can_engage(battle, unit, track) else 0.0
    row[Contact.IS_DESIGNATED] = 1.0 if track.track_id == unit.memory.designated_track else 0.0


def _show_mate(row: Row, battle: Battle, unit: Unit, fix: MateFix) -> None:
    _show_geometry(row, unit, (fix.x, fix.y), (fix.vx, fix.vy), is_course_known=True)
    row[Contact.SIGMA] = MATE_SIGMA_M / SIGMA_SCALE_M
    # The link spoke in the tick that has just passed.
    row[Contact.AGE] = float(max(0, battle.tick - 1 - fix.tick)) / AGE_SCALE_TICKS
    row[Contact.QUALITY + TrackQuality.Q3] = 1.0
    _show_layer(row, fix.layer)
    row[Contact.FRIEND] = 1.0
    row[Contact.SIZE_CLASS] = _size(battle.unit(fix.unit_id))


def _show_munition(row: Row, unit: Unit, munition: Munition) -> None:
    sine, cosine = sincos(munition.heading)
    velocity = (munition.speed * cosine, munition.speed * sine)
    _show_geometry(row, unit, (munition.x, munition.y), velocity, is_course_known=True)
    row[Contact.QUALITY + TrackQuality.Q2] = 1.0
    _show_layer(row, munition.launch_layer if munition.kind == MunitionKind.TORPEDO else Layer.SURFACE)
    row[Contact.HOSTILE] = 1.0
    row[Contact.IS_MUNITION] = 1.0


def _show_geometry(
    row: Row, unit: Unit, place: tuple[float, float], velocity: tuple[float, float], *, is_course_known: bool
) -> None:
    dx, dy = place[0] - unit.x, place[1] - unit.y
    range_m = hyp(dx, dy)
    row[Contact.VALID] = 1.0
    row[Contact.SIN_BEARING], row[Contact.COS_BEARING] = relative_direction(unit, *place)
    row[Contact.RANGE] = range_m / RANGE_SCALE_M
    if range_m > 0.0:
        along_x, along_y = dx / range_m, dy / range_m
        vx, vy = velocity[0] - unit.motion.vx, velocity[1] - unit.motion.vy
        row[Contact.CLOSING_SPEED] = -(vx * along_x + vy * along_y) / SPEED_SCALE_MS
        row[Contact.CROSS_SPEED] = (vy * along_x - vx * along_y) / SPEED_SCALE_MS
    if is_course_known:
        course = wrap(atan2(velocity[1], velocity[0]) - unit.heading)
        row[Contact.SIN_COURSE], row[Contact.COS_COURSE] = sincos(course)


def _show_layer(row: Row, layer: int) -> None:
    if layer == NO_LAYER:
        for each in Layer:
            row[Contact.LAYER + each] = 1.0 / 3.0
    else:
        row[Contact.LAYER + layer] = 1.0


def _apparent_size(battle: Battle, track: Track) -> float:
    """Size that the contact shows; a decoy shows that of its launcher."""
    if track.class_level < SIZE_KNOWN_AT or track.is_munition:
        return 0.0
    munition = battle.find_munition(track.target_id)
    if munition is not None and munition.kind != MunitionKind.DECOY:
        return 0.0
    seen = battle.find_unit(track.target_id if munition is None else munition.owner_id)
    return 0.0 if seen is None else _size(seen)


def _size(unit: Unit) -> float:
    return SIZE_STEP * float(unit.identity.size + 1)
