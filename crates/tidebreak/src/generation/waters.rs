//! The sea a generated battle is fought on; each stage adds to the one before.

use kernel::numerics::{TWO_PI, hyp, norm2pi, sincos};

use crate::codes::{ALL_LAYERS_MASK, MODALITIES, zone_effect};
use crate::generation::currents::{Eddy, still_water, swirling, uniform};
use crate::generation::depths::{Style, sloping, uniform_depth};
use crate::generation::draws::{Draws, Purpose};
use crate::generation::lineup::Ship;
use crate::records::{
    ResolvedCurrent, ResolvedDepth, ResolvedLayer, ResolvedMap, ResolvedObstacle, ResolvedShape, ResolvedStorm,
    ResolvedWeather, ResolvedZone,
};

/// Half of a side of the square map.
pub const HALF_SIDE_M: f64 = 8000.0;
/// What obstacles keep from every ship.
pub const OBSTACLE_CLEARANCE_M: f64 = 1500.0;

const ACROSS_M: (f64, f64) = (-HALF_SIDE_M, HALF_SIDE_M);
const FIELD_SIDE_M: f64 = 16384.0;
const DEPTH_M: f64 = 1500.0;
const CURRENT_MAX_MS: f64 = 1.5;
const OBSTACLE_TRIES: u64 = 32;
const SEA_FROM: i64 = 2; // first stages of each
const WATER_FROM: i64 = 4;
const WEATHER_FROM: i64 = 5;
const INTERFERENCE_FROM: i64 = 6;

/// Draws the map of a stage around ships that are already placed.
#[must_use]
pub fn draw_map(draws: &Draws, ships: &[Ship], time_limit_ticks: i64) -> ResolvedMap {
    let stage = draws.stage;
    let calm = || ResolvedLayer { sensor_db: [0.0; MODALITIES], speed_modifier: 1.0 };
    ResolvedMap {
        min_x: -HALF_SIDE_M,
        min_y: -HALF_SIDE_M,
        max_x: HALF_SIDE_M,
        max_y: HALF_SIDE_M,
        edges_open: false,
        field_side_m: FIELD_SIDE_M,
        field_x0: -FIELD_SIDE_M / 2.0,
        field_y0: -FIELD_SIDE_M / 2.0,
        depth: sea_bed(draws),
        obstacles: if stage >= WATER_FROM { obstacles(draws, ships) } else { Vec::new() },
        zones: zones(draws),
        currents: if stage >= WATER_FROM { currents(draws) } else { still_water() },
        weather: weather(draws),
        storms: if stage >= WEATHER_FROM { storms(draws, time_limit_ticks) } else { Vec::new() },
        thermocline: 0.5,
        temperature_c: [18.0, 10.0, 4.0],
        salinity_ppt: 35.0,
        layers: [calm(), calm(), calm()],
    }
}

fn sea_bed(draws: &Draws) -> ResolvedDepth {
    if draws.stage != WATER_FROM {
        return uniform_depth(DEPTH_M);
    }
    sloping(if draws.whole((0, 1), Purpose::Bathymetry, 0) == 0 { Style::Shelf } else { Style::Strait })
}

fn currents(draws: &Draws) -> [ResolvedCurrent; 3] {
    let (sine, cosine) = sincos(draws.between((0.0, TWO_PI), Purpose::Current, 0));
    if draws.whole((0, 1), Purpose::Current, 1) == 0 {
        let speed = draws.between((0.0, CURRENT_MAX_MS), Purpose::Current, 2);
        return uniform((speed * cosine, speed * sine));
    }
    let speed = draws.between((0.0, CURRENT_MAX_MS / 2.0), Purpose::Current, 2);
    let eddy = Eddy {
        x: draws.between((-4000.0, 4000.0), Purpose::Current, 3),
        y: draws.between((-4000.0, 4000.0), Purpose::Current, 4),
        radius: draws.between((1000.0, 4000.0), Purpose::Current, 5),
        speed: draws.between((-CURRENT_MAX_MS / 2.0, CURRENT_MAX_MS / 2.0), Purpose::Current, 6),
    };
    swirling((speed * cosine, speed * sine), &eddy, HALF_SIDE_M)
}

fn obstacles(draws: &Draws, ships: &[Ship]) -> Vec<ResolvedObstacle> {
    let count = draws.whole((2, 8), Purpose::ObstacleCount, 0) as u64;
    (0..count).map(|index| obstacle(draws, index, ships)).collect()
}

fn obstacle(draws: &Draws, index: u64, ships: &[Ship]) -> ResolvedObstacle {
    let radius = draws.between((150.0, 600.0), Purpose::ObstacleSize, index);
    let (mut x, mut y) = (0.0, 0.0);
    for attempt in 0..OBSTACLE_TRIES {
        let key = (index * OBSTACLE_TRIES + attempt) * 2;
        x = draws.between(ACROSS_M, Purpose::ObstaclePlace, key);
        y = draws.between(ACROSS_M, Purpose::ObstaclePlace, key + 1);
        if clearance((x, y), radius, ships) >= OBSTACLE_CLEARANCE_M {
            break;
        }
    }
    ResolvedObstacle { shape: circle(x, y, radius), solid: true, intensity: 1.0, layers_mask: ALL_LAYERS_MASK }
}

/// Meters between the edge of a circle and the nearest unit's center.
#[must_use]
pub fn clearance(position: (f64, f64), radius_m: f64, ships: &[Ship]) -> f64 {
    ships.iter().fold(f64::INFINITY, |least, ship| {
        let clear = hyp(ship.x - position.0, ship.y - position.1) - radius_m;
        if clear < least { clear } else { least }
    })
}

fn circle(x: f64, y: f64, radius_m: f64) -> ResolvedShape {
    ResolvedShape { x, y, radius_m, vertices: Vec::new() }
}

fn weather(draws: &Draws) -> ResolvedWeather {
    let mut weather = ResolvedWeather {
        sea_state: 0.0,
        visibility_km: 20.0,
        precipitation: 0,
        wind_speed_ms: 0.0,
        wind_direction_rad: 0.0,
        wind_x: 0.0,
        wind_y: 0.0,
        lightning: 0.0,
    };
    if draws.stage >= SEA_FROM {
        let roughest = if draws.stage < WEATHER_FROM { 3.0 } else { 7.0 };
        weather.sea_state = draws.between((0.0, roughest), Purpose::Sea, 0);
    }
    if draws.stage >= WEATHER_FROM {
        weather.visibility_km = draws.between((4.0, 20.0), Purpose::Visibility, 0);
        weather.precipitation = draws.whole((0, 3), Purpose::Precipitation, 0);
        weather.wind_speed_ms = draws.between((0.0, 20.0), Purpose::Wind, 0);
        weather.wind_direction_rad = norm2pi(draws.between((0.0, TWO_PI), Purpose::Wind, 1));
    }
    let (sine, cosine) = sincos(weather.wind_direction_rad);
    weather.wind_x = weather.wind_speed_ms * cosine;
    weather.wind_y = weather.wind_speed_ms * sine;
    weather
}

fn storms(draws: &Draws, time_limit_ticks: i64) -> Vec<ResolvedStorm> {
    let count = draws.whole((0, 2), Purpose::StormCount, 0) as u64;
    (0..count).map(|index| storm(draws, index * 8, time_limit_ticks)).collect()
}

fn storm(draws: &Draws, key: u64, time_limit_ticks: i64) -> ResolvedStorm {
    ResolvedStorm {
        x: draws.between(ACROSS_M, Purpose::Storm, key),
        y: draws.between(ACROSS_M, Purpose::Storm, key + 1),
        vx: draws.between((-8.0, 8.0), Purpose::Storm, key + 2),
        vy: draws.between((-8.0, 8.0), Purpose::Storm, key + 3),
        radius_m: draws.between((2000.0, 5000.0), Purpose::Storm, key + 4),
        intensity: draws.between((0.3, 1.0), Purpose::Storm, key + 5),
        profile: draws.whole((0, 2), Purpose::Storm, key + 6),
        ends_at_tick: draws.whole((time_limit_ticks / 2, time_limit_ticks), Purpose::Storm, key + 7),
    }
}

/// Hazards, then interference.
fn zones(draws: &Draws) -> Vec<ResolvedZone> {
    let mut zones = Vec::new();
    if draws.stage >= WEATHER_FROM {
        let count = draws.whole((0, 2), Purpose::HazardCount, 0) as u64;
        zones.extend((0..count).map(|index| zone(draws, zone_effect::HAZARD, (500.0, 1500.0), Purpose::Hazard, index)));
    }
    if draws.stage >= INTERFERENCE_FROM {
        let count = draws.whole((0, 3), Purpose::ZoneCount, 0) as u64;
        let effect = zone_effect::SENSOR_INTERFERENCE;
        zones.extend((0..count).map(|index| zone(draws, effect, (1000.0, 3000.0), Purpose::Zone, index)));
    }
    zones
}

fn zone(draws: &Draws, effect: i64, radius: (f64, f64), purpose: Purpose, index: u64) -> ResolvedZone {
    let key = index * 4;
    let x = draws.between(ACROSS_M, purpose, key);
    let y = draws.between(ACROSS_M, purpose, key + 1);
    ResolvedZone {
        shape: circle(x, y, draws.between(radius, purpose, key + 2)),
        effect,
        intensity: draws.between((0.2, 0.8), purpose, key + 3),
        layers_mask: ALL_LAYERS_MASK,
        vector_x: 0.0,
        vector_y: 0.0,
    }
}
