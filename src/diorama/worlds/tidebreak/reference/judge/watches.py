"""Objectives of seeing: SHADOW and SCOUT."""

from typing import Final

from diorama.numerics import hyp
from diorama.worlds.tidebreak.codes import Emissions, TrackQuality
from diorama.worlds.tidebreak.reference.judge.standing import Case, Standing, extent, share

LOST_TICKS: Final = 60
SEEN_TICKS: Final = 30
SCOUT_ENOUGH: Final = 0.95
GRID: Final = 8
WORD_SQUARES: Final = 32  # two values hold a bit for each of the 64 squares, exactly
SIGHT_M: Final = 2_000.0
RADAR_M: Final = 8_000.0


def judge_shadow(case: Case, standing: Standing) -> None:
    """Follow unseen.

    `time_on` counts good ticks, `value_a` ticks in a row without the track once `value_b` says it was held, `value_c`
    ticks on which an enemy held a good track of the unit.
    """
    track = case.unit.tracks.of_target(case.task.target_id)
    holds = track is not None and track.quality >= TrackQuality.Q1
    is_seen = _is_seen(case)
    if holds and not is_seen:
        standing.time_on += 1
    if holds:
        standing.value_a, standing.value_b = 0.0, 1.0
    elif standing.value_b == 1.0:
        standing.value_a += 1.0
    standing.value_c += 1.0 if is_seen else 0.0
    standing.progress = share(float(standing.time_on), float(case.task.duration_ticks))
    is_over = standing.value_a >= float(LOST_TICKS) or standing.value_c >= float(SEEN_TICKS)
    if not case.unit.is_effective or is_over:
        standing.fail()
    elif standing.progress >= 1.0:
        standing.complete()


def _is_seen(case: Case) -> bool:
    for other in case.battle.present_units():
        if case.battle.are_enemies(other.team, case.unit.team):
            track = other.tracks.of_target(case.unit.id)
            if track is not None and track.quality >= TrackQuality.Q1:
                return True
    return False


def judge_scout(case: Case, standing: Standing) -> None:
    """Look at every square of a grid over the zone; `value_a` and `value_b` hold what has been seen, bit by bit."""
    unit = case.unit
    if not unit.is_effective:
        standing.fail()
        return
    words = [int(standing.value_a), int(standing.value_b)]
    uses_radar = unit.posture.emissions == Emissions.ACTIVE and unit.spec.sensors.radar_range_m is not None
    reach = RADAR_M if uses_radar else SIGHT_M
    for square, (x, y) in enumerate(_square_centers(case)):
        if hyp(x - unit.x, y - unit.y) <= reach:
            words[square // WORD_SQUARES] |= 1 << square % WORD_SQUARES
    standing.value_a, standing.value_b = float(words[0]), float(words[1])
    seen = words[0].bit_count() + words[1].bit_count()
    standing.progress = share(float(seen), float(GRID * GRID))
    if standing.progress >= SCOUT_ENOUGH:
        standing.complete()


def _square_centers(case: Case) -> list[tuple[float, float]]:
    zone = case.task.zone
    if zone is None:
        return []
    min_x, min_y, max_x, max_y = extent(zone)
    east, north = 0.0, 0.0
    if case.task.zone_relative_id:
        anchor = case.battle.unit(case.task.zone_relative_id)
        east, north = anchor.x, anchor.y
    width, height = (max_x - min_x) / float(GRID), (max_y - min_y) / float(GRID)
    return [
        (east + min_x + (float(column) + 0.5) * width, north + min_y + (float(row) + 0.5) * height)
        for row in range(GRID)
        for column in range(GRID)
    ]
