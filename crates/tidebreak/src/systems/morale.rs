//! Will to fight: what wears it down, and when a crew gives up.

use kernel::numerics::{clamp, hyp};

use crate::codes::{emissions, size_class, unit_kind, unit_status};
use crate::draws::{Stream, uniform};
use crate::events::{EventKind, News};
use crate::limits::TEAMS_MAX;
use crate::outputs::Outputs;
use crate::state::{Battle, Unit};
use crate::systems::casualties::alive_share;

const MORALE_RATE: f64 = 0.05;
const CHECK_EVERY_TICKS: i64 = 10;
const SURRENDER_MORALE: f64 = 0.25;
/// Of `hp_max`.
const SURRENDER_HP: f64 = 0.35;
const SURRENDER_ENEMY_M: f64 = 6_000.0;
const SURRENDER_CHANCE: f64 = 0.5;
const DEAD_IN_WATER_CHANCE: f64 = 0.2;
const COMPARTMENT_TIER: i64 = 2;
const LOST_STATUS: i64 = unit_status::DESTROYED
    | unit_status::SCUTTLED
    | unit_status::DISABLED
    | unit_status::CAPTURED
    | unit_status::SURRENDERED;

/// Moves everybody's morale, then lets those give up who have had enough.
pub fn resolve_morale(battle: &mut Battle, _outputs: &mut Outputs) {
    let mut lost = [0.0; TEAMS_MAX];
    let mut enemies_lost = [0.0; TEAMS_MAX];
    for (place, team) in battle.spec.teams.iter().enumerate() {
        lost[place] = lost_share(battle, &[team.index]);
        enemies_lost[place] = lost_share(battle, &team.enemies);
    }
    for unit in battle.units.iter_mut().filter(|unit| is_crewed(unit)) {
        let team = unit.identity.team as usize;
        let target = morale_target(unit, lost[team], enemies_lost[team]);
        unit.morale.morale += MORALE_RATE * (target - unit.morale.morale);
    }
    if battle.rules().surrender {
        for place in 0..battle.units.len() {
            if is_crewed(&battle.units[place]) && gives_up(battle, &battle.units[place]) {
                surrender(battle, place);
            }
        }
    }
}

/// Share of the teams' starting cost that is out of the fight for good; who left the map is not.
#[must_use]
pub fn lost_share(battle: &Battle, teams: &[i64]) -> f64 {
    let mut total = 0.0;
    let mut gone = 0.0;
    for unit in &battle.units[..battle.spec.units.len()] {
        if teams.contains(&unit.identity.team) {
            total += unit.spec.hull.cost;
            if unit.has(LOST_STATUS) {
                gone += unit.spec.hull.cost;
            }
        }
    }
    if total > 0.0 { gone / total } else { 0.0 }
}

/// Where morale tends to.
#[must_use]
pub fn morale_target(unit: &Unit, lost_friends: f64, lost_enemies: f64) -> f64 {
    let hull = &unit.hull;
    let stress = 0.55 * (1.0 - hull.hp / unit.spec.hull.hp_max)
        + 0.25 * (1.0 - alive_share(unit))
        + 0.10 * hull.fire
        + 0.10 * hull.flood
        + 0.10 * lost_friends
        - 0.05 * lost_enemies;
    clamp(unit.morale.morale_start - stress + 0.2 * (unit.crew.command - 0.5), 0.0, 1.0)
}

/// Probability that a check ends in surrender, once all it requires is there.
#[must_use]
pub fn surrender_chance(unit: &Unit) -> f64 {
    let chance = SURRENDER_CHANCE * (SURRENDER_MORALE - unit.morale.morale) / SURRENDER_MORALE;
    if unit.has(unit_status::DEAD_IN_WATER) { chance + DEAD_IN_WATER_CHANCE } else { chance }
}

/// Stops fighting: helm amidships, weapons silent, nothing emitted.
pub fn surrender(battle: &mut Battle, place: usize) {
    let unit = &mut battle.units[place];
    unit.mark(unit_status::SURRENDERED);
    unit.motion.cmd_throttle = 0.0;
    unit.motion.cmd_rudder = 0.0;
    unit.posture.emissions = emissions::SILENT;
    let (id, cause, morale) = (unit.identity.id, unit.memory.last_damage_event, unit.morale.morale);
    battle.record(News { source: id, cause, f0: morale, ..News::of(EventKind::Surrendered) });
}

fn is_crewed(unit: &Unit) -> bool {
    unit.is_present() && unit.identity.kind != unit_kind::SQUADRON
}

fn gives_up(battle: &Battle, unit: &Unit) -> bool {
    let id = unit.identity.id;
    if (battle.tick + id) % CHECK_EVERY_TICKS != 0 || !unit.is_effective() || !may_surrender(unit) {
        return false;
    }
    let is_broken = unit.morale.morale < SURRENDER_MORALE && unit.hull.hp < SURRENDER_HP * unit.spec.hull.hp_max;
    if !is_broken || !has_enemy_near(battle, unit) {
        return false;
    }
    uniform(battle, Stream::Morale, id, 0, 0) < surrender_chance(unit)
}

fn may_surrender(unit: &Unit) -> bool {
    let identity = &unit.identity;
    let is_fortress = identity.kind == unit_kind::PLATFORM && identity.tier == COMPARTMENT_TIER;
    identity.size != size_class::XL && !is_fortress && !unit.spec.no_surrender
}

fn has_enemy_near(battle: &Battle, unit: &Unit) -> bool {
    let place = &unit.transform;
    battle.units.iter().any(|other| {
        other.is_effective()
            && battle.are_enemies(unit.identity.team, other.identity.team)
            && hyp(other.transform.x - place.x, other.transform.y - place.y) <= SURRENDER_ENEMY_M
    })
}
