//! A receiver's table of tracks while its team-mates' offers are weighed against it.
//!
//! Most tracks are improved several times before all senders have been heard, and some are opened and given up again.
//! So the weighing is done on paper, and the table is written once.

use std::ops::Range;

use super::identification::{Subject, Viewer, judge_iff};
use super::publishing::Publications;
use super::senses::Senses;
use super::tracking::{record_lost, record_new};
use crate::codes::{link_tier, modality, track_quality};
use crate::components::Track;
use crate::state::{Battle, Unit};

const SIGMA_FACTOR: [f64; 4] = [2.0, 1.0, 1.0, 1.0]; // by tier
const LINK_BIT: i64 = 1 << modality::LINK;
const QUALITIES: usize = track_quality::Q3 as usize + 1;
const NO_ROW: u16 = u16::MAX;
/// More than the age of any track that is kept.
const AGE_SPAN: i32 = 1 << 20;
const GONE_RANK: i32 = i32::MAX;

/// What decides whether the receiver's track of a target gives way to one that is offered.
#[derive(Clone, Copy, Debug, Default)]
struct Holding {
    /// `P` of the track.
    variance: f64,
    /// Place of its line plus 1, 0 without a track.
    line: u16,
    /// `track_quality`.
    quality: i8,
    /// Whether it is of this tick.
    is_fresh: bool,
}

/// Where the track of a line comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// This place of the receiver's table.
    Held(u16),
    /// It was opened like this publication.
    Opened(u32),
    /// It has been given up.
    Gone,
}

/// A track of the receiver, and which publications it takes over.
#[derive(Clone, Copy, Debug)]
struct Line {
    origin: Origin,
    /// Place of its target in `Senses::targets`.
    row: u16,
    /// Most updates among the publications.
    hits: i64,
    /// What it takes its place from.
    fix: Option<u32>,
    /// What it takes its identity from.
    identity: Option<u32>,
}

/// The receiver's tracks by ascending id, and an index of them; the memory of the lists is kept.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    lines: Vec<Line>,
    /// What of each line is compared when one must be given up: the least of them goes first.
    ranks: Vec<i32>,
    /// By place in `Senses::targets`.
    held: Vec<Holding>,
    /// How many tracks have each quality.
    counts: [u16; QUALITIES],
    /// How many more tracks there is room for.
    room: usize,
    /// How many lines were there before anything was offered.
    opening_lines: usize,
    is_changed: bool,
}

impl Ledger {
    /// Begins with what a unit holds.
    pub fn open(&mut self, battle: &Battle, senses: &Senses, unit: &Unit) {
        let tracks = &unit.tracks.tracks;
        self.lines.clear();
        self.ranks.clear();
        self.held.clear();
        self.held.resize(senses.targets.len(), Holding::default());
        self.counts = [0; QUALITIES];
        self.room = (unit.spec.sensors.tracks_max as usize).saturating_sub(tracks.len());
        self.opening_lines = tracks.len();
        self.is_changed = false;
        for (place, track) in tracks.iter().enumerate() {
            let row = senses.row_of(battle, track.target_id);
            let quality = track.quality as i8;
            if let Some(row) = row {
                let (variance, line, is_fresh) = (track.P, place as u16 + 1, track.age == 0);
                self.held[row] = Holding { variance, line, quality, is_fresh };
            }
            self.counts[quality as usize] += 1;
            self.ranks.push(rank(quality, track.age));
            let row = row.map_or(NO_ROW, |row| row as u16);
            self.lines.push(Line { origin: Origin::Held(place as u16), row, hits: 0, fix: None, identity: None });
        }
    }

    /// Takes over a sender's tracks where the receiver has none or worse ones.
    pub fn merge(
        &mut self,
        battle: &mut Battle,
        said: &Publications,
        receiver: usize,
        entries: Range<usize>,
        tier: i64,
    ) {
        let factor = SIGMA_FACTOR[tier as usize];
        let qualities: [i8; QUALITIES] = std::array::from_fn(|quality| shared_quality(quality as i64, tier) as i8);
        for entry in entries {
            let offer = said.offers[entry];
            if offer.bearing_only && tier != link_tier::T0 {
                continue;
            }
            let variance = offer.variance * (factor * factor);
            let quality = qualities[offer.quality as usize];
            let held = self.held[usize::from(offer.row)];
            if held.line > 0 {
                // A fix of this tick that is good enough to fire on is not given up for one that is not.
                if variance < held.variance && (!held.is_fresh || quality >= held.quality) {
                    self.improve(said, entry, variance, quality, tier);
                }
            } else if quality > self.refused_quality() {
                if self.room == 0 {
                    self.give_up_worst(battle, said, receiver);
                }
                self.adopt(said, entry, variance, quality, tier);
                record_new(battle, receiver, said.tracks[entry].target_id, i64::from(quality));
            }
        }
    }

    /// Writes the table of the receiver.
    pub fn close(&self, battle: &mut Battle, senses: &Senses, receiver: usize) {
        if !self.is_changed {
            return;
        }
        let mut tracks = std::mem::take(&mut battle.units[receiver].tracks.tracks);
        let (opening, opened) = self.lines.split_at(self.opening_lines);
        let mut kept = 0;
        for line in opening {
            if let Origin::Held(place) = line.origin {
                tracks[kept] = tracks[usize::from(place)];
                self.take_over(&senses.publications, line, &mut tracks[kept]);
                kept += 1;
            }
        }
        tracks.truncate(kept);
        let first_id = battle.units[receiver].tracks.next_track_id;
        for (line, track_id) in opened.iter().zip(first_id..) {
            if let Origin::Opened(entry) = line.origin {
                let mut track = self.opened(battle, senses, receiver, line, entry);
                track.track_id = track_id;
                tracks.push(track);
            }
        }
        let table = &mut battle.units[receiver].tracks;
        table.next_track_id += opened.len() as i64;
        table.tracks = tracks;
    }

    /// Quality that is not enough for a new track: that of the worst in a full table, less than any while there is room.
    fn refused_quality(&self) -> i8 {
        if self.room > 0 { i8::MIN } else { self.least_quality() }
    }

    fn least_quality(&self) -> i8 {
        self.counts.iter().position(|&count| count > 0).unwrap_or(0) as i8
    }

    /// Brings a track up to the one that is offered, which is of this tick as all are that are published.
    fn improve(&mut self, said: &Publications, entry: usize, variance: f64, quality: i8, tier: i64) {
        let held = &mut self.held[usize::from(said.offers[entry].row)];
        let place = usize::from(held.line) - 1;
        let line = &mut self.lines[place];
        self.counts[held.quality as usize] -= 1;
        self.counts[quality as usize] += 1;
        self.ranks[place] = rank(quality, 0);
        (held.variance, held.quality, held.is_fresh) = (variance, quality, true);
        line.fix = Some(entry as u32);
        line.hits = line.hits.max(said.tracks[entry].hits);
        if tier >= link_tier::T2 {
            line.identity = line.fix;
        }
        self.is_changed = true;
    }

    /// Opens a track like the one that is offered; there is room.
    fn adopt(&mut self, said: &Publications, entry: usize, variance: f64, quality: i8, tier: i64) {
        let (row, fix) = (said.offers[entry].row, Some(entry as u32));
        self.lines.push(Line {
            origin: Origin::Opened(entry as u32),
            row,
            hits: said.tracks[entry].hits,
            fix,
            identity: fix.filter(|_| tier >= link_tier::T2),
        });
        self.held[usize::from(row)] = Holding { variance, line: self.lines.len() as u16, quality, is_fresh: true };
        self.counts[quality as usize] += 1;
        self.ranks.push(rank(quality, 0));
        self.room -= 1;
        self.is_changed = true;
    }

    /// Gives up the track with the lowest quality, then the greatest age, then the lowest id.
    fn give_up_worst(&mut self, battle: &mut Battle, said: &Publications, receiver: usize) {
        let least = self.least_quality();
        let worst = (self.ranks.iter().enumerate()).min_by_key(|(_, rank)| **rank).map_or(0, |(place, _)| place);
        self.ranks[worst] = GONE_RANK;
        let line = &mut self.lines[worst];
        let target_id = match std::mem::replace(&mut line.origin, Origin::Gone) {
            Origin::Held(place) => battle.units[receiver].tracks.tracks[usize::from(place)].target_id,
            Origin::Opened(entry) => said.tracks[entry as usize].target_id,
            Origin::Gone => unreachable!("a full table has a track to give up"),
        };
        if let Some(held) = self.held.get_mut(usize::from(line.row)) {
            held.line = 0;
        }
        self.counts[least as usize] -= 1;
        self.room += 1;
        record_lost(battle, receiver, target_id);
    }

    /// The track of a line that is new in the table, without its id.
    fn opened(&self, battle: &Battle, senses: &Senses, receiver: usize, line: &Line, entry: u32) -> Track {
        let mut track = senses.publications.tracks[entry as usize];
        track.modalities = LINK_BIT;
        if line.identity.is_none() {
            (track.id_conf, track.class_level, track.is_munition) = (0.0, 0, false);
            let own = &battle.units[receiver].identity;
            let viewer = Viewer { id: own.id, team: own.team };
            track.iff = judge_iff(battle, viewer, 0.0, &Subject::from(&senses.targets[usize::from(line.row)]));
        }
        self.take_over(&senses.publications, line, &mut track);
        track
    }

    fn take_over(&self, said: &Publications, line: &Line, track: &mut Track) {
        let Some(fix) = line.fix else { return };
        let (incoming, held) = (&said.tracks[fix as usize], &self.held[usize::from(line.row)]);
        (track.x, track.y, track.vx, track.vy) = (incoming.x, incoming.y, incoming.vx, incoming.vy);
        track.P = held.variance;
        track.quality = i64::from(held.quality);
        track.age = 0;
        track.hits = track.hits.max(line.hits);
        track.modalities |= LINK_BIT;
        track.layer_est = incoming.layer_est;
        track.bearing_only = incoming.bearing_only;
        track.shared = true;
        if let Some(identity) = line.identity {
            let named = &said.tracks[identity as usize];
            (track.id_conf, track.class_level, track.iff) = (named.id_conf, named.class_level, named.iff);
            track.is_munition = named.is_munition;
        }
    }
}

/// Orders tracks by quality, then by age, the oldest first.
#[inline]
const fn rank(quality: i8, age: i64) -> i32 {
    quality as i32 * AGE_SPAN - age as i32
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
