//! Boarding, the connection: an attacker comes alongside, latches, docks and sends its marines over.

use kernel::numerics::{fmax, fmin, hyp};

use crate::codes::{boarding_status, capture_method, connection_state, layer, system, unit_status, zone_effect};
use crate::components::{Boarding, STEADY};
use crate::events::{EventKind, News};
use crate::outputs::Outputs;
use crate::state::{Battle, Unit};
use crate::systems::boarding_fights::{capture, fight_aboard};
use crate::systems::compartments::usable;
use crate::systems::weather::local_weather;
use crate::systems::zones::zone_intensity;

const LATCH_GAP_M: f64 = 60.0;
const LATCH_RELATIVE_MS: f64 = 3.0;
const LATCH_TARGET_MS: f64 = 4.0;
const LATCH_TICKS: i64 = 8;
const DOCK_TICKS: i64 = 2;
const BREAK_RELATIVE_MS: f64 = 4.0;
const BREAK_GAP_M: f64 = 100.0;
/// Of the attacker's `hp_max`, in one tick.
const BREAK_DAMAGE: f64 = 0.08;
const WINDOW_KEEPS: f64 = 0.9;
const MARINES_PER_TICK: f64 = 2.0;

/// Brings every boarding one tick further, by attacker.
pub fn resolve_boarding(battle: &mut Battle, _outputs: &mut Outputs) {
    for place in 0..battle.units.len() {
        let attacker = &mut battle.units[place];
        if !attacker.is_present() {
            attacker.boarding.state = connection_state::NONE;
            continue;
        }
        let taken = attacker.scratch.effective_taken / attacker.spec.hull.hp_max;
        attacker.boarding.damage_window = attacker.boarding.damage_window * WINDOW_KEEPS + taken;
        let ordered_id = attacker.scratch.board_target;
        if attacker.boarding.state == connection_state::NONE && ordered_id != 0 {
            begin(battle, place, ordered_id);
        }
        let boarding = &battle.units[place].boarding;
        if boarding.state != connection_state::NONE {
            let target = battle.place(boarding.target_id);
            go_on(battle, place, target);
        }
    }
}

/// Water between two hulls.
#[must_use]
pub fn gap_m(attacker: &Unit, target: &Unit) -> f64 {
    let distance = hyp(target.transform.x - attacker.transform.x, target.transform.y - attacker.transform.y);
    distance - attacker.spec.hull.radius_m - target.spec.hull.radius_m
}

/// Marines that can cross in one tick.
#[must_use]
pub fn transfer_rate(battle: &Battle, attacker: usize, target: usize) -> f64 {
    let (attacker, target) = (&battle.units[attacker], &battle.units[target]);
    let (x, y) = (attacker.transform.x, attacker.transform.y);
    let dock = 1.0 - 0.5 * fmin(1.0, attacker.boarding.damage_window / BREAK_DAMAGE);
    let suppression = 1.0 - 0.7 * usable(target, system::WEAPONS);
    let sea = fmax(0.2, 1.0 - 0.08 * local_weather(battle, x, y).sea_state);
    let ecm = zone_intensity(battle, zone_effect::ECM, attacker.layers_mask(), x, y);
    MARINES_PER_TICK * dock * suppression * sea * (1.0 - 0.5 * ecm)
}

fn begin(battle: &mut Battle, place: usize, target_id: i64) {
    let can_be_boarded = can_be_boarded(&battle.units[battle.place(target_id)]);
    let attacker = &mut battle.units[place];
    let boarding = &attacker.boarding;
    let is_held = boarding.target_id == target_id && boarding.status == boarding_status::ESTABLISHED;
    if is_held || !(can_board(attacker) && can_be_boarded) {
        attacker.note_invalid();
        return;
    }
    if boarding.target_id != target_id {
        attacker.boarding = Boarding { target_id, damage_window: boarding.damage_window, ..Boarding::default() };
    }
    attacker.boarding.status = boarding_status::ATTEMPTED;
    enter(battle, place, connection_state::APPROACHING);
}

fn go_on(battle: &mut Battle, place: usize, target_place: usize) {
    let (attacker, target) = (&battle.units[place], &battle.units[target_place]);
    if !target.is_present() || target.has(unit_status::CAPTURED) {
        enter(battle, place, connection_state::NONE);
    } else if attacker.boarding.state == connection_state::APPROACHING {
        approach(battle, place, target_place);
    } else if breaks(attacker, target) {
        enter(battle, place, connection_state::APPROACHING);
    } else {
        battle.units[place].boarding.timer += 1;
        hold(battle, place, target_place);
    }
}

fn approach(battle: &mut Battle, place: usize, target_place: usize) {
    let (attacker, target) = (&battle.units[place], &battle.units[target_place]);
    let ordered_id = attacker.scratch.board_target;
    if ordered_id != target.identity.id || !attacker.is_effective() {
        enter(battle, place, connection_state::NONE);
        if ordered_id != 0 {
            begin(battle, place, ordered_id);
        }
    } else if can_latch(attacker, target) {
        enter(battle, place, connection_state::LATCHING);
    }
}

fn hold(battle: &mut Battle, place: usize, target_place: usize) {
    let has_surrendered = battle.units[target_place].has(unit_status::SURRENDERED);
    let boarding = &mut battle.units[place].boarding;
    if boarding.state == connection_state::LATCHING {
        if boarding.timer >= LATCH_TICKS {
            enter(battle, place, connection_state::DOCKED);
            if has_surrendered {
                capture(battle, place, target_place, capture_method::SURRENDERED);
            }
        }
        return;
    }
    boarding.attached_ticks += 1;
    if has_surrendered {
        capture(battle, place, target_place, capture_method::SURRENDERED);
    } else if boarding.state == connection_state::DOCKED {
        if boarding.timer >= DOCK_TICKS {
            enter(battle, place, connection_state::TRANSFERRING);
        }
    } else {
        let rate = transfer_rate(battle, place, target_place);
        let attacker = &mut battle.units[place];
        let moved = fmin(rate, attacker.crew.marines);
        attacker.crew.marines -= moved;
        attacker.boarding.transferred += moved;
        fight_aboard(battle, place, target_place);
    }
}

/// Whether a unit is where marines can go over the side, and has some.
#[must_use]
pub fn can_board(attacker: &Unit) -> bool {
    attacker.is_effective()
        && attacker.crew.marines > 0.0
        && attacker.layer.layer == layer::SURFACE
        && attacker.layer.mode == STEADY
}

fn can_be_boarded(target: &Unit) -> bool {
    let is_on_surface = target.layer.layer == layer::SURFACE && target.layer.mode == STEADY;
    target.is_present() && is_on_surface && !target.has(unit_status::CAPTURED)
}

fn can_latch(attacker: &Unit, target: &Unit) -> bool {
    let is_slow =
        target.speed() <= LATCH_TARGET_MS || target.has(unit_status::DEAD_IN_WATER | unit_status::SURRENDERED);
    let is_near = gap_m(attacker, target) <= LATCH_GAP_M && relative_speed(attacker, target) <= LATCH_RELATIVE_MS;
    is_slow && is_near && can_be_boarded(target)
}

fn breaks(attacker: &Unit, target: &Unit) -> bool {
    let (scratch, target_id) = (&attacker.scratch, target.identity.id);
    relative_speed(attacker, target) > BREAK_RELATIVE_MS
        || gap_m(attacker, target) > BREAK_GAP_M
        || scratch.effective_taken >= BREAK_DAMAGE * attacker.spec.hull.hp_max
        || scratch.collided_ids.iter().any(|&other_id| other_id != target_id)
        || !attacker.is_effective()
        || (attacker.boarding.state == connection_state::LATCHING && scratch.board_target != target_id)
}

fn relative_speed(attacker: &Unit, target: &Unit) -> f64 {
    hyp(target.motion.vx - attacker.motion.vx, target.motion.vy - attacker.motion.vy)
}

fn enter(battle: &mut Battle, place: usize, state: i64) {
    let attacker = &mut battle.units[place];
    attacker.boarding.state = state;
    attacker.boarding.timer = 0;
    let (id, target_id) = (attacker.identity.id, attacker.boarding.target_id);
    battle.record(News { source: id, target: target_id, i0: state, ..News::of(EventKind::BoardingState) });
}
