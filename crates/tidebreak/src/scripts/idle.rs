//! Lies still and holds fire.

use crate::orders::Order;
use crate::state::Battle;

/// Does nothing.
#[must_use]
pub fn idle(_battle: &Battle, _unit: usize) -> Order {
    Order::default()
}
