//! How an objective stands while it is being judged, and questions every type asks.

use kernel::numerics::{clamp, fmax, fmin, hyp};

use crate::codes::{INEFFECTIVE_STATUS, objective_status, unit_status};
use crate::components::Objective;
use crate::records::{ResolvedObjective, ResolvedShape};
use crate::resolve::shapes::contains;
use crate::state::{Battle, Unit};

/// Bits of a unit that cannot fight on; one that left over an open edge still can.
pub const LOST: i64 = INEFFECTIVE_STATUS & !unit_status::EXITED;
/// Bits of a unit that is under water for good.
pub const SUNK: i64 = unit_status::DESTROYED | unit_status::SCUTTLED;
/// Bits of a unit in other hands.
pub const TAKEN: i64 = unit_status::CAPTURED | unit_status::SURRENDERED;

/// A copy of the Objective component that a judge may change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// `ObjectiveStatus`.
    pub status: i64,
    /// Ticks, as the type counts them.
    pub time_on: i64,
    /// First value of the type.
    pub value_a: f64,
    /// Second value of the type.
    pub value_b: f64,
    /// Third value of the type.
    pub value_c: f64,
    /// 0 to 1.
    pub progress: f64,
}

impl Standing {
    /// As the component has it.
    #[must_use]
    pub fn of(now: &Objective) -> Self {
        Self {
            status: now.status,
            time_on: now.time_on,
            value_a: now.value_a,
            value_b: now.value_b,
            value_c: now.value_c,
            progress: now.progress,
        }
    }

    /// The objective is met.
    pub fn complete(&mut self) {
        self.status = objective_status::COMPLETED;
        self.progress = 1.0;
    }

    /// The objective is out of reach.
    pub fn fail(&mut self) {
        self.status = objective_status::FAILED;
    }
}

/// A unit and what it was told.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The battle it is in.
    pub battle: &'a Battle,
    /// The unit.
    pub unit: &'a Unit,
    /// What it was told.
    pub task: &'a ResolvedObjective,
}

impl<'a> Case<'a> {
    /// The single target.
    #[must_use]
    pub fn target(&self) -> &'a Unit {
        self.battle.unit(self.task.target_id)
    }

    /// What is to be kept safe.
    #[must_use]
    pub fn asset(&self) -> &'a Unit {
        self.battle.unit(self.task.asset_id)
    }

    /// Ticks of battle, the current one included.
    #[must_use]
    pub fn elapsed_ticks(&self) -> i64 {
        self.battle.tick + 1
    }
}

/// Hit points left, 0 to 1.
#[must_use]
pub fn hp_share(unit: &Unit) -> f64 {
    unit.hull.hp / unit.spec.hull.hp_max
}

/// Whether the unit cannot fight on; one that left over an open edge still can.
#[must_use]
pub fn is_lost(unit: &Unit) -> bool {
    unit.has(LOST)
}

/// Whether it is sunk or in other hands.
#[must_use]
pub fn is_asset_lost(asset: &Unit) -> bool {
    asset.has(SUNK | TAKEN)
}

/// Meters between two units.
#[must_use]
pub fn distance_between(unit: &Unit, other: &Unit) -> f64 {
    hyp(other.transform.x - unit.transform.x, other.transform.y - unit.transform.y)
}

/// Speed of one unit as seen from the other, m/s.
#[must_use]
pub fn relative_speed(unit: &Unit, other: &Unit) -> f64 {
    hyp(unit.motion.vx - other.motion.vx, unit.motion.vy - other.motion.vy)
}

/// Part of a whole, 0 to 1; all of it when the whole is nothing.
#[must_use]
pub fn share(part: f64, whole: f64) -> f64 {
    if whole <= 0.0 { 1.0 } else { clamp(part / whole, 0.0, 1.0) }
}

/// Whether the unit is in the area of its objective.
#[must_use]
pub fn is_in_zone(case: &Case<'_>) -> bool {
    let Some(zone) = &case.task.zone else { return false };
    let (mut x, mut y) = (case.unit.transform.x, case.unit.transform.y);
    if case.task.zone_relative_id != 0 {
        let anchor = case.battle.unit(case.task.zone_relative_id);
        x -= anchor.transform.x;
        y -= anchor.transform.y;
    }
    contains(zone, x, y)
}

/// Smallest upright rectangle around a shape: min x, min y, max x, max y.
#[must_use]
pub fn extent(shape: &ResolvedShape) -> [f64; 4] {
    let Some((first, rest)) = shape.vertices.split_first() else {
        let reach = shape.radius_m;
        return [shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach];
    };
    let [mut min_x, mut min_y] = *first;
    let (mut max_x, mut max_y) = (min_x, min_y);
    for &[x, y] in rest {
        (min_x, min_y) = (fmin(min_x, x), fmin(min_y, y));
        (max_x, max_y) = (fmax(max_x, x), fmax(max_y, y));
    }
    [min_x, min_y, max_x, max_y]
}
