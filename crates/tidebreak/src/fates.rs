//! What became of a ship, once the battle is over.

use crate::codes::{capture_method, ship_fate, size_class, terrain, unit_status};
use crate::judge::score::remaining_cost;
use crate::judge::standing::hp_share;
use crate::resolve::terrain::terrain_of;
use crate::state::{Battle, Unit};
use crate::systems::terrain::depth_below;

const NO_TEAM: i64 = -1;
const MEDIUM_SALVAGE: f64 = 0.3;
const SHALLOW_WRECK: f64 = 0.1;
const LARGE_SALVAGE: f64 = 0.4;

/// A fate; method and captor only for what was captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// A `ship_fate`.
    pub fate: i64,
    /// A `capture_method`.
    pub method: Option<i64>,
    /// Index of the team that took it.
    pub captor_team: Option<i64>,
}

impl Fate {
    const fn of(fate: i64) -> Self {
        Self { fate, method: None, captor_team: None }
    }

    /// Whether its owner has lost it for the battle.
    #[must_use]
    pub const fn is_loss(&self) -> bool {
        self.fate != ship_fate::OPERATIONAL
    }
}

/// Reads the fate off the status; who surrendered is captured if an enemy is left to do it.
#[must_use]
pub fn final_fate(battle: &Battle, unit: &Unit) -> Fate {
    if unit.has(unit_status::DESTROYED) {
        return Fate::of(ship_fate::DESTROYED);
    }
    if unit.has(unit_status::SCUTTLED) {
        return Fate::of(ship_fate::SCUTTLED);
    }
    if unit.has(unit_status::CAPTURED) {
        let captor = unit.memory.captor_team;
        return Fate {
            fate: ship_fate::CAPTURED,
            method: Some(unit.memory.capture_method),
            captor_team: (captor != NO_TEAM).then_some(captor),
        };
    }
    if unit.has(unit_status::SURRENDERED) {
        return match strongest_enemy(battle, unit) {
            None => Fate::of(ship_fate::DISABLED),
            captor_team => Fate { fate: ship_fate::CAPTURED, method: Some(capture_method::SURRENDERED), captor_team },
        };
    }
    Fate::of(if unit.has(unit_status::DISABLED) { ship_fate::DISABLED } else { ship_fate::OPERATIONAL })
}

/// Enemy team with most cost left, the lowest index on a tie; none if no enemy is effective.
fn strongest_enemy(battle: &Battle, unit: &Unit) -> Option<i64> {
    let mut best: Option<(i64, f64)> = None;
    for &team in &battle.spec.teams[unit.team() as usize].enemies {
        let is_standing = battle.units.iter().any(|other| other.team() == team && other.is_effective());
        let cost = remaining_cost(battle, team);
        if is_standing && best.is_none_or(|(_, best_cost)| cost > best_cost) {
            best = Some((team, cost));
        }
    }
    best.map(|(team, _)| team)
}

/// Share of a ship's worth that can be raised or towed home.
#[must_use]
pub fn salvage_value(battle: &Battle, unit: &Unit, fate: i64) -> f64 {
    match unit.identity.size {
        size_class::M => {
            let below = terrain_of(depth_below(battle, unit.x(), unit.y()));
            let is_reachable = matches!(below, terrain::SHALLOWS | terrain::SHELF);
            let wreck = if fate == ship_fate::DESTROYED && is_reachable { SHALLOW_WRECK } else { 0.0 };
            MEDIUM_SALVAGE * hp_share(unit) + wreck
        }
        size_class::L => LARGE_SALVAGE + LARGE_SALVAGE * hp_share(unit),
        _ => 0.0,
    }
}
