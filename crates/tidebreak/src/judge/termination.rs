//! The end of a battle, looked for once all damage of the tick is done.

use crate::codes::{end_reason, objective_status, unit_kind, weapon_group};
use crate::events::{EventKind, News};
use crate::judge::objectives::settle_objectives;
use crate::judge::score::remaining_share;
use crate::limits::TEAMS_MAX;
use crate::outputs::Outputs;
use crate::state::{Battle, NO_WINNER, Unit};

const MARGIN: f64 = 0.2; // of the share of cost left

/// Ends the battle when a side has won, all are out or time is up.
pub fn resolve_termination(battle: &mut Battle, _outputs: &mut Outputs) {
    if battle.outcome.is_over() {
        return;
    }
    let standing = teams_standing(battle);
    if standing == 0 {
        end_battle(battle, end_reason::ALL_OUT, NO_WINNER);
    } else if !are_at_war(battle, standing) {
        let winner = sole_winner(battle, standing);
        end_battle(battle, end_reason::ELIMINATION, winner);
    } else if let Some(winner) = team_with_all_objectives(battle) {
        end_battle(battle, end_reason::OBJECTIVE, winner);
    } else if battle.tick + 1 >= battle.rules().time_limit_ticks {
        let winner = leader(battle);
        end_battle(battle, end_reason::TIME_LIMIT, winner);
    }
}

/// Writes the outcome and settles the objectives that lasted until now.
pub fn end_battle(battle: &mut Battle, reason: i64, winner: i64) {
    battle.outcome.end_reason = reason;
    battle.outcome.winner = winner;
    settle_objectives(battle);
    battle.record(News { f0: winner as f64, i0: reason, ..News::of(EventKind::BattleEnd) });
}

/// Bit of every team that still has an effective ship or armed platform.
#[must_use]
pub fn teams_standing(battle: &Battle) -> u8 {
    let mut standing = 0;
    for unit in &battle.units {
        let bit = 1 << unit.team();
        if standing & bit == 0 && keeps_in(battle, unit) {
            standing |= bit;
        }
    }
    standing
}

fn keeps_in(battle: &Battle, unit: &Unit) -> bool {
    if !unit.is_effective() || unit.identity.kind == unit_kind::SQUADRON {
        return false;
    }
    unit.identity.kind == unit_kind::SHIP || is_armed(battle, unit)
}

/// Whether the unit has a weapon that orders can fire.
#[must_use]
pub fn is_armed(battle: &Battle, unit: &Unit) -> bool {
    unit.spec.mounts.iter().any(|mount| battle.spec.weapons[mount.weapon].group != weapon_group::AUTOMATIC)
}

fn are_at_war(battle: &Battle, teams: u8) -> bool {
    members(teams).any(|team| members(teams).any(|other| battle.are_enemies(team, other)))
}

/// Of mutually neutral teams left over, the one with an enemy that lost; the lowest if several have.
fn sole_winner(battle: &Battle, standing: u8) -> i64 {
    let is_out = |team: &i64| standing >> team & 1 == 0;
    let fought = |team: &i64| battle.spec.teams[*team as usize].enemies.iter().any(is_out);
    members(standing).find(fought).or_else(|| members(standing).next()).unwrap_or(NO_WINNER)
}

/// Teams whose bit is set, ascending.
fn members(teams: u8) -> impl Iterator<Item = i64> {
    (0..TEAMS_MAX as i64).filter(move |team| teams >> team & 1 == 1)
}

fn team_with_all_objectives(battle: &Battle) -> Option<i64> {
    if !battle.rules().objective_ends_battle {
        return None;
    }
    let is_done = |unit: &Unit| unit.objective.status == objective_status::COMPLETED;
    battle.spec.teams.iter().map(|team| team.index).find(|&team| {
        let has_objective = |unit: &&Unit| unit.identity.team == team && unit.spec.objective.is_some();
        let mut told = battle.units.iter().filter(has_objective).peekable();
        told.peek().is_some() && told.all(is_done)
    })
}

/// The team whose share of cost left leads by the margin, the lower index first among equals.
fn leader(battle: &Battle) -> i64 {
    if !battle.rules().margin_on_timeout {
        return NO_WINNER;
    }
    let (mut winner, mut first, mut second) = (NO_WINNER, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for team in &battle.spec.teams {
        let share = remaining_share(battle, team.index);
        if share > first {
            (winner, first, second) = (team.index, share, first);
        } else if share > second {
            second = share;
        }
    }
    if first - second >= MARGIN { winner } else { NO_WINNER }
}
