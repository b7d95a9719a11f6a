//! Who a unit is and what state it is in: hull, people, stores, weapons.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use crate::codes::{SYSTEMS, emissions};

/// Who the unit is; `status` holds bits of `UnitStatus`, `tier` is the damage tier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    pub id: i64,
    pub kind: i64,
    pub class_code: i64,
    pub team: i64,
    pub status: i64,
    pub size: i64,
    pub tier: i64,
}

/// What it shows of itself and what its damage control works on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture {
    pub emissions: i64,
    pub dc_focus: i64,
}

impl Default for Posture {
    fn default() -> Self {
        Self { emissions: emissions::PASSIVE, dc_focus: 0 }
    }
}

/// Hit points, fractions of the five systems, their repair ceilings, fire and flood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull {
    pub hp: f64,
    pub systems: [f64; SYSTEMS],
    pub ceilings: [f64; SYSTEMS],
    pub fire: f64,
    pub flood: f64,
}

/// People.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crew {
    pub alive: i64,
    pub running_loss: f64,
    pub killed: i64,
    pub wounded: i64,
    pub marines: f64,
    pub security: f64,
    pub gunnery: f64,
    pub engineering: f64,
    pub fatigue: f64,
    pub command: f64,
}

/// Will to fight, now and at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Morale {
    pub morale: f64,
    pub morale_start: f64,
}

/// Fuel in seconds at full speed (-1 without end), decoys, and the tick the next one can be launched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stores {
    pub fuel: f64,
    pub decoys: i64,
    pub decoy_ready_at: i64,
}

/// A weapon aboard; its row of `spec.mounts` has the same place. `ammo` is -1 without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    pub ready_at: i64,
    pub ammo: i64,
}

/// A compartment or district.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compartment {
    pub integrity: f64,
    pub fire: f64,
    pub flood: f64,
    pub breached: bool,
    pub crew: i64,
}
