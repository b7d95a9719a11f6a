//! An observer and a target: the way between them and the excess of every way of sensing over it.

use kernel::numerics::{fmax, fmin, hyp};
use morphospace::constants::{SEDIMENT, SMOKE, TEMPERATURE};

use super::acoustics::{clear_loss, crossing_loss, least_loss, thermocline_with_fields, transmission_loss};
use super::constants::{ESM_FACTOR, ESM_LINK_RANGE_M, LUCK_MAX_DB, PING_PERIOD_TICKS};
use super::excess::{
    active_excess, counter_excess, esm_excess, passive_excess, penalty, radar_excess, radar_range, visibility_share,
    visual_excess, visual_range,
};
use super::excess_by_range::ExcessByRange;
use super::observer::Observer;
use super::presence::Presence;
use super::sight::{Surroundings, is_sight_blocked, path_points};
use crate::codes::{emissions, layer, modality, unit_status};
use crate::state::{Battle, Unit};

/// One observer and one target; what several ways of sensing need is computed once.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// Who senses.
    pub observer: &'a Observer<'a>,
    /// What is sensed.
    pub target: &'a Presence,
    /// Meters between them.
    pub range_m: f64,
    surroundings: Surroundings,
    penalty_db: f64,
    blocked: Option<bool>,
    clear_loss_db: Option<f64>,
    loss_db: Option<f64>,
}

impl<'a> Pair<'a> {
    /// Looks from an observer to a target that is this far away.
    #[inline]
    #[must_use]
    pub fn new(observer: &'a Observer<'a>, target: &'a Presence, range_m: f64) -> Self {
        let surroundings = observer.own.surroundings.or(target.surroundings);
        let interference = surroundings.interference(observer.battle.map());
        let penalty_db = penalty(observer.own.damage_penalty_db, interference);
        Self { observer, target, range_m, surroundings, penalty_db, blocked: None, clear_loss_db: None, loss_db: None }
    }

    /// Meters between an observer and a target.
    #[inline]
    #[must_use]
    pub fn range_between(own: &Presence, target: &Presence) -> f64 {
        hyp(target.x - own.x, target.y - own.y)
    }

    /// Decibels of the eye above its threshold, if nothing were in between; `None` unless both are at the surface.
    #[inline]
    #[must_use]
    pub fn visual(&self) -> Option<ExcessByRange> {
        let Observer { own, sensors, sensor_db, .. } = self.observer;
        if !(own.touches_surface() && self.target.touches_surface()) {
            return None;
        }
        let visibility = visibility_share(fmin(own.visibility_km, self.target.visibility_km));
        let reach_m = visual_range(sensors.visual_factor, visibility, self.target.visual_root, self.smoke());
        Some(visual_excess(reach_m, self.range_m, self.penalty_db).with_local(sensor_db[modality::VISUAL as usize]))
    }

    /// Decibels of a radar above its threshold, if nothing were in between; `None` unless it is on at the surface.
    #[inline]
    #[must_use]
    pub fn radar(&self) -> Option<ExcessByRange> {
        let Observer { own, sensor_db, battle, .. } = self.observer;
        let fitted_m = own.radar_m?;
        if !(own.touches_surface() && self.target.touches_surface()) {
            return None;
        }
        let reach_m = radar_range(fitted_m, self.target.radar_root, self.target.radar_weather);
        let ecm = self.surroundings.ecm(battle.map());
        Some(radar_excess(reach_m, self.range_m, self.penalty_db, ecm).with_local(sensor_db[modality::RADAR as usize]))
    }

    /// Decibels of a receiver above its threshold; `None` without one at the surface or without anybody to hear.
    #[inline]
    #[must_use]
    pub fn esm(&self) -> Option<ExcessByRange> {
        let Observer { sensor_db, battle, can_receive, .. } = self.observer;
        if !(*can_receive && self.target.touches_surface()) {
            return None;
        }
        let reach_m = self.target.emission_m?;
        let ecm = self.surroundings.ecm(battle.map());
        Some(esm_excess(reach_m, self.range_m, ecm).with_local(sensor_db[modality::ESM as usize]))
    }

    /// Decibels of a listening sonar above its threshold; `None` without an array, or where luck cannot help either.
    #[inline]
    #[must_use]
    pub fn passive_sonar(&mut self) -> Option<f64> {
        let Observer { own, sensors, sensor_db, .. } = *self.observer;
        let di_db = sensors.di_db?;
        let (source_db, penalty_db, is_abyssal) = (self.target.source_db, self.penalty_db, own.layer == layer::ABYSSAL);
        let excess = |loss_db: f64| {
            passive_excess(source_db, loss_db, own.noise_db, di_db, penalty_db, is_abyssal)
                + sensor_db[modality::PASSIVE_SONAR as usize]
        };
        // Layers, sediment and obstacles only take away: what is lost without them needs no look at them.
        let is_lost = |loss_db: f64| excess(loss_db) < -LUCK_MAX_DB;
        if is_lost(least_loss(self.range_m)) || is_lost(self.clear_loss_db()) {
            return None;
        }
        Some(excess(self.loss_db()))
    }

    /// Decibels of the echo of a ping above its threshold; `None` without a ping in this tick.
    #[inline]
    #[must_use]
    pub fn active_sonar(&mut self) -> Option<f64> {
        let Observer { own, sensors, sensor_db, .. } = *self.observer;
        let ping_db = own.ping_db?;
        let di_db = sensors.di_db.unwrap_or(0.0);
        let loss_db = self.loss_db();
        let strength_db = self.target.target_strength_db;
        let excess = active_excess(ping_db, loss_db, strength_db, own.noise_db, di_db, self.penalty_db);
        Some(excess + sensor_db[modality::ACTIVE_SONAR as usize])
    }

    /// Excess with which the target's ping of this tick is heard.
    #[inline]
    #[must_use]
    pub fn heard_ping(&mut self) -> Option<f64> {
        let (ping_db, di_db) = (self.target.ping_db?, self.observer.sensors.di_db?);
        let loss_db = self.loss_db();
        Some(counter_excess(ping_db, loss_db, self.observer.own.noise_db, di_db))
    }

    /// Whether land or a solid obstacle is in the way.
    #[inline]
    #[must_use]
    pub fn is_blocked(&mut self) -> bool {
        if let Some(is_blocked) = self.blocked {
            return is_blocked;
        }
        let is_blocked = is_sight_blocked(self.observer.battle.map(), self.start(), self.end(), self.target.layer);
        self.blocked = Some(is_blocked);
        is_blocked
    }

    /// Sound lost on the way.
    fn loss_db(&mut self) -> f64 {
        if let Some(loss_db) = self.loss_db {
            return loss_db;
        }
        let (clear_loss_db, is_blocked) = (self.clear_loss_db(), self.is_blocked());
        let loss_db = transmission_loss(clear_loss_db, self.sediment(), is_blocked);
        self.loss_db = Some(loss_db);
        loss_db
    }

    /// Sound lost on the way if the water were clear and nothing stood in it.
    fn clear_loss_db(&mut self) -> f64 {
        if let Some(clear_loss_db) = self.clear_loss_db {
            return clear_loss_db;
        }
        let clear_loss_db = clear_loss(self.range_m, self.crossing_db());
        self.clear_loss_db = Some(clear_loss_db);
        clear_loss_db
    }

    #[inline]
    fn crossing_db(&self) -> f64 {
        let (here, there) = (self.observer.own.layers_mask, self.target.layers_mask);
        if here & there != 0 {
            0.0
        } else {
            crossing_loss(here, there, thermocline_at(self.observer.battle, self.target.x, self.target.y))
        }
    }

    fn smoke(&self) -> f64 {
        let mut largest = 0.0;
        if self.observer.has_smoke {
            for [x, y] in path_points(self.start(), self.end()) {
                largest = fmax(field_at(self.observer.battle, SMOKE, layer::SURFACE, x, y), largest);
            }
        }
        largest
    }

    fn sediment(&self) -> f64 {
        if self.observer.silted_layers >> self.target.layer & 1 == 0 {
            return 0.0;
        }
        let mut total = 0.0;
        for [x, y] in path_points(self.start(), self.end()) {
            total += field_at(self.observer.battle, SEDIMENT, self.target.layer, x, y);
        }
        total / 3.0
    }

    #[inline]
    const fn start(&self) -> [f64; 2] {
        [self.observer.own.x, self.observer.own.y]
    }

    #[inline]
    const fn end(&self) -> [f64; 2] {
        [self.target.x, self.target.y]
    }
}

/// A field that only events write, at a point; 0 when fields are off. TEMPERATURE has another rest value.
#[inline]
#[must_use]
pub fn field_at(battle: &Battle, field: usize, layer: i64, x: f64, y: f64) -> f64 {
    if battle.rules().fields { f64::from(battle.fields.value(field, layer as usize, x, y)) } else { 0.0 }
}

/// Strength of the thermocline over a point.
#[must_use]
pub fn thermocline_at(battle: &Battle, x: f64, y: f64) -> f64 {
    let map_value = battle.map().thermocline;
    if !battle.rules().fields {
        return map_value;
    }
    let surface_c = field_at(battle, TEMPERATURE, layer::SURFACE, x, y);
    let submerged_c = field_at(battle, TEMPERATURE, layer::SUBMERGED, x, y);
    thermocline_with_fields(map_value, surface_c, submerged_c)
}

/// Whether radar, receiver and pings work: without sensors a unit keeps its eyes and its listening sonar.
#[inline]
#[must_use]
pub const fn has_electronics(unit: &Unit) -> bool {
    !unit.has(unit_status::SENSORS_DISABLED)
}

/// Whether a unit pings in this tick; the deep has no active sonar.
#[inline]
#[must_use]
pub fn is_pinging(battle: &Battle, unit: usize) -> bool {
    let unit = &battle.units[unit];
    let can_ping = unit.spec.sensors.ping_db.is_some() && unit.layer.layer != layer::ABYSSAL;
    let is_on = unit.posture.emissions == emissions::ACTIVE && has_electronics(unit);
    let is_manned = unit.is_present() && !unit.has(unit_status::SURRENDERED | unit_status::CAPTURED);
    can_ping && is_on && is_manned && (battle.tick + unit.identity.id) % PING_PERIOD_TICKS == 0
}

/// Range at which a receiver's excess on a unit is 0; `None` if it radiates nothing.
#[inline]
#[must_use]
pub fn emission_range(emitter: &Unit, is_linked: bool) -> Option<f64> {
    match emitter.posture.emissions {
        emissions::ACTIVE if has_electronics(emitter) => {
            emitter.spec.sensors.radar_range_m.map(|fitted_m| ESM_FACTOR * fitted_m)
        }
        emissions::PASSIVE if is_linked => Some(ESM_LINK_RANGE_M),
        _ => None,
    }
}
