//! What a battle means to a team.

use kernel::numerics::clamp;

use crate::codes::{ship_fate, unit_status};
use crate::fates::Fate;
use crate::judge::score::starting_cost;
use crate::records::ResolvedTeam;
use crate::state::{Battle, Unit};

const DECISIVE_LOST_MAX: f64 = 0.25;
const DECISIVE_GAINED_MIN: f64 = 0.6;
const FLAGSHIP_LOSS: f64 = 0.05;
const MORALE_LOW: f64 = -0.3;
const MORALE_HIGH: f64 = 0.2;

/// How a team came out of a battle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TeamOutcome {
    /// Change of the fleet's morale.
    pub morale_delta: f64,
    /// Ships destroyed or scuttled.
    pub ships_lost: i64,
    /// Ships that surrendered.
    pub ships_surrendered: i64,
    /// Ships in other hands.
    pub ships_captured: i64,
    /// Whether it won at little cost to itself and great cost to its enemies.
    pub decisive_victory: bool,
    /// Cost of what it brought.
    pub cost_start: f64,
    /// Cost of what it has left.
    pub cost_end: f64,
}

type Ship<'a> = (&'a Unit, &'a Fate);

/// Weighs a team's losses against those of its enemies; `fates` is by place of the starting units.
#[must_use]
pub fn team_outcome(battle: &Battle, team: &ResolvedTeam, fates: &[Fate]) -> TeamOutcome {
    let of_teams = |teams: &[i64]| -> Vec<Ship<'_>> {
        battle.units.iter().zip(fates).filter(|(unit, _)| teams.contains(&unit.team())).collect()
    };
    let (own, enemies) = (of_teams(&[team.index]), of_teams(&team.enemies));
    let (lost, gained) = (lost_share(&own), lost_share(&enemies));
    let is_winner = battle.outcome.winner == team.index;
    let decisive = is_winner && lost <= DECISIVE_LOST_MAX && gained >= DECISIVE_GAINED_MIN;
    let mut cost_end = 0.0;
    for (unit, fate) in &own {
        cost_end += if fate.is_loss() { 0.0 } else { unit.spec.hull.cost };
    }
    let count = |counts: fn(&Ship<'_>) -> bool| own.iter().filter(|ship| counts(ship)).count() as i64;
    TeamOutcome {
        morale_delta: morale_delta(battle, team, &own, lost, gained, decisive),
        ships_lost: count(|(_, fate)| matches!(fate.fate, ship_fate::DESTROYED | ship_fate::SCUTTLED)),
        ships_surrendered: count(|(unit, _)| unit.has(unit_status::SURRENDERED)),
        ships_captured: count(|(_, fate)| fate.fate == ship_fate::CAPTURED),
        decisive_victory: decisive,
        cost_start: starting_cost(battle, team.index),
        cost_end,
    }
}

/// Share of starting cost that is neither operational nor away over the edge.
fn lost_share(ships: &[Ship<'_>]) -> f64 {
    cost_share(ships, |(unit, fate)| fate.is_loss() && !unit.has(unit_status::EXITED))
}

fn cost_share(ships: &[Ship<'_>], counts: impl Fn(&Ship<'_>) -> bool) -> f64 {
    let (mut total, mut part) = (0.0, 0.0);
    for ship in ships {
        total += ship.0.spec.hull.cost;
        if counts(ship) {
            part += ship.0.spec.hull.cost;
        }
    }
    if total > 0.0 { part / total } else { 0.0 }
}

fn morale_delta(battle: &Battle, team: &ResolvedTeam, own: &[Ship<'_>], lost: f64, gained: f64, decisive: bool) -> f64 {
    let winner = battle.outcome.winner;
    let mut delta = if winner == team.index {
        0.05 + 0.10 * (if decisive { 1.0 } else { 0.0 }) + 0.05 * gained
    } else if team.enemies.contains(&winner) {
        -0.05 - 0.15 * lost - 0.10 * cost_share(own, |(unit, _)| unit.has(unit_status::SURRENDERED))
    } else {
        0.03 * gained - 0.05 * lost
    };
    if own.iter().any(|(unit, fate)| unit.spec.is_flagship && fate.is_loss()) {
        delta -= FLAGSHIP_LOSS;
    }
    clamp(delta, MORALE_LOW, MORALE_HIGH)
}
