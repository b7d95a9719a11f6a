//! What surrounds a unit: weather, water, dangers, its side, its objective and the fields.

use kernel::numerics::{fmax, fmin, hyp, sincos};
use morphospace::constants::{NOISE, OCCUPANCY, SONAR_RETURN, TEMPERATURE};
use morphospace::{DEFAULT_SHELLS, Observer};

use super::objective::show_objective;
use super::obstruction::{RAY_LENGTH_M, nearest_obstruction};
use super::scaling::{clip, flag, half_side, relative_direction};
use crate::codes::{iff, zone_effect};
use crate::layout::{FOVEATED_FIELDS, FOVEATED_SECTORS, env};
use crate::resolve::terrain::layers_at;
use crate::sensing::pairs::{field_at, thermocline_at};
use crate::state::{Battle, Unit};
use crate::systems::currents::current_at;
use crate::systems::terrain::depth_below;
use crate::systems::weather::local_weather;
use crate::systems::zones::zone_intensity;

const SEA_STATE_SCALE: f64 = 9.0;
const VISIBILITY_SCALE_KM: f64 = 20.0;
const PRECIPITATION_SCALE: f64 = 3.0;
const WIND_SCALE_MS: f64 = 40.0;
const CURRENT_SCALE_MS: f64 = 5.0;
const DEPTH_SCALE_M: f64 = 2_000.0;
const NOISE_SCALE_DB: f64 = 120.0;
const HEAT_SCALE_C: f64 = 50.0;
const TRACKS_SCALE: f64 = 16.0;
const COST_SCALE: f64 = 1_000.0;
const BOARDING_SCALE: f64 = 4.0;
const SHOWN_FIELDS: [usize; FOVEATED_FIELDS] = [TEMPERATURE, NOISE, OCCUPANCY, SONAR_RETURN];
const LAYERS: usize = 3;

/// Fills in the block `environment`, which holds zeros; the fields only where the block has room for them.
pub fn show_environment(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let limit = battle.rules().time_limit_ticks;
    obs[env::TIME_LEFT] = clip((limit - battle.tick) as f64 / limit as f64);
    show_weather(battle, unit, obs);
    show_water(battle, unit, obs);
    show_dangers(battle, unit, obs);
    show_side(battle, unit, obs);
    show_objective(battle, unit, obs);
    if obs.len() > env::FOVEATED {
        show_fields(battle, unit, &mut obs[env::FOVEATED..]);
    }
}

fn show_weather(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let (here, wind) = (local_weather(battle, unit.transform.x, unit.transform.y), &battle.map().weather);
    obs[env::SEA_STATE] = clip(here.sea_state / SEA_STATE_SCALE);
    obs[env::VISIBILITY] = clip(here.visibility_km / VISIBILITY_SCALE_KM);
    obs[env::PRECIPITATION] = clip(here.precipitation as f64 / PRECIPITATION_SCALE);
    obs[env::WIND] = clip(wind.wind_x / WIND_SCALE_MS);
    obs[env::WIND + 1] = clip(wind.wind_y / WIND_SCALE_MS);
    obs[env::LIGHTNING] = clip(here.lightning);
}

fn show_water(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let (layer, x, y) = (unit.layer.layer, unit.transform.x, unit.transform.y);
    let depth_m = depth_below(battle, x, y);
    let (current_x, current_y) = current_at(battle, layer, x, y);
    obs[env::CURRENT] = clip(current_x / CURRENT_SCALE_MS);
    obs[env::CURRENT + 1] = clip(current_y / CURRENT_SCALE_MS);
    obs[env::DEPTH] = clip(fmin(depth_m, DEPTH_SCALE_M) / DEPTH_SCALE_M);
    let allowed = layers_at(depth_m);
    for each in 0..LAYERS {
        obs[env::LAYERS_ALLOWED + each] = flag(allowed >> each & 1 != 0);
    }
    obs[env::THERMOCLINE] = clip(thermocline_at(battle, x, y));
    obs[env::NOISE] = clip(field_at(battle, NOISE, layer, x, y) / NOISE_SCALE_DB);
    obs[env::HAZARD] = clip(zone_intensity(battle, zone_effect::HAZARD, unit.layers_mask(), x, y));
}

fn show_dangers(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let (area, place) = (battle.map(), &unit.transform);
    obs[env::OBSTACLE + 2] = 1.0;
    if let Some(found) = nearest_obstruction(battle, unit) {
        let (sine, cosine) = sincos(found.bearing);
        obs[env::OBSTACLE] = clip(sine);
        obs[env::OBSTACLE + 1] = clip(cosine);
        obs[env::OBSTACLE + 2] = clip(found.range_m / RAY_LENGTH_M);
    }
    let to_edge_x = fmin(place.x - area.min_x, area.max_x - place.x);
    let to_edge_y = fmin(place.y - area.min_y, area.max_y - place.y);
    obs[env::EDGE] = clip(fmin(to_edge_x, to_edge_y) / half_side(battle));
    show_storm(battle, unit, obs);
}

fn show_storm(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    obs[env::STORM + 2] = 1.0;
    let mut nearest = None;
    let mut nearest_m = -1.0;
    for storm in &battle.storms {
        let distance_m = fmax(0.0, hyp(storm.x - unit.transform.x, storm.y - unit.transform.y) - storm.radius);
        if storm.intensity > 0.0 && (nearest_m < 0.0 || distance_m < nearest_m) {
            nearest_m = distance_m;
            nearest = Some(storm);
        }
    }
    let Some(storm) = nearest else { return };
    let (sine, cosine) = relative_direction(unit, storm.x, storm.y);
    obs[env::STORM] = clip(sine);
    obs[env::STORM + 1] = clip(cosine);
    obs[env::STORM + 2] = clip(nearest_m / battle.map().field_side_m);
    obs[env::STORM + 3] = clip(storm.intensity);
}

fn show_side(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let (mut total, mut effective) = (0.0, 0.0);
    for mate in &battle.units[..battle.starting_units()] {
        if mate.spec.team == unit.identity.team {
            total += mate.spec.hull.cost;
            if mate.is_effective() {
                effective += mate.spec.hull.cost;
            }
        }
    }
    obs[env::FRIENDLY_COST] = if total > 0.0 { clip(effective / total) } else { 0.0 };
    let is_hostile = |held: i64| held == iff::SUSPECT || held == iff::HOSTILE_DECLARED;
    let hostile = unit.tracks.tracks.iter().filter(|track| is_hostile(track.iff)).count();
    obs[env::HOSTILE_TRACKS] = clip(hostile as f64 / TRACKS_SCALE);
    obs[env::OWN_COST] = clip(unit.spec.hull.cost / COST_SCALE);
    obs[env::BOARDING] = clip(unit.boarding.state as f64 / BOARDING_SCALE);
}

fn show_fields(battle: &Battle, unit: &Unit, obs: &mut [f32]) {
    let layer = unit.layer.layer as usize;
    let observer = Observer { layer, at: [unit.transform.x, unit.transform.y], heading: unit.transform.heading };
    let usual_c = f64::from(battle.map().temperature_c[layer] as f32); // cells hold it in binary32
    let mut seen = [0.0; FOVEATED_SECTORS * FOVEATED_FIELDS];
    battle.fields.foveated(&observer, &DEFAULT_SHELLS, &SHOWN_FIELDS, &mut seen);
    let (sectors, _) = seen.as_chunks::<FOVEATED_FIELDS>();
    let (shown, _) = obs.as_chunks_mut::<FOVEATED_FIELDS>();
    for (shown, &[heat_c, noise_db, occupancy, echo]) in shown.iter_mut().zip(sectors) {
        shown[0] = clip((f64::from(heat_c) - usual_c) / HEAT_SCALE_C);
        shown[1] = clip(f64::from(noise_db) / NOISE_SCALE_DB);
        shown[2] = clip(f64::from(occupancy));
        shown[3] = clip(f64::from(echo));
    }
}
