//! Keyed draws of a generated scenario: a number depends on what it is for, so no part shifts another.

use kernel::keyed::{draw, u01};
use kernel::numerics::floor;

/// Stream of the keyed draws a scenario is made of.
pub const SCENARIO_STREAM: u64 = 13;

const PER_PURPOSE: u64 = 4096;

/// What a draw is for; the numbers are part of every generated scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Purpose {
    Stage = 0,
    Side = 1,
    Axis = 2,
    Separation = 3,
    Heading = 4,
    Gunnery = 5,
    Engineering = 6,
    Forces = 7,
    ForcesFirst = 8,
    ForcesSecond = 9,
    Sea = 10,
    Visibility = 11,
    Precipitation = 12,
    Wind = 13,
    Bathymetry = 14,
    Current = 15,
    ObstacleCount = 16,
    ObstaclePlace = 17,
    ObstacleSize = 18,
    StormCount = 19,
    Storm = 20,
    ZoneCount = 21,
    Zone = 22,
    HazardCount = 23,
    Hazard = 24,
    Damage = 25,
    Repeat = 26,
}

/// All draws of one attempt at one scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    /// Seed of the scenario.
    pub seed: u64,
    /// Number of the stage.
    pub stage: i64,
    /// Draw number; the next one is taken when a battle cannot be played.
    pub attempt: u64,
}

impl Draws {
    /// A fraction in [0, 1).
    #[must_use]
    pub fn unit(&self, purpose: Purpose, index: u64) -> f64 {
        let key = purpose as u64 * PER_PURPOSE + index;
        u01(draw(self.seed, SCENARIO_STREAM, 0, self.stage as u64, self.attempt, key))
    }

    /// A real number in [low, high).
    #[must_use]
    pub fn between(&self, (low, high): (f64, f64), purpose: Purpose, index: u64) -> f64 {
        low + (high - low) * self.unit(purpose, index)
    }

    /// An integer from low to high, both included.
    #[must_use]
    pub fn whole(&self, (low, high): (i64, i64), purpose: Purpose, index: u64) -> i64 {
        low + floor(self.unit(purpose, index) * (high - low + 1) as f64) as i64
    }
}
