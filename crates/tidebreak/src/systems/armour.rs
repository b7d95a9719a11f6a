//! What is left of a hit once the armour has had its share.

use kernel::numerics::fmax;

/// Share of the armour that counts, by `DamageType`.
pub const ARMOUR_BY_TYPE: [f64; 5] = [1.0, 0.5, 0.25, 0.0, 0.0];
const LEAST_SHARE: f64 = 0.08;
/// A hull that changes depth is under strain.
const IN_TRANSIT: f64 = 1.25;

/// The damage that gets through: never less than 8% of the amount.
#[must_use]
pub fn effective_damage(amount: f64, damage_type: i64, armour: f64, in_transit: bool) -> f64 {
    let through = fmax(amount - armour * ARMOUR_BY_TYPE[damage_type as usize], LEAST_SHARE * amount);
    if in_transit { through * IN_TRANSIT } else { through }
}
