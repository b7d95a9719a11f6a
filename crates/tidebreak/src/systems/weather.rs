//! Weather at a point: the map's, made worse by storms.

use kernel::numerics::{clamp, fmax, fmin, hyp};

use crate::codes::{precipitation, storm_profile};
use crate::components::Storm;
use crate::state::Battle;

const SEA_STATE_MAX: f64 = 9.0;
const STORM_SEA_STATE: f64 = 5.0;
const STORM_VISIBILITY: f64 = 0.8;
const STORM_LIGHTNING: f64 = 0.8;
/// Strength of storms above which it rains at least so.
const RAIN_ABOVE: [(f64, i64); 3] =
    [(0.6, precipitation::STORM), (0.3, precipitation::HEAVY_RAIN), (0.1, precipitation::LIGHT_RAIN)];
/// By `size_class`.
const SPEED_LOSS_PER_SEA_STATE: [f64; 4] = [0.03, 0.02, 0.01, 0.005];
/// Decibels in a flat calm and per sea state, by `layer`.
const AMBIENT_NOISE_DB: [(f64, f64); 3] = [(62.0, 2.5), (60.0, 1.0), (58.0, 0.2)];
const EYE_RADIUS: f64 = 0.15; // of a cyclone, in radii, as are the next two
const EYE_STRENGTH: f64 = 0.2;
const WALL_RADIUS: f64 = 0.4;
const WALL_WIDTH: f64 = 0.6;

/// Weather at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalWeather {
    /// Capped sum of storm strengths.
    pub storm: f64,
    /// 0 to 9.
    pub sea_state: f64,
    /// How far one sees.
    pub visibility_km: f64,
    /// A `precipitation`.
    pub precipitation: i64,
    /// 0 to 1.
    pub lightning: f64,
}

/// Weather at a point, whatever the layer.
#[inline]
#[must_use]
pub fn local_weather(battle: &Battle, x: f64, y: f64) -> LocalWeather {
    let base = &battle.map().weather;
    let mut total = 0.0;
    for storm in &battle.storms {
        total += storm_strength(storm, x, y);
    }
    let storm_sum = fmin(total, 1.0);
    let mut precipitation = base.precipitation;
    if let Some(&(_, kind)) = RAIN_ABOVE.iter().find(|(above, _)| storm_sum > *above) {
        precipitation = precipitation.max(kind);
    }
    LocalWeather {
        storm: storm_sum,
        sea_state: clamp(base.sea_state + STORM_SEA_STATE * storm_sum, 0.0, SEA_STATE_MAX),
        visibility_km: base.visibility_km * (1.0 - STORM_VISIBILITY * storm_sum),
        precipitation,
        lightning: fmax(base.lightning, STORM_LIGHTNING * storm_sum),
    }
}

/// Strength of one storm at a point, 0 to 1.
#[inline]
#[must_use]
pub fn storm_strength(storm: &Storm, x: f64, y: f64) -> f64 {
    let distance = hyp(x - storm.x, y - storm.y);
    let (radius, intensity) = (storm.radius, storm.intensity);
    if storm.profile == storm_profile::UNIFORM {
        return if distance < radius { intensity } else { 0.0 };
    }
    if storm.profile == storm_profile::GRADIENT {
        return intensity * fmax(0.0, 1.0 - distance / radius);
    }
    if distance < EYE_RADIUS * radius {
        return EYE_STRENGTH * intensity;
    }
    intensity * fmax(0.0, 1.0 - (distance - WALL_RADIUS * radius).abs() / (WALL_WIDTH * radius))
}

/// Share of its speed that a surface hull keeps in this sea.
#[inline]
#[must_use]
pub fn sea_speed_factor(size: i64, sea_state: f64) -> f64 {
    1.0 - SPEED_LOSS_PER_SEA_STATE[size as usize] * sea_state
}

/// Noise of the sea itself.
#[inline]
#[must_use]
pub fn ambient_noise_db(layer: i64, sea_state: f64) -> f64 {
    let (quiet, per_sea_state) = AMBIENT_NOISE_DB[layer as usize];
    quiet + per_sea_state * sea_state
}
