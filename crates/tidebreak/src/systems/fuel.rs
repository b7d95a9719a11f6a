//! Fuel: burnt by the second, more than proportionally to speed.

use kernel::numerics::{clamp, fmax, powi};

use crate::outputs::{Emitter, Modify, Outputs, Place};
use crate::state::Battle;

const IDLE_S: f64 = 0.1;
const FLANK_S: f64 = 0.9;

/// Asks for what one second at this speed takes.
pub fn burn_fuel(battle: &Battle, unit: usize, emit: &mut Emitter<'_>) {
    let unit = &battle.units[unit];
    if unit.stores.fuel > 0.0 {
        let full = unit.class_speed();
        let g = if full > 0.0 { clamp(unit.speed() / full, 0.0, 1.0) } else { 0.0 };
        let delta = -(IDLE_S + FLANK_S * powi(g, 3));
        emit.emit(Modify { source: unit.id(), target: unit.id(), place: Place::StoresFuel, delta, cause: 0 });
    }
}

/// Changes fuel, never below empty; a tank without end stays so.
pub fn resolve_stores(battle: &mut Battle, outputs: &mut Outputs) {
    let changes = outputs.take::<Modify>();
    for (_, change) in changes.iter().filter(|(_, change)| !change.place.is_of_hull()) {
        let stores = &mut battle.unit_mut(change.target).stores;
        if stores.fuel > 0.0 {
            stores.fuel = fmax(stores.fuel + change.delta, 0.0);
        }
    }
    outputs.put_back(changes);
}
