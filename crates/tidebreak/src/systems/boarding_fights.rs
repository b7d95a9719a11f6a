//! Boarding, the fight: marines against the people aboard, by the target's boarding tier.

use kernel::numerics::{atan2, clamp, fmax, fmin, wrap};

use crate::codes::{boarding_status, capture_method, connection_state, system, unit_status};
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::state::{Battle, Unit};
use crate::systems::casualties::lose_crew;
use crate::systems::compartments::{struck_compartment, usable};

const ROUND_TICKS: i64 = 20;
const LOSS_SHARE: f64 = 0.15;
/// Share of the crew that takes up arms.
const CREW_FIGHTS: f64 = 0.25;
const BULKHEAD_HELPS: f64 = 0.3;
/// Fire or flood in a compartment.
const HALVED_ABOVE: f64 = 0.5;
const SCUTTLE_MORALE: f64 = 0.6;
/// Of `hp_max`.
const SCUTTLE_HP: f64 = 0.3;
const SCUTTLE_DRAW: f64 = 0.9;
const TAKING_RATE: f64 = 0.01;
const TAKING_FROM: f64 = 0.4;
const CIC: usize = 1;
const ENGINEERING: usize = 2;
const BEACHHEAD_LEAST: f64 = 200.0;
/// Of the people who live there.
const BEACHHEAD_SHARE: f64 = 0.02;
const SIEGE_TICKS: f64 = 120.0;

/// One tick of the fight, once marines are crossing.
pub fn fight_aboard(battle: &mut Battle, attacker: usize, target: usize) {
    match battle.units[target].spec.hull.boarding_tier {
        0 => fight_for_ship(battle, attacker, target),
        1 => fight_for_stations(battle, attacker, target),
        _ => hold_beachhead(battle, attacker, target),
    }
}

/// Share of the strength aboard that is the attackers'.
#[must_use]
pub fn odds(attacker: &Unit, target: &Unit) -> f64 {
    let attack = attacker.boarding.transferred * (0.6 + 0.8 * attacker.morale.morale);
    let people = CREW_FIGHTS * target.crew.alive as f64 + target.crew.security;
    let mut defense = people * (0.6 + 0.8 * target.morale.morale) * (1.0 + BULKHEAD_HELPS * target.spec.hull.bulkhead);
    defense *= able_share(target);
    if attack + defense > 0.0 { attack / (attack + defense) } else { 0.0 }
}

/// Hauls down the target's flag.
pub fn capture(battle: &mut Battle, attacker: usize, target: usize, method: i64) {
    let team = battle.units[attacker].identity.team;
    let taken = &mut battle.units[target];
    taken.mark(unit_status::CAPTURED);
    taken.memory.capture_method = method;
    taken.memory.captor_team = team;
    let (target_id, cost) = (taken.identity.id, taken.spec.hull.cost);
    let is_first = !taken.memory.is_loss_paid;
    taken.memory.is_loss_paid = true;
    let captor = &mut battle.units[attacker];
    captor.boarding.status = boarding_status::ESTABLISHED;
    captor.scratch.captured_cost += cost;
    if is_first {
        captor.scratch.credited_cost += cost;
    }
    let (id, transferred) = (captor.identity.id, captor.boarding.transferred);
    battle.record(News { source: id, target: target_id, f0: transferred, i0: method, ..News::of(EventKind::Captured) });
    let_go(battle, attacker);
}

/// Marines it takes to hold a place in a city.
#[must_use]
pub fn beachhead_marines(target: &Unit) -> f64 {
    fmax(BEACHHEAD_LEAST, BEACHHEAD_SHARE * target.spec.crew.crew_start as f64)
}

fn fight_for_ship(battle: &mut Battle, attacker: usize, target: usize) {
    let (boarder, defender) = (&battle.units[attacker], &battle.units[target]);
    let timer = boarder.boarding.timer;
    if timer % ROUND_TICKS != 0 {
        return;
    }
    let share = odds(boarder, defender);
    let (id, target_id) = (boarder.identity.id, defender.identity.id);
    let u = uniform(battle, Stream::Boarding, id, target_id, timer / ROUND_TICKS);
    let is_desperate =
        defender.morale.morale > SCUTTLE_MORALE && defender.hull.hp < SCUTTLE_HP * defender.spec.hull.hp_max;
    if u < clamp((share - 0.35) / 0.4, 0.0, 1.0) {
        capture(battle, attacker, target, capture_method::BOARDED);
    } else if is_desperate && u > SCUTTLE_DRAW {
        scuttle_under_boarders(battle, attacker, target);
    } else {
        take_losses(battle, attacker, target, share);
    }
}

fn fight_for_stations(battle: &mut Battle, attacker: usize, target: usize) {
    let share = odds(&battle.units[attacker], &battle.units[target]);
    let progress = &mut battle.units[attacker].boarding.progress;
    // Whoever holds all stations has taken the ship, and no longer fights for it.
    let Some(station) = progress.iter().position(|&held| held < 1.0) else {
        return;
    };
    progress[station] = clamp(progress[station] + TAKING_RATE * (share - TAKING_FROM), 0.0, 1.0);
    if progress[station] == 1.0 {
        take_station(battle, attacker, target, station);
    }
    let boarding = &battle.units[attacker].boarding;
    if boarding.state == connection_state::TRANSFERRING && boarding.timer % ROUND_TICKS == 0 {
        take_losses(battle, attacker, target, share);
    }
}

fn take_station(battle: &mut Battle, attacker: usize, target: usize, station: usize) {
    let taken = &mut battle.units[target];
    if station == CIC {
        for system in [system::WEAPONS, system::SENSORS] {
            // The ceiling falls with the fraction: what the boarders hold is not repaired behind their backs.
            taken.hull.systems[system] *= 0.5;
            taken.hull.ceilings[system] *= 0.5;
        }
    } else if station == ENGINEERING {
        taken.motion.throttle = 0.0;
        taken.motion.cmd_throttle = 0.0;
        capture(battle, attacker, target, capture_method::BOARDED);
    }
}

/// A city cannot be taken in a battle: enough marines of one side make it besieged.
fn hold_beachhead(battle: &mut Battle, attacker: usize, target: usize) {
    let (boarder, city) = (&battle.units[attacker], &battle.units[target]);
    let (team, id, target_id) = (boarder.identity.team, boarder.identity.id, city.identity.id);
    let needed = beachhead_marines(city);
    let mut ashore = 0.0;
    for other in &battle.units {
        if other.identity.team == team && other.boarding.target_id == target_id {
            ashore += other.boarding.transferred;
        }
    }
    if ashore < needed {
        return;
    }
    let bearing = atan2(boarder.transform.y - city.transform.y, boarder.transform.x - city.transform.x);
    let entry_district = struck_compartment(wrap(bearing - city.transform.heading)) as i64;
    let breach_quality = 0.4 * fmin(1.0, ashore / (2.0 * needed))
        + 0.3 * (1.0 - usable(city, system::WEAPONS))
        + 0.3 * fmin(1.0, boarder.boarding.attached_ticks as f64 / SIEGE_TICKS);
    let boarder = &mut battle.units[attacker];
    boarder.memory.entry_district = entry_district;
    boarder.memory.breach_quality = breach_quality;
    boarder.boarding.status = boarding_status::ESTABLISHED;
    battle.record(News {
        source: id,
        target: target_id,
        f0: breach_quality,
        f1: ashore,
        i0: entry_district,
        ..News::of(EventKind::Beachhead)
    });
    let_go(battle, attacker);
}

fn take_losses(battle: &mut Battle, attacker: usize, target: usize, share: f64) {
    let defender = &mut battle.units[target];
    let guards_lost = defender.crew.security * (LOSS_SHARE * share);
    let crew_lost = defender.crew.alive as f64 * (LOSS_SHARE * share);
    defender.crew.security -= guards_lost;
    lose_crew(defender, crew_lost);
    let target_id = defender.identity.id;
    let boarder = &mut battle.units[attacker];
    let marines_lost = boarder.boarding.transferred * (LOSS_SHARE * (1.0 - share));
    boarder.boarding.transferred -= marines_lost;
    boarder.memory.attacker_losses += marines_lost;
    boarder.memory.defender_losses += guards_lost + crew_lost;
    if boarder.boarding.transferred < 1.0 {
        boarder.memory.attacker_losses += boarder.boarding.transferred;
        boarder.boarding.transferred = 0.0;
        boarder.boarding.status = boarding_status::REPULSED;
        let id = boarder.identity.id;
        battle.record(News { source: id, target: target_id, ..News::of(EventKind::Repulsed) });
        let_go(battle, attacker);
    }
}

fn scuttle_under_boarders(battle: &mut Battle, attacker: usize, target: usize) {
    battle.units[target].mark(unit_status::SCUTTLED);
    let (id, target_id) = (battle.units[attacker].identity.id, battle.units[target].identity.id);
    battle.record(News { source: target_id, target: id, ..News::of(EventKind::Scuttled) });
    let boarder = &mut battle.units[attacker];
    boarder.memory.attacker_losses += boarder.boarding.transferred;
    boarder.boarding.transferred = 0.0;
    let_go(battle, attacker);
}

/// Share of the defenders who can fight: half of those in a compartment that burns or floods badly.
fn able_share(target: &Unit) -> f64 {
    if target.compartments.is_empty() {
        return 1.0;
    }
    let mut total = 0.0;
    for compartment in &target.compartments {
        let is_halved = compartment.fire > HALVED_ABOVE || compartment.flood > HALVED_ABOVE;
        total += if is_halved { 0.5 } else { 1.0 };
    }
    total / target.compartments.len() as f64
}

fn let_go(battle: &mut Battle, attacker: usize) {
    let boarder = &mut battle.units[attacker];
    boarder.boarding.state = connection_state::NONE;
    boarder.boarding.timer = 0;
    let (id, target_id) = (boarder.identity.id, boarder.boarding.target_id);
    battle.record(News {
        source: id,
        target: target_id,
        i0: connection_state::NONE,
        ..News::of(EventKind::BoardingState)
    });
}
