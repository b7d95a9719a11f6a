//! Objectives of seeing: SHADOW and SCOUT.

use kernel::numerics::hyp;

use crate::codes::{emissions, track_quality};
use crate::components::Tracks;
use crate::judge::standing::{Case, Standing, extent, share};
use crate::records::ResolvedShape;

const LOST_TICKS: f64 = 60.0;
const SEEN_TICKS: f64 = 30.0;
const SCOUT_ENOUGH: f64 = 0.95;
const GRID: usize = 8;
const WORD_SQUARES: usize = 32; // two values hold a bit for each of the 64 squares, exactly
const SIGHT_M: f64 = 2_000.0;
const RADAR_M: f64 = 8_000.0;

/// Follow unseen.
///
/// `time_on` counts good ticks, `value_a` ticks in a row without the track once `value_b` says it was held, `value_c`
/// ticks on which an enemy held a good track of the unit.
pub fn judge_shadow(case: &Case<'_>, standing: &mut Standing) {
    let holds = has_good_track(&case.unit.tracks, case.task.target_id);
    let is_seen = is_seen(case);
    if holds && !is_seen {
        standing.time_on += 1;
    }
    if holds {
        standing.value_a = 0.0;
        standing.value_b = 1.0;
    } else if standing.value_b == 1.0 {
        standing.value_a += 1.0;
    }
    standing.value_c += if is_seen { 1.0 } else { 0.0 };
    standing.progress = share(standing.time_on as f64, case.task.duration_ticks as f64);
    let is_over = standing.value_a >= LOST_TICKS || standing.value_c >= SEEN_TICKS;
    if !case.unit.is_effective() || is_over {
        standing.fail();
    } else if standing.progress >= 1.0 {
        standing.complete();
    }
}

fn is_seen(case: &Case<'_>) -> bool {
    let (battle, own) = (case.battle, &case.unit.identity);
    battle
        .units
        .iter()
        .filter(|other| other.is_present())
        .any(|other| battle.are_enemies(other.team(), own.team) && has_good_track(&other.tracks, own.id))
}

fn has_good_track(tracks: &Tracks, target_id: i64) -> bool {
    tracks.of_target(target_id).is_some_and(|track| track.quality >= track_quality::Q1)
}

/// Look at every square of a grid over the zone; `value_a` and `value_b` hold what has been seen, bit by bit.
pub fn judge_scout(case: &Case<'_>, standing: &mut Standing) {
    let unit = case.unit;
    if !unit.is_effective() {
        standing.fail();
        return;
    }
    let mut words = [standing.value_a as u64, standing.value_b as u64];
    if let Some(zone) = &case.task.zone {
        look_around(case, zone, &mut words);
    }
    standing.value_a = words[0] as f64;
    standing.value_b = words[1] as f64;
    let seen = words[0].count_ones() + words[1].count_ones();
    standing.progress = share(f64::from(seen), (GRID * GRID) as f64);
    if standing.progress >= SCOUT_ENOUGH {
        standing.complete();
    }
}

fn look_around(case: &Case<'_>, zone: &ResolvedShape, words: &mut [u64; 2]) {
    let unit = case.unit;
    let uses_radar = unit.posture.emissions == emissions::ACTIVE && unit.spec.sensors.radar_range_m.is_some();
    let reach = if uses_radar { RADAR_M } else { SIGHT_M };
    let [min_x, min_y, max_x, max_y] = extent(zone);
    let (mut east, mut north) = (0.0, 0.0);
    if case.task.zone_relative_id != 0 {
        let anchor = case.battle.unit(case.task.zone_relative_id).transform;
        (east, north) = (anchor.x, anchor.y);
    }
    let (width, height) = ((max_x - min_x) / GRID as f64, (max_y - min_y) / GRID as f64);
    for square in 0..GRID * GRID {
        let (row, column) = (square / GRID, square % GRID);
        let x = east + min_x + (column as f64 + 0.5) * width;
        let y = north + min_y + (row as f64 + 0.5) * height;
        if hyp(x - unit.transform.x, y - unit.transform.y) <= reach {
            words[square / WORD_SQUARES] |= 1 << (square % WORD_SQUARES);
        }
    }
}
