//! Keeping the ship alive: holding, burning, cooling, repairing, jettisoning, docking.

use kernel::numerics::{fmax, fmin};

use crate::constants::{
    BURN_ALERT, BURN_FUEL, BURN_TICKS, COOLDOWN_ALERT, COOLDOWN_FUEL, COOLDOWN_HEAT, COOLDOWN_TICKS, DOCK_ALERT_RELIEF,
    DOCK_TICKS, ESCAPE_TICKS, HOLD_ALERT_RELIEF, HOLD_COOLING, HOLD_TICKS, HULL_MAX, HULL_PER_KIT,
    JETTISON_ALERT_RELIEF, JETTISON_TICKS, REPAIR_TICKS, TOOL_MAX, TOOL_PER_KIT,
};
use crate::events::{Deed, Event, Happenings, Repaired};
use crate::ship::Ship;
use crate::state::State;

/// Drifts quietly.
pub(crate) fn hold(ship: &mut Ship) -> u8 {
    ship.alert = fmax(0.0, ship.alert - HOLD_ALERT_RELIEF);
    ship.heat = fmax(0.0, ship.heat - HOLD_COOLING);
    HOLD_TICKS
}

/// Burns hard to shake off pursuers.
pub(crate) fn burn(ship: &mut Ship, happenings: &mut Happenings) -> u8 {
    ship.fuel -= BURN_FUEL;
    ship.alert += BURN_ALERT;
    ship.escape_ticks = ship.escape_ticks.max(ESCAPE_TICKS);
    happenings.note(Event::EmergencyBurn);
    BURN_TICKS
}

/// Cools actively.
pub(crate) fn cool_down(ship: &mut Ship, happenings: &mut Happenings) -> u8 {
    ship.fuel -= COOLDOWN_FUEL;
    ship.heat = fmax(0.0, ship.heat - COOLDOWN_HEAT);
    ship.alert += COOLDOWN_ALERT;
    happenings.note(Event::Cooldown);
    COOLDOWN_TICKS
}

/// Spends a repair kit on the tool.
pub(crate) fn maintain_tool(ship: &mut Ship, happenings: &mut Happenings) -> u8 {
    let before = ship.tool;
    ship.tool = fmin(TOOL_MAX, before + TOOL_PER_KIT);
    use_kit(ship, Repaired::Tool, ship.tool - before, happenings)
}

/// Spends a repair kit on the hull.
pub(crate) fn patch_hull(ship: &mut Ship, happenings: &mut Happenings) -> u8 {
    let before = ship.hull;
    ship.hull = fmin(HULL_MAX, before + HULL_PER_KIT);
    use_kit(ship, Repaired::Hull, ship.hull - before, happenings)
}

fn use_kit(ship: &mut Ship, what: Repaired, amount: f64, happenings: &mut Happenings) -> u8 {
    ship.repair_kits -= 1;
    happenings.note(Event::Repair);
    happenings.deed = Deed::Repair { what, amount };
    REPAIR_TICKS
}

/// Throws one commodity overboard.
pub(crate) fn jettison(state: &mut State, commodity: u8, happenings: &mut Happenings) -> u8 {
    let units = std::mem::take(&mut state.ship.cargo[usize::from(commodity)]);
    state.value_hold();
    state.ship.alert = fmax(0.0, state.ship.alert - JETTISON_ALERT_RELIEF);
    happenings.note(Event::Jettison);
    happenings.deed = Deed::Jettison { commodity, units };
    JETTISON_TICKS
}

/// Docks, where nobody hears the ship.
pub(crate) fn dock(ship: &mut Ship, happenings: &mut Happenings) -> u8 {
    ship.alert = fmax(0.0, ship.alert - DOCK_ALERT_RELIEF);
    happenings.note(Event::Dock);
    DOCK_TICKS
}
