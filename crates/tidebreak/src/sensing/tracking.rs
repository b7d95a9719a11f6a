//! Track tables: every tick tracks age, measurements bring them up to date, and what is too vague is dropped.

use kernel::numerics::{TWO_PI, sincos};

use super::constants::{CLUTTER_CHANCE, CLUTTER_SEA_STATE, VELOCITY_KNOWN_HITS};
use super::detection::is_seen;
use super::filtering::{cap_quality, is_stale, open_track, predict, update};
use super::identification::{Viewer, class_level, has_harmed, identify};
use super::measuring::{Measure, radar_sigma};
use super::observer::{Conditions, Observer};
use super::pairs::has_electronics;
use super::presence::Presence;
use super::senses::Senses;
use super::targets::is_observer;
use crate::codes::{emissions, iff, layer, modality, track_quality, unit_status};
use crate::components::Track;
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::state::{Battle, Unit};
use crate::systems::weather::local_weather;

/// Presence id of a track that nothing is behind.
pub const GHOST: i64 = 0;

/// Brings a present unit's own tracks up to date with `senses.measures`, which it takes.
pub fn refresh_tracks(battle: &mut Battle, senses: &mut Senses, unit: usize) {
    let is_observing = is_observer(&battle.units[unit]);
    // Taken out while the battle is read; contacts that come and go are recorded in the order of the table.
    let mut tracks = std::mem::take(&mut battle.units[unit].tracks.tracks);
    let mut place = 0;
    while place < tracks.len() {
        if refresh_track(battle, senses, unit, &mut tracks[place], is_observing) {
            place += 1;
        } else {
            let lost = tracks.remove(place);
            record_lost(battle, unit, lost.target_id);
        }
    }
    battle.units[unit].tracks.tracks = tracks;
    if is_observing {
        open_tracks(battle, senses, unit);
        if battle.rules().clutter {
            see_ghosts(battle, unit);
        }
    }
}

/// Gives a track its id and puts it into the table; a full one gives up its worst, unless that is no worse.
///
/// Returns whether the track was taken.
pub fn add_track(battle: &mut Battle, unit: usize, mut track: Track) -> bool {
    if is_full(&battle.units[unit]) {
        let table = &mut battle.units[unit].tracks;
        let worst = worst_of(&table.tracks);
        if table.tracks[worst].quality >= track.quality {
            return false;
        }
        let lost = table.tracks.remove(worst);
        record_lost(battle, unit, lost.target_id);
    }
    let table = &mut battle.units[unit].tracks;
    track.track_id = table.next_track_id;
    table.next_track_id += 1;
    table.tracks.push(track);
    record_new(battle, unit, track.target_id, track.quality);
    true
}

#[inline]
fn is_full(unit: &Unit) -> bool {
    unit.tracks.tracks.len() as i64 >= unit.spec.sensors.tracks_max
}

/// Quality of the track that a full table would give up first.
fn least_quality(tracks: &[Track]) -> i64 {
    tracks.iter().map(|track| track.quality).min().unwrap_or(track_quality::Q0)
}

/// Place of the track with the lowest quality, then the greatest age, then the lowest id.
fn worst_of(tracks: &[Track]) -> usize {
    let mut worst = 0;
    for (place, track) in tracks.iter().enumerate().skip(1) {
        if (track.quality, -track.age) < (tracks[worst].quality, -tracks[worst].age) {
            worst = place;
        }
    }
    worst
}

/// Moves one track on; returns whether it is kept.
fn refresh_track(battle: &mut Battle, senses: &mut Senses, unit: usize, track: &mut Track, is_observing: bool) -> bool {
    let before = track.quality;
    predict(track);
    let own = &battle.units[unit].identity;
    let viewer = Viewer { id: own.id, team: own.team };
    let row = if is_observing { senses.row_of(battle, track.target_id) } else { None };
    let row = row.filter(|&row| senses.targets[row].team != viewer.team);
    let mut measure = None;
    if let Some(row) = row {
        let target = &senses.targets[row];
        measure = senses.measures[row].take();
        match (target.unit, &measure) {
            (Some(other), _) if !battle.rules().fog => know_exactly(battle, viewer.team, track, target, other),
            (_, Some(measure)) => {
                update(track, measure);
                track.shared = false;
                identify(battle, viewer, track, target, measure);
            }
            _ if has_harmed(battle, viewer.team, target.unit) => track.iff = iff::HOSTILE_DECLARED,
            _ => {}
        }
    }
    settle(battle, senses, unit, track, before, measure.as_ref())
}

fn settle(
    battle: &mut Battle,
    senses: &Senses,
    unit: usize,
    track: &mut Track,
    before: i64,
    measure: Option<&Measure>,
) -> bool {
    cap_quality(track);
    if is_stale(track) || is_seen_lost(battle, senses, unit, track) {
        return false;
    }
    if track.quality > before {
        let (source, target, i0) = (battle.units[unit].identity.id, track.target_id, track.quality);
        battle.record(News { source, target, i0, ..News::of(EventKind::ContactUpgraded) });
    }
    if let Some(measure) = measure {
        count_raised(battle, unit, track, measure);
    }
    true
}

fn open_tracks(battle: &mut Battle, senses: &mut Senses, unit: usize) {
    let own = battle.units[unit].identity;
    let viewer = Viewer { id: own.id, team: own.team };
    let is_foggy = battle.rules().fog;
    let mut refused = None;
    for row in 0..senses.targets.len() {
        let target = &senses.targets[row];
        if target.team == viewer.team {
            continue;
        }
        if let (false, Some(other)) = (is_foggy, target.unit) {
            if battle.units[unit].tracks.of_target(target.id).is_none() {
                let mut track = open_track(target.id, &exact_measure(target));
                know_exactly(battle, viewer.team, &mut track, target, other);
                add_track(battle, unit, track);
            }
        } else if let Some(measure) = senses.measures[row].take() {
            let mut track = open_track(target.id, &measure);
            cap_quality(&mut track);
            if is_full(&battle.units[unit]) && is_no_better(battle, unit, &track, &mut refused) {
                continue;
            }
            identify(battle, viewer, &mut track, target, &measure);
            if add_track(battle, unit, track) {
                count_raised(battle, unit, &track, &measure);
            }
        }
    }
}

/// Whether a full table has no worse track to give up. `refused` holds the best quality that it had nothing worse
/// than: while tracks are only added, that stays so.
fn is_no_better(battle: &Battle, unit: usize, track: &Track, refused: &mut Option<i64>) -> bool {
    if refused.is_some_and(|quality| track.quality <= quality) {
        return true;
    }
    let is_refused = least_quality(&battle.units[unit].tracks.tracks) >= track.quality;
    if is_refused {
        *refused = Some(track.quality);
    }
    is_refused
}

/// Without fog a track is the truth, at the quality that local fire control needs.
fn know_exactly(battle: &Battle, team: i64, track: &mut Track, target: &Presence, other: usize) {
    let motion = &battle.units[other].motion;
    (track.x, track.y) = (target.x, target.y);
    (track.vx, track.vy) = (motion.vx, motion.vy);
    track.P = 0.0;
    track.age = 0;
    track.hits = (track.hits + 1).max(VELOCITY_KNOWN_HITS);
    track.quality = track_quality::Q2;
    track.bearing_only = false;
    track.layer_est = target.layer;
    track.id_conf = 1.0;
    track.class_level = class_level(1.0);
    track.modalities |= 1 << modality::VISUAL;
    let is_enemy = battle.are_enemies(team, target.team);
    track.iff = if is_enemy { iff::HOSTILE_DECLARED } else { iff::FRIENDLY_ASSUMED };
}

fn exact_measure(target: &Presence) -> Measure {
    Measure {
        modality: modality::VISUAL,
        sigma: 0.0,
        x: target.x,
        y: target.y,
        quality: track_quality::Q2,
        bearing_only: false,
        assumed_range: 0.0,
    }
}

/// Credits the first time own sensors bring an enemy under fire control.
fn count_raised(battle: &mut Battle, unit: usize, track: &Track, measure: &Measure) {
    if measure.quality < track_quality::Q2 || track.quality < track_quality::Q2 {
        return;
    }
    let Some(other) = battle.find_unit(track.target_id) else { return };
    if !battle.are_enemies(battle.units[unit].identity.team, other.identity.team) {
        return;
    }
    let own = &mut battle.units[unit];
    if let Err(place) = own.memory.raised_ids.binary_search(&track.target_id) {
        own.memory.raised_ids.insert(place, track.target_id);
        own.scratch.raised += 1;
    }
}

fn is_seen_lost(battle: &Battle, senses: &Senses, unit: usize, track: &Track) -> bool {
    let Some(other) = battle.place_of(track.target_id) else { return false };
    if battle.units[other].is_present() || !is_observer(&battle.units[unit]) {
        return false;
    }
    if !battle.rules().fog {
        return true;
    }
    if !is_just_lost(&battle.units[other]) {
        return false;
    }
    let Some(row) = senses.row_of_unit(unit) else { return false };
    // What is no longer there speaks with nobody.
    let lost = Presence::of_unit(battle, other, false);
    is_seen(&Observer::of(battle, &Conditions::of(battle), unit, &senses.targets[row]), &lost)
}

/// Whether it went down in this tick; what was lost before takes no damage and no orders.
fn is_just_lost(unit: &Unit) -> bool {
    let was_there = unit.memory.was_effective;
    let is_sunk = unit.has(unit_status::DESTROYED) && (was_there || unit.scratch.effective_taken > 0.0);
    is_sunk || (unit.has(unit_status::SCUTTLED) && (was_there || unit.scratch.is_scuttling))
}

/// Notes that a unit has a track of an entity that it had none of.
pub fn record_new(battle: &mut Battle, unit: usize, target: i64, quality: i64) {
    let source = battle.units[unit].identity.id;
    battle.record(News { source, target, i0: quality, ..News::of(EventKind::ContactNew) });
}

/// Notes that a unit has given up its track of an entity.
pub fn record_lost(battle: &mut Battle, unit: usize, target: i64) {
    let source = battle.units[unit].identity.id;
    battle.record(News { source, target, ..News::of(EventKind::ContactLost) });
}

/// Lets a radar in a rough sea take waves for a contact.
fn see_ghosts(battle: &mut Battle, unit: usize) {
    let own = &battle.units[unit];
    let Some(range_m) = own.spec.sensors.radar_range_m else { return };
    let is_on = own.posture.emissions == emissions::ACTIVE && has_electronics(own) && own.touches_surface();
    if !is_on {
        return;
    }
    let (id, x, y) = (own.identity.id, own.transform.x, own.transform.y);
    let sea_state = local_weather(battle, x, y).sea_state;
    if sea_state < CLUTTER_SEA_STATE || uniform(battle, Stream::Clutter, id, 0, 0) >= CLUTTER_CHANCE * sea_state {
        return;
    }
    let distance_m = range_m * uniform(battle, Stream::Clutter, id, 0, 1).sqrt();
    let (sine, cosine) = sincos(TWO_PI * uniform(battle, Stream::Clutter, id, 0, 2));
    let measure = Measure {
        modality: modality::RADAR,
        sigma: radar_sigma(distance_m),
        x: x + distance_m * cosine,
        y: y + distance_m * sine,
        quality: track_quality::Q1,
        bearing_only: false,
        assumed_range: 0.0,
    };
    let mut ghost = open_track(GHOST, &measure);
    ghost.layer_est = layer::SURFACE;
    ghost.modalities = 1 << modality::RADAR;
    add_track(battle, unit, ghost);
}
