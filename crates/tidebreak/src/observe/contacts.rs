//! The table of contacts: what a captain believes of everybody else.

use kernel::numerics::{hyp, sincos};

use super::directions::Directions;
use super::engagement::Engagement;
use super::scaling::{clip, flag};
use crate::codes::{NO_LAYER, layer, munition_kind, track_quality};
use crate::components::{MateFix, Munition, Track};
use crate::contacts::is_friendly;
use crate::layout::{CONTACT_COLUMNS, MATE_ROWS, contact};
use crate::sensing::constants::MATE_SIGMA_M;
use crate::sensing::filtering::is_velocity_known;
use crate::state::{Battle, Unit};

const RANGE_SCALE_M: f64 = 20_000.0;
const SPEED_SCALE_MS: f64 = 40.0;
const SIGMA_SCALE_M: f64 = 1_000.0;
const AGE_SCALE_TICKS: f64 = 60.0;
const SIZE_STEP: f64 = 0.25;
const SIZE_KNOWN_AT: i64 = 2; // class level
const HOSTILITY: [f32; 5] = [0.5, 0.0, 0.0, 0.75, 1.0]; // by iff
const LAYERS: usize = 3;

/// Fills in the block `contacts`, which holds zeros, with this many rows for what is not known to be a friend.
pub fn show_contacts(battle: &Battle, unit: usize, engagement: &Engagement<'_>, hostile_rows: usize, obs: &mut [f32]) {
    let (ship, shown) = (&battle.units[unit], battle.shown_to(unit));
    let mut directions = Directions::NONE;
    let (table, _) = obs.as_chunks_mut::<CONTACT_COLUMNS>();
    for (place, track) in engagement.order.tracks(ship).take(hostile_rows).enumerate() {
        let is_moving = is_velocity_known(track);
        let velocity = if is_moving { [track.vx, track.vy] } else { [0.0, 0.0] };
        let row = &mut table[place];
        show_track(row, battle, ship, track, engagement.can_engage(place));
        show_geometry(row, ship, [track.x, track.y], velocity);
        ask_directions(&mut directions, place, ship, [track.x, track.y], is_moving.then_some(velocity));
    }
    for (row, fix) in shown.mates(ship).enumerate() {
        let (place, velocity) = (hostile_rows + row, [fix.vx, fix.vy]);
        let row = &mut table[place];
        show_mate(row, battle, fix);
        show_geometry(row, ship, [fix.x, fix.y], velocity);
        ask_directions(&mut directions, place, ship, [fix.x, fix.y], Some(velocity));
    }
    for (row, munition) in shown.munitions(battle).enumerate() {
        let (sine, cosine) = sincos(munition.heading);
        let (place, velocity) = (hostile_rows + MATE_ROWS + row, [munition.speed * cosine, munition.speed * sine]);
        let row = &mut table[place];
        show_munition(row, munition);
        show_geometry(row, ship, [munition.x, munition.y], velocity);
        ask_directions(&mut directions, place, ship, [munition.x, munition.y], Some(velocity));
    }
    directions.show(ship.transform.heading, obs);
}

type Row = [f32; CONTACT_COLUMNS];

fn show_track(row: &mut Row, battle: &Battle, ship: &Unit, track: &Track, can_engage: bool) {
    row[contact::SIGMA] = clip(track.P.sqrt() / SIGMA_SCALE_M);
    row[contact::AGE] = clip(track.age as f64 / AGE_SCALE_TICKS);
    row[contact::QUALITY + track.quality as usize] = 1.0;
    row[contact::BEARING_ONLY] = flag(track.bearing_only);
    show_layer(row, track.layer_est);
    row[contact::HOSTILE] = HOSTILITY[track.iff as usize];
    row[contact::FRIEND] = flag(is_friendly(track));
    row[contact::SIZE_CLASS] = apparent_size(battle, track);
    row[contact::IS_MUNITION] = flag(track.is_munition);
    row[contact::CAN_ENGAGE] = flag(can_engage);
    row[contact::IS_DESIGNATED] = flag(track.track_id == ship.memory.designated_track);
}

fn show_mate(row: &mut Row, battle: &Battle, fix: &MateFix) {
    row[contact::SIGMA] = clip(MATE_SIGMA_M / SIGMA_SCALE_M);
    // The link spoke in the tick that has just passed.
    row[contact::AGE] = clip((battle.tick - 1 - fix.tick).max(0) as f64 / AGE_SCALE_TICKS);
    row[contact::QUALITY + track_quality::Q3 as usize] = 1.0;
    show_layer(row, fix.layer);
    row[contact::FRIEND] = 1.0;
    row[contact::SIZE_CLASS] = size(battle.unit(fix.unit_id));
}

fn show_munition(row: &mut Row, munition: &Munition) {
    row[contact::QUALITY + track_quality::Q2 as usize] = 1.0;
    let is_torpedo = munition.kind == munition_kind::TORPEDO;
    show_layer(row, if is_torpedo { munition.launch_layer } else { layer::SURFACE });
    row[contact::HOSTILE] = 1.0;
    row[contact::IS_MUNITION] = 1.0;
}

/// Asks where a contact in a row bears and, if that is known, where it goes.
fn ask_directions(asked: &mut Directions, row: usize, ship: &Unit, place: [f64; 2], velocity: Option<[f64; 2]>) {
    let first = row * CONTACT_COLUMNS;
    asked.ask(first + contact::SIN_BEARING, place[0] - ship.transform.x, place[1] - ship.transform.y);
    if let Some([vx, vy]) = velocity {
        asked.ask(first + contact::SIN_COURSE, vx, vy);
    }
}

fn show_geometry(row: &mut Row, ship: &Unit, place: [f64; 2], velocity: [f64; 2]) {
    let (dx, dy) = (place[0] - ship.transform.x, place[1] - ship.transform.y);
    let range_m = hyp(dx, dy);
    row[contact::VALID] = 1.0;
    row[contact::RANGE] = clip(range_m / RANGE_SCALE_M);
    if range_m > 0.0 {
        let (along_x, along_y) = (dx / range_m, dy / range_m);
        let (vx, vy) = (velocity[0] - ship.motion.vx, velocity[1] - ship.motion.vy);
        row[contact::CLOSING_SPEED] = clip(-(vx * along_x + vy * along_y) / SPEED_SCALE_MS);
        row[contact::CROSS_SPEED] = clip((vy * along_x - vx * along_y) / SPEED_SCALE_MS);
    }
}

fn show_layer(row: &mut Row, layer: i64) {
    if layer == NO_LAYER {
        row[contact::LAYER..contact::LAYER + LAYERS].fill(clip(1.0 / 3.0));
    } else {
        row[contact::LAYER + layer as usize] = 1.0;
    }
}

/// Size that the contact shows; a decoy shows that of its launcher.
fn apparent_size(battle: &Battle, track: &Track) -> f32 {
    if track.class_level < SIZE_KNOWN_AT || track.is_munition {
        return 0.0;
    }
    let seen_id = match battle.find_munition(track.target_id) {
        Some(munition) if munition.kind != munition_kind::DECOY => return 0.0,
        Some(decoy) => decoy.owner_id,
        None => track.target_id,
    };
    battle.find_unit(seen_id).map_or(0.0, size)
}

fn size(unit: &Unit) -> f32 {
    clip(SIZE_STEP * (unit.identity.size + 1) as f64)
}
