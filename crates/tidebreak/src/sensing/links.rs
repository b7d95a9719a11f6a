//! The data mesh at work: units learn their team-mates' places and merge the tracks that they share.

use std::ops::Range;

use kernel::numerics::hyp;

use super::constants::LINK_RANGE_M;
use super::identification::{Subject, Viewer, judge_iff};
use super::mesh::{NO_LINK, is_publishing, is_team_mate};
use super::publishing::publish;
use super::senses::Senses;
use super::tracking::{add_track, is_full, least_quality};
use crate::codes::{link_tier, modality, track_quality};
use crate::components::{MateFix, Track};
use crate::state::{Battle, Unit};

const SIGMA_FACTOR: [f64; 4] = [2.0, 1.0, 1.0, 1.0]; // by tier
const LINK_BIT: i64 = 1 << modality::LINK;

/// What decides whether a receiver's track of a target gives way to one that is offered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holding {
    /// `P` of the track.
    variance: f64,
    /// Place of the track plus 1, 0 without one.
    place: u16,
    /// `track_quality`.
    quality: i8,
    /// Whether it is of this tick.
    is_fresh: bool,
}

impl Holding {
    fn of(place: usize, track: &Track) -> Self {
        Self { variance: track.P, place: place as u16 + 1, quality: track.quality as i8, is_fresh: track.age == 0 }
    }
}

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
#[inline]
#[must_use]
pub const fn shared_quality(quality: i64, tier: i64) -> i64 {
    match tier {
        ..=link_tier::T1 if quality > track_quality::Q1 => track_quality::Q1,
        link_tier::T2 if quality > track_quality::Q2 => track_quality::Q2,
        ..=link_tier::T2 => quality,
        _ if quality >= track_quality::Q2 => track_quality::Q3,
        _ => quality,
    }
}

fn receive(battle: &mut Battle, senses: &mut Senses, receiver: usize) {
    let own = &battle.units[receiver];
    let (id, team, x, y) = (own.identity.id, own.identity.team, own.transform.x, own.transform.y);
    let mut is_indexed = false;
    let mut mate_row = 0;
    for place in 0..senses.publications.speakers.len() {
        let mate = senses.publications.speakers[place];
        let tier = senses.link_tiers[receiver].min(mate.tier);
        let is_mate = mate.team == team && mate.fix.unit_id != id;
        if !is_mate || hyp(mate.fix.x - x, mate.fix.y - y) > LINK_RANGE_M {
            continue;
        }
        mate_row = note_mate(&mut battle.units[receiver].memory.mate_fixes, mate_row, mate.fix);
        if mate.first < mate.end && is_publishing(battle.tick, mate.fix.unit_id, tier) {
            if !is_indexed {
                index_tracks(battle, senses, receiver);
                is_indexed = true;
            }
            merge(battle, senses, receiver, mate.first as usize..mate.end as usize, tier);
        }
    }
}

/// Notes which targets the receiver holds tracks of.
fn index_tracks(battle: &Battle, senses: &mut Senses, receiver: usize) {
    let mut held = std::mem::take(&mut senses.held);
    held.clear();
    held.resize(senses.targets.len(), Holding::default());
    for (place, track) in battle.units[receiver].tracks.tracks.iter().enumerate() {
        if let Some(row) = senses.row_of(battle, track.target_id) {
            held[row] = Holding::of(place, track);
        }
    }
    senses.held = held;
    senses.refused_quality = None;
}

/// Quality that is not enough for a new track: that of the worst in a full table, less than any while there is room.
fn refused_quality(unit: &Unit) -> i8 {
    if is_full(unit) { least_quality(&unit.tracks.tracks) as i8 } else { i8::MIN }
}

/// Takes over a sender's tracks where the receiver has none or worse ones.
fn merge(battle: &mut Battle, senses: &mut Senses, receiver: usize, entries: Range<usize>, tier: i64) {
    let factor = SIGMA_FACTOR[tier as usize];
    for entry in entries {
        let offer = senses.publications.offers[entry];
        if offer.bearing_only && tier != link_tier::T0 {
            continue;
        }
        let variance = offer.variance * (factor * factor);
        let quality = shared_quality(i64::from(offer.quality), tier) as i8;
        let held = senses.held[usize::from(offer.row)];
        if held.place > 0 {
            // A fix of this tick that is good enough to fire on is not given up for one that is not.
            if variance < held.variance && (!held.is_fresh || quality >= held.quality) {
                improve(battle, senses, receiver, entry, variance, tier);
            }
        } else if quality > *senses.refused_quality.get_or_insert_with(|| refused_quality(&battle.units[receiver])) {
            adopt(battle, senses, receiver, entry, variance, tier);
        }
    }
}

/// Brings a track of the receiver up to the one that is offered.
fn improve(battle: &mut Battle, senses: &mut Senses, receiver: usize, entry: usize, variance: f64, tier: i64) {
    let (incoming, row) = (&senses.publications.tracks[entry], senses.publications.offers[entry].row);
    let held = &mut senses.held[usize::from(row)];
    let place = usize::from(held.place) - 1;
    let track = &mut battle.units[receiver].tracks.tracks[place];
    track.hits = track.hits.max(incoming.hits);
    track.modalities |= LINK_BIT;
    take_over(track, incoming, variance, tier);
    *held = Holding::of(place, track);
    senses.refused_quality = None;
}

/// Opens a track like the one that is offered; there is room or a worse track.
fn adopt(battle: &mut Battle, senses: &mut Senses, receiver: usize, entry: usize, variance: f64, tier: i64) {
    let (incoming, row) = (&senses.publications.tracks[entry], senses.publications.offers[entry].row);
    let mut track = *incoming;
    track.modalities = LINK_BIT;
    take_over(&mut track, incoming, variance, tier);
    if tier < link_tier::T2 {
        (track.id_conf, track.class_level, track.is_munition) = (0.0, 0, false);
        let own = &battle.units[receiver].identity;
        let viewer = Viewer { id: own.id, team: own.team };
        track.iff = judge_iff(battle, viewer, 0.0, &Subject::from(&senses.targets[usize::from(row)]));
    }
    let replaced = add_track(battle, receiver, track).expect("there is room or a worse track");
    if let Some(replaced) = replaced {
        forget_place(&mut senses.held, replaced as u16 + 1);
    }
    senses.held[usize::from(row)] = Holding::of(battle.units[receiver].tracks.tracks.len() - 1, &track);
    senses.refused_quality = None;
}

/// Takes a place, counted from 1, out of the index of a table; what stood behind it has moved up.
fn forget_place(held: &mut [Holding], gone: u16) {
    for Holding { place, .. } in held {
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

/// Keeps where a mate is; mates come by id and so do fixes, so that the search goes on where the last one ended.
fn note_mate(fixes: &mut Vec<MateFix>, from: usize, fix: MateFix) -> usize {
    let mut row = from;
    while row < fixes.len() && fixes[row].unit_id < fix.unit_id {
        row += 1;
    }
    if row < fixes.len() && fixes[row].unit_id == fix.unit_id {
        fixes[row] = fix;
    } else {
        fixes.insert(row, fix);
    }
    row + 1
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
