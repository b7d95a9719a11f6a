//! What an observer makes of its targets: the one measurement of each that it keeps, and the alarms it gets.

use kernel::numerics::{atan2, sincos};

use super::constants::{
    BEARING_NOISE_RAD, EXCESS_NOISE_DB, LUCK_MAX_DB, PAIR_RANGE_MAX_M, PASSIVE_Q1_DB, PASSIVE_Q1_HITS, PASSIVE_Q2_DB,
    PASSIVE_Q2_HITS,
};
use super::excess_by_range::ExcessByRange;
use super::measuring::{Measure, assumed_range, bearing_sigma, counter_sigma, passive_grade, ranged_by_error};
use super::observer::{Conditions, Observer};
use super::pairs::Pair;
use super::presence::Presence;
use super::senses::Senses;
use crate::codes::{modality, track_quality};
use crate::components::Track;
use crate::contacts::estimated_range;
use crate::state::{Battle, Unit};

/// What an observer noticed of others' pings and radars in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alarms {
    /// Somebody's ping was heard.
    pub is_pinged: bool,
    /// Somebody's radar has a contact on it, and its receiver hears it.
    pub is_painted: bool,
}

/// A unit at work with its sensors.
///
/// Of all ranged measurements of a target the one that errs least is kept, a bearing only without any; so the ways of
/// sensing are asked in the order of their errors, and those that could not be kept are not asked. Draws depend on
/// nothing but their keys, which makes that safe.
#[derive(Clone, Copy, Debug)]
pub struct Sensing<'a> {
    battle: &'a Battle,
    senses: &'a Senses,
    unit: &'a Unit,
    observer: Observer<'a>,
    conditions: &'a Conditions,
}

impl<'a> Sensing<'a> {
    /// A unit that is present.
    #[must_use]
    pub fn of(battle: &'a Battle, senses: &'a Senses, conditions: &'a Conditions, unit: usize) -> Self {
        let own = &senses.targets[senses.row_of_unit(unit).expect("an observer is present")];
        Self {
            battle,
            senses,
            unit: &battle.units[unit],
            observer: Observer::of(battle, conditions, unit, own),
            conditions,
        }
    }

    /// Looks, listens and pings; fills in the measurement that is kept of every target, by place in `senses.targets`.
    pub fn sense_all(&self, measures: &mut Vec<Option<Measure>>) -> Alarms {
        let mut alarms = Alarms::default();
        measures.clear();
        measures.extend(self.senses.targets.iter().zip(&self.senses.tracked).map(|(target, &tracked)| {
            let is_of_others = target.team != self.observer.own.team;
            is_of_others.then(|| self.sense_target(target, usize::from(tracked), &mut alarms)).flatten()
        }));
        alarms
    }

    /// `tracked` is the place of the target's track plus 1.
    fn sense_target(&self, target: &Presence, tracked: usize, alarms: &mut Alarms) -> Option<Measure> {
        let range_m = Pair::range_between(self.observer.own, target);
        if range_m > PAIR_RANGE_MAX_M {
            return None;
        }
        let mut pair = Pair::new(&self.observer, target, range_m);
        let is_ping_heard = target.ping_db.is_some() && pair.heard_ping().is_some_and(|excess| excess >= 0.0);
        alarms.is_pinged |= is_ping_heard;
        if let (false, Some(_), Some(emitter)) = (alarms.is_painted, target.radar_m, target.unit) {
            alarms.is_painted = is_painted(&pair, || Observer::of(self.battle, self.conditions, emitter, target));
        }
        if !self.is_measured(target) {
            return None;
        }
        let track = || tracked.checked_sub(1).map(|place| &self.unit.tracks.tracks[place]);
        ranged(&mut pair).or_else(|| heard(&mut pair, self.unit, track(), is_ping_heard))
    }

    /// Whether a measurement would change anything: without fog only the first good one of an enemy does.
    fn is_measured(&self, target: &Presence) -> bool {
        self.battle.rules().fog || target.is_munition() || {
            let is_enemy = self.battle.are_enemies(self.observer.own.team, target.team);
            is_enemy && self.unit.memory.raised_ids.binary_search(&target.id).is_err()
        }
    }
}

/// Whether eye or radar has a contact in this tick.
#[must_use]
pub fn is_seen(observer: &Observer<'_>, target: &Presence) -> bool {
    let range_m = Pair::range_between(observer.own, target);
    if range_m > PAIR_RANGE_MAX_M {
        return false;
    }
    let mut pair = Pair::new(observer, target, range_m);
    let is_found = |pair: &Pair<'_>, excess, modality| stands_out_by_range(pair, excess, modality, 0.0).is_some();
    let has_contact =
        is_found(&pair, pair.visual(), modality::VISUAL) || is_found(&pair, pair.radar(), modality::RADAR);
    has_contact && !pair.is_blocked()
}

/// Excess with the luck of this tick, if it is 0 or more; luck is not asked for where it cannot matter.
///
/// An excess that is at least `sure_db` whatever the luck may come back without it.
#[inline]
fn stands_out(pair: &Pair<'_>, excess: Option<f64>, modality: i64, sure_db: f64) -> Option<f64> {
    let excess = excess?;
    if excess < -LUCK_MAX_DB {
        return None;
    }
    if excess >= sure_db + LUCK_MAX_DB {
        return Some(excess);
    }
    let luck = pair.observer.excess_luck.bell(pair.target.id, modality);
    let noisy = excess + EXCESS_NOISE_DB * luck;
    (noisy >= 0.0).then_some(noisy)
}

/// `stands_out` of an excess that is only worked out where it is close; what comes back tells no more than whether it is
/// at least `sure_db`.
#[inline]
fn stands_out_by_range(pair: &Pair<'_>, excess: Option<ExcessByRange>, modality: i64, sure_db: f64) -> Option<f64> {
    let excess = excess?;
    let (low, high) = excess.bounds();
    if high < -LUCK_MAX_DB {
        return None;
    }
    if low >= sure_db + LUCK_MAX_DB {
        return Some(low);
    }
    let noise_db = EXCESS_NOISE_DB * pair.observer.excess_luck.bell(pair.target.id, modality);
    let (low, high) = (low + noise_db, high + noise_db);
    if high < 0.0 {
        return None;
    }
    if low >= sure_db || (low >= 0.0 && high < sure_db) {
        return Some(low);
    }
    let noisy = excess.decibels() + noise_db;
    (noisy >= 0.0).then_some(noisy)
}

/// The best contact of eye, radar and ping.
fn ranged(pair: &mut Pair<'_>) -> Option<Measure> {
    for way in ranged_by_error(pair.range_m) {
        let noisy = match way.modality {
            modality::VISUAL => stands_out_by_range(pair, pair.visual(), way.modality, way.q2_db),
            modality::RADAR => stands_out_by_range(pair, pair.radar(), way.modality, way.q2_db),
            _ => {
                let excess = pair.active_sonar();
                stands_out(pair, excess, way.modality, way.q2_db)
            }
        };
        let Some(noisy) = noisy else { continue };
        if way.modality != modality::ACTIVE_SONAR && pair.is_blocked() {
            continue;
        }
        let quality = if noisy >= way.q2_db { track_quality::Q2 } else { track_quality::Q1 };
        return Some(place_of(pair, way.modality, quality, way.sigma_m));
    }
    None
}

/// The best of what is heard: a listening sonar, a ping, a receiver.
fn heard(pair: &mut Pair<'_>, unit: &Unit, track: Option<&Track>, is_ping_heard: bool) -> Option<Measure> {
    let sonar = pair.passive_sonar();
    let radio = pair.esm();
    if sonar.is_none() && radio.is_none() && !is_ping_heard {
        return None;
    }
    let hits = track.map_or(0, |track| track.hits);
    let mut is_sonar_bearing = false;
    if let Some(noisy) = stands_out(pair, sonar, modality::PASSIVE_SONAR, sure_passive_db(hits)) {
        let graded = passive_grade(noisy, pair.range_m, hits);
        match graded.sigma_m {
            // A ping that is heard errs less than listening at Q1.
            Some(sigma_m) if graded.quality == track_quality::Q2 || !is_ping_heard => {
                return Some(place_of(pair, modality::PASSIVE_SONAR, graded.quality, sigma_m));
            }
            Some(_) => {}
            None => is_sonar_bearing = true,
        }
    }
    if is_ping_heard {
        let sigma_m = counter_sigma(pair.range_m);
        return Some(place_of(pair, modality::PASSIVE_SONAR, track_quality::Q1, sigma_m));
    }
    let is_radio_bearing = stands_out_by_range(pair, radio, modality::ESM, 0.0).is_some();
    let track_range_m = track.map(|track| estimated_range(unit, track));
    // With a track both assume its range and the lower code wins; without one the sonar assumes less.
    let modality = match (is_radio_bearing, is_sonar_bearing) {
        (true, true) if track.is_some() => modality::ESM,
        (_, true) => modality::PASSIVE_SONAR,
        (true, false) => modality::ESM,
        (false, false) => return None,
    };
    Some(bearing_of(pair, modality, assumed_range(modality, track_range_m)))
}

/// Excess from which more of it changes nothing for a listening sonar.
#[inline]
const fn sure_passive_db(hits: i64) -> f64 {
    if hits >= PASSIVE_Q2_HITS {
        PASSIVE_Q2_DB
    } else if hits >= PASSIVE_Q1_HITS {
        PASSIVE_Q1_DB
    } else {
        0.0
    }
}

/// Whether the observer hears the target's radar while that has a contact on the observer.
fn is_painted<'a>(pair: &Pair<'_>, emitter: impl FnOnce() -> Observer<'a>) -> bool {
    let is_received = pair.esm().is_some_and(|excess| excess.is_positive());
    if !is_received {
        return false;
    }
    let emitter = emitter();
    let mut back = Pair::new(&emitter, pair.observer.own, Pair::range_between(emitter.own, pair.observer.own));
    back.radar().is_some_and(|excess| excess.is_positive()) && !back.is_blocked()
}

fn place_of(pair: &Pair<'_>, modality: i64, quality: i64, sigma_m: f64) -> Measure {
    Measure {
        modality,
        sigma: sigma_m,
        x: pair.target.x + sigma_m * luck(pair, 0),
        y: pair.target.y + sigma_m * luck(pair, 1),
        quality,
        bearing_only: false,
        assumed_range: 0.0,
    }
}

/// A place on the bearing; only the bearing of the true place enters it.
fn bearing_of(pair: &Pair<'_>, modality: i64, range_m: f64) -> Measure {
    let (own, target) = (pair.observer.own, pair.target);
    let bearing = atan2(target.y - own.y, target.x - own.x) + BEARING_NOISE_RAD * luck(pair, 2);
    let (sine, cosine) = sincos(bearing);
    Measure {
        modality,
        sigma: bearing_sigma(range_m),
        x: own.x + range_m * cosine,
        y: own.y + range_m * sine,
        quality: track_quality::Q0,
        bearing_only: true,
        assumed_range: range_m,
    }
}

fn luck(pair: &Pair<'_>, k: i64) -> f64 {
    pair.observer.measurement_luck.bell(pair.target.id, k)
}
