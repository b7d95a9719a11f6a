//! Ships of a generated battle as resolved units.

use std::sync::Arc;

use kernel::numerics::norm2pi;

use crate::codes::{objective_type, system};
use crate::generation::catalogue::Catalogue;
use crate::generation::lineup::Ship;
use crate::generation::tasks::{Damage, Task};
use crate::records::{ResolvedObjective, ResolvedUnit, UNLIMITED};

const PRIORITY: f64 = 0.5;
const MORALE: f64 = 0.7;

/// Expands every ship. Ship ids ascend with the place in the package, and so do unit ids.
#[must_use]
pub fn resolve_units(ships: &[Ship], catalogue: &Catalogue) -> Vec<Arc<ResolvedUnit>> {
    ships.iter().enumerate().map(|(place, ship)| Arc::new(unit(place, ship, catalogue))).collect()
}

fn unit(place: usize, ship: &Ship, catalogue: &Catalogue) -> ResolvedUnit {
    let mut unit = catalogue.unit(ship.class).clone();
    unit.id = id_of(place);
    unit.ship_id = ship.ship_id();
    unit.package_index = place as i64;
    unit.team = ship.side as i64;
    unit.crew.gunnery = ship.gunnery;
    unit.crew.engineering = ship.engineering;
    unit.crew.morale = MORALE;
    unit.start.x = ship.x;
    unit.start.y = ship.y;
    unit.start.heading = norm2pi(ship.heading);
    unit.start.speed_ms = ship.speed;
    unit.start.layer = ship.layer;
    if let Some(damage) = &ship.damage {
        hurt(&mut unit, damage);
    }
    unit.objective = ship.task.map(objective);
    unit
}

fn id_of(place: usize) -> i64 {
    place as i64 + 1
}

fn hurt(unit: &mut ResolvedUnit, damage: &Damage) {
    unit.crew.crew_start = damage.crew;
    for (mount, &rounds) in unit.mounts.iter_mut().zip(&damage.rounds) {
        mount.ammo = rounds;
    }
    let start = &mut unit.start;
    start.hp = damage.hp;
    let parts = start.compartments.len() as i64;
    for part in &mut start.compartments {
        part.crew = damage.crew / parts;
    }
    for &(place, integrity) in &damage.wrecked {
        start.compartments[place].integrity = integrity;
    }
    for (which, fraction) in [(system::PROPULSION, damage.propulsion), (system::WEAPONS, damage.weapons)] {
        start.systems[which] = fraction;
        // A lost share lowers the ceiling of its repair by half of it.
        start.ceilings[which] = 1.0 - (1.0 - fraction) / 2.0;
    }
}

fn objective(task: Task) -> ResolvedObjective {
    let plain = |name: &str, kind: i64| ResolvedObjective {
        objective_id: name.to_owned(),
        r#type: kind,
        priority: PRIORITY,
        target_id: 0,
        target_ids: Vec::new(),
        asset_id: 0,
        zone: None,
        zone_relative_id: 0,
        destination_id: 0,
        destination_x: None,
        destination_y: None,
        duration_ticks: 0,
        deadline_ticks: UNLIMITED,
        cargo: None,
    };
    match task {
        Task::Escort { asset } => {
            ResolvedObjective { asset_id: id_of(asset), ..plain("escort", objective_type::PROTECT) }
        }
        Task::Pass { x, y } => {
            ResolvedObjective { destination_x: Some(x), destination_y: Some(y), ..plain("pass", objective_type::EVADE) }
        }
        Task::Raid => plain("raid", objective_type::RAID),
        Task::Board { target } => ResolvedObjective {
            target_id: id_of(target),
            target_ids: vec![id_of(target)],
            ..plain("board", objective_type::CAPTURE)
        },
    }
}
