//! What a unit is about and what it has done: its boarding, its objective, its tally.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use crate::codes::{boarding_status, connection_state, objective_status};

/// Weapon groups that orders fire.
pub const GROUPS: usize = 6;
/// Stations of a large ship that boarders take: bridge, CIC, engineering.
pub const STATIONS: usize = 3;
/// Type of an objective that there is not.
pub const NO_OBJECTIVE: i64 = -1;

/// A boarding from the attacker's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boarding {
    pub state: i64,
    pub target_id: i64,
    pub timer: i64,
    pub transferred: f64,
    pub progress: [f64; STATIONS],
    pub status: i64,
    pub attached_ticks: i64,
    pub damage_window: f64,
}

impl Default for Boarding {
    fn default() -> Self {
        Self {
            state: connection_state::NONE,
            target_id: 0,
            timer: 0,
            transferred: 0.0,
            progress: [0.0; STATIONS],
            status: boarding_status::NONE,
            attached_ticks: 0,
            damage_window: 0.0,
        }
    }
}

/// How the objective stands; `type` is -1 without one, the values are the type's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    pub r#type: i64,
    pub status: i64,
    pub time_on: i64,
    pub value_a: f64,
    pub value_b: f64,
    pub value_c: f64,
    pub progress: f64,
    pub reward_sum: f64,
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            r#type: NO_OBJECTIVE,
            status: objective_status::ACTIVE,
            time_on: 0,
            value_a: 0.0,
            value_b: 0.0,
            value_c: 0.0,
            progress: 0.0,
            reward_sum: 0.0,
        }
    }
}

/// What it has done and suffered; `shots` is by weapon group from GUN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    pub damage_dealt: f64,
    pub damage_taken: f64,
    pub shots: [i64; GROUPS],
    pub hits: i64,
    pub kills: i64,
    pub transitions: i64,
    pub hazard_damage: f64,
    pub collisions: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            damage_dealt: 0.0,
            damage_taken: 0.0,
            shots: [0; GROUPS],
            hits: 0,
            kills: 0,
            transitions: 0,
            hazard_damage: 0.0,
            collisions: 0,
        }
    }
}
