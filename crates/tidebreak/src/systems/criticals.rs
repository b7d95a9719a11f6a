//! Critical hits: how likely one is, and what it breaks.

use kernel::numerics::fmin;

use crate::codes::damage_type;

const CHANCE_MAX: f64 = 0.75;
const CHANCE_PER_HULL_SHARE: f64 = 1.5;
/// Share of a system that is lost, by damage tier.
pub const SEVERITY: [f64; 3] = [0.5, 0.25, 0.1];
/// Share of a loss that cannot be repaired.
pub const CEILING_PER_LOSS: f64 = 0.5;
/// What a critical hit adds to fire or flood.
pub const FIRE_OR_FLOOD: f64 = 0.3;

const CHANCES_ABOVE: [f64; 7] = [0.22, 0.03, 0.22, 0.18, 0.05, 0.22, 0.08];
const CHANCES_BELOW: [f64; 7] = [0.28, 0.07, 0.08, 0.08, 0.04, 0.05, 0.40];
const BY_PLACE: [Critical; 7] = [
    Critical::Propulsion,
    Critical::Ballast,
    Critical::Weapons,
    Critical::Sensors,
    Critical::Power,
    Critical::Fire,
    Critical::Flood,
];

/// What a critical hit does, in the order of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Critical {
    /// PROPULSION loses a share.
    Propulsion = 0,
    /// BALLAST loses a share.
    Ballast = 1,
    /// WEAPONS loses a share.
    Weapons = 2,
    /// SENSORS loses a share.
    Sensors = 3,
    /// POWER loses a share.
    Power = 4,
    /// A fire starts.
    Fire = 5,
    /// Water comes in.
    Flood = 6,
}

/// Probability that a hit breaks something.
#[must_use]
pub fn critical_chance(effective_damage: f64, hp_max: f64) -> f64 {
    fmin(CHANCE_MAX, CHANCE_PER_HULL_SHARE * effective_damage / hp_max)
}

/// Picks from the table with a draw in [0, 1).
#[must_use]
pub fn critical_effect(damage_type: i64, u: f64) -> Critical {
    let is_below = damage_type == damage_type::UNDERWATER || damage_type == damage_type::PRESSURE;
    let chances = if is_below { &CHANCES_BELOW } else { &CHANCES_ABOVE };
    let mut reached = 0.0;
    for (effect, chance) in BY_PLACE.iter().zip(chances) {
        reached += chance;
        if u < reached {
            return *effect;
        }
    }
    // The sum of the chances may round to just below one.
    Critical::Flood
}
