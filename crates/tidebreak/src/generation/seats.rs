//! Who commands each unit of a battle.
//!
//! Seats go to named ships, or to the controllable ships of a side or of all sides in the order of the package; what is
//! left over stays empty. A unit without a seat follows its own script if it is given one, else that of teammates if
//! its team has a seat, else that of opponents.

use crate::codes::{unit_kind, weapon_group};
use crate::limits::TEAMS_MAX;
use crate::orders::Controller;
use crate::records::{ResolvedBattle, ResolvedUnit};
use crate::scripts::agent;

/// Unit id of a seat in which nobody sits.
pub const EMPTY_SEAT: i64 = 0;

/// What a configuration says about seats and scripts.
#[derive(Clone, Debug)]
pub struct SeatRules {
    /// How many seats there are.
    pub seats: usize,
    /// Whether ships of every side may take them, not of one side alone.
    pub plays_all: bool,
    /// Team of the seats; the battle's usual one unless given.
    pub side: Option<String>,
    /// Ships of the seats by name, instead of a side's.
    pub ships: Vec<String>,
    /// Scripts of ships by name; such a ship takes no seat.
    pub scripted: Vec<(String, Controller)>,
    /// Script of a team with a seat.
    pub teammates: Controller,
    /// Script of the other teams; the stage's unless given.
    pub opponents: Option<Controller>,
}

impl SeatRules {
    /// Unit id of every seat, 0 where nobody sits; `usual_side` is the team that plays unless the rules say otherwise.
    ///
    /// # Errors
    /// When the battle does not have the side that is asked for.
    pub fn seats(&self, battle: &ResolvedBattle, usual_side: i64) -> Result<Vec<i64>, String> {
        let side = self.side_index(battle, usual_side)?;
        let mut playable: Vec<&ResolvedUnit> = battle.units.iter().map(AsRef::as_ref).collect();
        playable.retain(|unit| is_controllable(battle, unit) && self.script_of(unit).is_none());
        playable.sort_by_key(|unit| unit.package_index);
        let mut seats: Vec<i64> = if self.ships.is_empty() {
            playable.iter().filter(|unit| self.plays_all || unit.team == side).map(|unit| unit.id).collect()
        } else {
            // Ships of a generated battle differ from episode to episode; the seat of one that is not there is empty.
            let id_of = |name: &String| playable.iter().find(|unit| unit.ship_id == *name).map(|unit| unit.id);
            self.ships.iter().map(|name| id_of(name).unwrap_or(EMPTY_SEAT)).collect()
        };
        seats.resize(self.seats, EMPTY_SEAT);
        Ok(seats)
    }

    /// Who commands each unit, by place; `usual_opponents` is followed unless the rules say otherwise.
    #[must_use]
    pub fn controllers(&self, battle: &ResolvedBattle, seats: &[i64], usual_opponents: &Controller) -> Vec<Controller> {
        let mut has_seat = [false; TEAMS_MAX];
        for &unit_id in seats.iter().filter(|&&unit_id| unit_id != EMPTY_SEAT) {
            has_seat[battle.units[unit_id as usize - 1].team as usize] = true;
        }
        let opponents = self.opponents.as_ref().unwrap_or(usual_opponents);
        let of_unit = |unit: &ResolvedUnit| {
            if seats.contains(&unit.id) {
                return agent();
            }
            let usual = if has_seat[unit.team as usize] { &self.teammates } else { opponents };
            self.script_of(unit).unwrap_or(usual).clone()
        };
        battle.units.iter().map(|unit| of_unit(unit)).collect()
    }

    fn script_of(&self, unit: &ResolvedUnit) -> Option<&Controller> {
        self.scripted.iter().find(|(name, _)| *name == unit.ship_id).map(|(_, script)| script)
    }

    fn side_index(&self, battle: &ResolvedBattle, usual_side: i64) -> Result<i64, String> {
        let Some(side) = &self.side else { return Ok(usual_side) };
        let team = battle.teams.iter().find(|team| team.team_id == *side);
        team.map(|team| team.index).ok_or_else(|| format!("there is no side '{side}'"))
    }
}

/// Whether somebody can command it: a ship, or a platform with a weapon that orders can fire.
#[must_use]
pub fn is_controllable(battle: &ResolvedBattle, unit: &ResolvedUnit) -> bool {
    unit.hull.kind == unit_kind::SHIP
        || unit.mounts.iter().any(|mount| battle.weapons[mount.weapon].group != weapon_group::AUTOMATIC)
}
