//! What is there to be sensed and to sense, with everything that its pairs share in one tick.

use morphospace::constants::NOISE;

use super::acoustics::noise_level;
use super::constants::RADAR_INDEX_UNIT;
use super::excess::{damage_penalty, radar_weather};
use super::pairs::{emission_range, field_at, has_electronics, is_pinging};
use super::sight::Surroundings;
use super::targets::{Target, munition_target, own_speed_share, unit_target};
use crate::codes::{emissions, layer, system};
use crate::components::Munition;
use crate::state::Battle;
use crate::systems::compartments::usable;
use crate::systems::weather::{ambient_noise_db, local_weather};

/// A unit, decoy or mine in one tick.
#[derive(Clone, Copy, Debug)]
pub struct Presence {
    /// Of the unit or munition.
    pub id: i64,
    /// Whose it is.
    pub team: i64,
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// Where it is, the origin while in transit.
    pub layer: i64,
    /// Layers it counts as being in.
    pub layers_mask: i64,
    /// Fourth root of its radar index in units.
    pub radar_root: f64,
    /// Square root of its visual index.
    pub visual_root: f64,
    /// Level it radiates.
    pub source_db: f64,
    /// What it returns of a ping.
    pub target_strength_db: f64,
    /// Place of the unit itself; `None` for decoys and mines.
    pub unit: Option<usize>,
    /// Share of a radar's range that the weather over it leaves.
    pub radar_weather: f64,
    /// How far the eye sees where it is.
    pub visibility_km: f64,
    /// What disturbs sensing where it is.
    pub surroundings: Surroundings,
    /// Range at which a receiver's excess on it is 0; `None` if it radiates nothing.
    pub emission_m: Option<f64>,
    /// Level of its ping of this tick.
    pub ping_db: Option<f64>,
    /// Range of its radar while that is switched on and works.
    pub radar_m: Option<f64>,
    /// What damage takes from its excesses.
    pub damage_penalty_db: f64,
    /// Level it listens through.
    pub noise_db: f64,
}

impl Presence {
    /// A unit; `is_linked` tells whether it speaks with anybody.
    #[must_use]
    pub fn of_unit(battle: &Battle, place: usize, is_linked: bool) -> Self {
        let unit = &battle.units[place];
        let seen = Self::of_target(battle, &unit_target(battle, place));
        let is_radar_on = unit.posture.emissions == emissions::ACTIVE && has_electronics(unit);
        let (x, y) = (unit.transform.x, unit.transform.y);
        let noise_field_db = field_at(battle, NOISE, unit.layer.layer, x, y);
        Self {
            emission_m: emission_range(unit, is_linked),
            ping_db: if is_pinging(battle, place) { unit.spec.sensors.ping_db } else { None },
            radar_m: if is_radar_on { unit.spec.sensors.radar_range_m } else { None },
            damage_penalty_db: damage_penalty(usable(unit, system::SENSORS), usable(unit, system::POWER)),
            noise_db: noise_level(seen.noise_db, own_speed_share(unit), noise_field_db),
            ..seen
        }
    }

    /// A decoy or a mine; it senses nothing.
    #[must_use]
    pub fn of_munition(battle: &Battle, munition: &Munition) -> Self {
        Self::of_target(battle, &munition_target(battle, munition))
    }

    /// Something that does no more than lie there; `noise_db` is that of the sea itself.
    fn of_target(battle: &Battle, target: &Target) -> Self {
        let weather = local_weather(battle, target.x, target.y);
        Self {
            id: target.id,
            team: target.team,
            x: target.x,
            y: target.y,
            layer: target.layer,
            layers_mask: target.layers_mask,
            radar_root: (target.radar_index / RADAR_INDEX_UNIT).sqrt().sqrt(),
            visual_root: target.visual_index.sqrt(),
            source_db: target.source_db,
            target_strength_db: target.target_strength_db,
            unit: target.unit,
            radar_weather: radar_weather(weather.sea_state, weather.precipitation),
            visibility_km: weather.visibility_km,
            surroundings: Surroundings::of(battle.map(), target.x, target.y, target.layers_mask),
            emission_m: None,
            ping_db: None,
            radar_m: None,
            damage_penalty_db: 0.0,
            noise_db: ambient_noise_db(target.layer, weather.sea_state),
        }
    }

    /// Whether it is a decoy or a mine.
    #[inline]
    #[must_use]
    pub const fn is_munition(&self) -> bool {
        self.unit.is_none()
    }

    /// Whether it counts as being on SURFACE.
    #[inline]
    #[must_use]
    pub const fn touches_surface(&self) -> bool {
        self.layers_mask & 1 << layer::SURFACE != 0
    }
}
