//! The data mesh at work: units learn their team-mates' places and merge the tracks that they share.

use super::identification::{Subject, Viewer, judge_iff};
use super::mesh::{NO_LINK, can_send, is_publishing, is_team_mate, pair_tier};
use super::senses::Senses;
use super::tracking::{GHOST, add_track, is_full, least_quality};
use crate::codes::{link_tier, modality, track_quality};
use crate::components::{MateFix, Track};
use crate::state::{Battle, Unit};

const SIGMA_FACTOR: [f64; 4] = [2.0, 1.0, 1.0, 1.0]; // by tier
const LINK_BIT: i64 = 1 << modality::LINK;

/// Merges what senders publish, all as their tables stood before anybody merged.
pub fn resolve_links(battle: &mut Battle, senses: &mut Senses) {
    publish(battle, senses);
    for receiver in 0..battle.units.len() {
        if !battle.units[receiver].is_present() {
            continue;
        }
        if senses.link_tiers[receiver] != NO_LINK {
            receive(battle, senses, receiver);
        }
        forget_lost_mates(battle, receiver);
    }
}

/// Quality of a track on arrival.
#[must_use]
pub fn shared_quality(quality: i64, tier: i64) -> i64 {
    match tier {
        ..=link_tier::T1 => quality.min(track_quality::Q1),
        link_tier::T2 => quality.min(track_quality::Q2),
        _ if quality >= track_quality::Q2 => track_quality::Q3,
        _ => quality,
    }
}

/// Copies what the units of teams with a link could share.
fn publish(battle: &Battle, senses: &mut Senses) {
    senses.published.clear();
    senses.publishers.clear();
    for (place, unit) in battle.units.iter().enumerate() {
        let first = senses.published.len() as u32;
        if senses.link_tiers[place] != NO_LINK && can_send(unit) && has_mate(battle, unit) {
            for track in unit.tracks.tracks.iter().filter(|track| track.age == 0 && track.target_id != GHOST) {
                let row =
                    senses.row_of(battle, track.target_id).expect("a track of age 0 is of something that is there");
                senses.published.push((row as u16, *track));
            }
        }
        senses.publishers.push((first, senses.published.len() as u32));
    }
}

fn has_mate(battle: &Battle, unit: &Unit) -> bool {
    battle.units.iter().any(|other| is_team_mate(unit, other))
}

fn receive(battle: &mut Battle, senses: &mut Senses, receiver: usize) {
    let mut is_indexed = false;
    senses.least_quality = None;
    for sender in 0..battle.units.len() {
        let (own, mate) = (&battle.units[receiver], &battle.units[sender]);
        if !is_team_mate(own, mate) || !can_send(mate) {
            continue;
        }
        let tier = pair_tier(own, senses.link_tiers[receiver], mate, senses.link_tiers[sender]);
        if tier == NO_LINK {
            continue;
        }
        let is_shared = is_publishing(battle.tick, mate.identity.id, tier);
        note_mate(battle, receiver, sender);
        let (first, end) = senses.publishers[sender];
        if is_shared && first < end {
            if !is_indexed {
                index_tracks(battle, senses, receiver);
                is_indexed = true;
            }
            for entry in first..end {
                merge(battle, senses, receiver, entry as usize, tier);
            }
        }
    }
}

/// Notes which targets the receiver holds tracks of.
fn index_tracks(battle: &Battle, senses: &mut Senses, receiver: usize) {
    let mut held = std::mem::take(&mut senses.held);
    held.clear();
    held.resize(senses.targets.len(), 0);
    for (place, track) in battle.units[receiver].tracks.tracks.iter().enumerate() {
        if let Some(row) = senses.row_of(battle, track.target_id) {
            held[row] = place as u16 + 1;
        }
    }
    senses.held = held;
}

/// Takes over a sender's track where the receiver has none or a worse one.
fn merge(battle: &mut Battle, senses: &mut Senses, receiver: usize, entry: usize, tier: i64) {
    let (row, incoming) = &senses.published[entry];
    if incoming.bearing_only && tier != link_tier::T0 {
        return;
    }
    let factor = SIGMA_FACTOR[tier as usize];
    let variance = incoming.P * (factor * factor);
    let place = senses.held[usize::from(*row)];
    if place > 0 {
        let held = &mut battle.units[receiver].tracks.tracks[usize::from(place) - 1];
        // A fix of this tick that is good enough to fire on is not given up for one that is not.
        let keeps_fire_control = held.age > 0 || shared_quality(incoming.quality, tier) >= held.quality;
        if variance < held.P && keeps_fire_control {
            senses.least_quality = None;
            held.hits = held.hits.max(incoming.hits);
            held.modalities |= LINK_BIT;
            take_over(held, incoming, variance, tier);
        }
        return;
    }
    let own = &battle.units[receiver];
    if is_full(own) {
        let least_quality = *senses.least_quality.get_or_insert_with(|| least_quality(&own.tracks.tracks));
        if least_quality >= shared_quality(incoming.quality, tier) {
            return;
        }
    }
    let mut track = *incoming;
    track.modalities = LINK_BIT;
    take_over(&mut track, incoming, variance, tier);
    if tier < link_tier::T2 {
        (track.id_conf, track.class_level, track.is_munition) = (0.0, 0, false);
        let own = &battle.units[receiver].identity;
        let viewer = Viewer { id: own.id, team: own.team };
        track.iff = judge_iff(battle, viewer, 0.0, &Subject::from(&senses.targets[usize::from(*row)]));
    }
    let row = usize::from(*row);
    let replaced = add_track(battle, receiver, track).expect("there is room or a worse track");
    senses.least_quality = None;
    if let Some(replaced) = replaced {
        forget_place(&mut senses.held, replaced as u16 + 1);
    }
    senses.held[row] = battle.units[receiver].tracks.tracks.len() as u16;
}

/// Takes a place, counted from 1, out of the index of a table; what stood behind it has moved up.
fn forget_place(held: &mut [u16], gone: u16) {
    for place in held {
        *place = if *place == gone { 0 } else { *place - u16::from(*place > gone) };
    }
}

fn take_over(track: &mut Track, incoming: &Track, variance: f64, tier: i64) {
    (track.x, track.y, track.vx, track.vy) = (incoming.x, incoming.y, incoming.vx, incoming.vy);
    track.P = variance;
    track.quality = shared_quality(incoming.quality, tier);
    track.age = incoming.age;
    track.layer_est = incoming.layer_est;
    track.bearing_only = incoming.bearing_only;
    track.shared = true;
    if tier >= link_tier::T2 {
        (track.id_conf, track.class_level, track.iff) = (incoming.id_conf, incoming.class_level, incoming.iff);
        track.is_munition = incoming.is_munition;
    }
}

fn note_mate(battle: &mut Battle, receiver: usize, mate: usize) {
    let mate = &battle.units[mate];
    let fix = MateFix {
        unit_id: mate.identity.id,
        x: mate.transform.x,
        y: mate.transform.y,
        vx: mate.motion.vx,
        vy: mate.motion.vy,
        layer: mate.layer.layer,
        tick: battle.tick,
    };
    let fixes = &mut battle.units[receiver].memory.mate_fixes;
    match fixes.binary_search_by_key(&fix.unit_id, |known| known.unit_id) {
        Ok(place) => fixes[place] = fix,
        Err(place) => fixes.insert(place, fix),
    }
}

fn forget_lost_mates(battle: &mut Battle, receiver: usize) {
    if battle.units[receiver].memory.mate_fixes.is_empty() {
        return;
    }
    let mut fixes = std::mem::take(&mut battle.units[receiver].memory.mate_fixes);
    let own = &battle.units[receiver];
    fixes.retain(|fix| battle.find_unit(fix.unit_id).is_some_and(|mate| is_team_mate(own, mate)));
    battle.units[receiver].memory.mate_fixes = fixes;
}
