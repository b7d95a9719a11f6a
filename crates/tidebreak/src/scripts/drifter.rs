//! Wanders about and fires back.

use kernel::numerics::TWO_PI;

use super::course::{Course, sail};
use crate::draws::{Stream, uniform_at};
use crate::orders::Order;
use crate::state::Battle;

const LEG_TICKS: i64 = 60;
const THROTTLE: f64 = 0.4;

/// Keeps a random heading for a minute; the draw's tick is fixed so that it lasts.
#[must_use]
pub fn drifter(battle: &Battle, unit: usize) -> Order {
    let (id, leg) = (battle.units[unit].identity.id, battle.tick / LEG_TICKS);
    let u = uniform_at(battle, Stream::Scripts, 0, id, leg, 0);
    sail(battle, unit, Course::new(TWO_PI * u, THROTTLE), None)
}
