//! Support orders: decoys, scuttling, boarding.

use crate::codes::{connection_state, munition_kind, unit_status};
use crate::components::{Munition, STEADY};
use crate::events::{EventKind, News};
use crate::limits::MUNITIONS_MAX;
use crate::outputs::{Board, LaunchDecoy, Outputs, Scuttle};
use crate::state::Battle;
use crate::systems::fuel::resolve_stores;

/// Weapon code of a decoy, which is none.
pub const NO_WEAPON: i64 = -1;
const DECOY_LIFE_S: f64 = 60.0;
const DECOY_PAUSE_TICKS: i64 = 20;
const SCUTTLE_BELOW: f64 = 0.3; // of hp_max
const SCUTTLE_TICKS: i64 = 20;

/// Whether a decoy could leave now.
#[must_use]
pub fn can_launch_decoy(battle: &Battle, unit: usize) -> bool {
    let unit = &battle.units[unit];
    let is_ready = unit.stores.decoys > 0 && battle.tick >= unit.stores.decoy_ready_at;
    is_ready && unit.is_effective() && unit.layer.mode == STEADY
}

/// Whether the unit has reason to sink itself.
#[must_use]
pub fn can_scuttle(battle: &Battle, unit: usize) -> bool {
    let own = &battle.units[unit];
    if !own.is_effective() {
        return false;
    }
    if own.hull.hp < SCUTTLE_BELOW * own.spec.hull.hp_max {
        return true;
    }
    battle.units.iter().any(|other| {
        other.is_present() && other.boarding.state >= connection_state::DOCKED && other.boarding.target_id == own.id()
    })
}

/// Carries out support orders, and takes the fuel that layer orders cost.
pub fn resolve_support(battle: &mut Battle, outputs: &mut Outputs) {
    resolve_stores(battle, outputs);
    let decoys = outputs.take::<LaunchDecoy>();
    for (_, decoy) in &decoys {
        launch_decoy(battle, battle.place(decoy.source));
    }
    outputs.put_back(decoys);
    let boardings = outputs.take::<Board>();
    for (_, board) in &boardings {
        order_boarding(battle, battle.place(board.source), board.target);
    }
    outputs.put_back(boardings);
    let scuttlings = outputs.take::<Scuttle>();
    for (_, scuttle) in &scuttlings {
        battle.unit_mut(scuttle.source).scratch.is_scuttling = true;
    }
    outputs.put_back(scuttlings);
    for place in 0..battle.units.len() {
        if battle.units[place].is_present() {
            scuttle(battle, place);
        }
    }
}

fn launch_decoy(battle: &mut Battle, place: usize) {
    if !can_launch_decoy(battle, place) {
        battle.units[place].note_invalid();
        return;
    }
    let owner_id = battle.units[place].id();
    if battle.munitions.len() >= MUNITIONS_MAX {
        battle.record(News { source: owner_id, ..News::of(EventKind::MunitionCap) });
        battle.units[place].note_invalid();
        return;
    }
    let tick = battle.tick;
    let id = battle.take_entity_id();
    let fired_event = battle.record(News { source: owner_id, target: id, ..News::of(EventKind::Decoy) });
    let unit = &mut battle.units[place];
    unit.stores.decoys -= 1;
    unit.stores.decoy_ready_at = tick + DECOY_PAUSE_TICKS;
    let decoy = Munition {
        id,
        kind: munition_kind::DECOY,
        weapon_code: NO_WEAPON,
        owner_id,
        team: unit.team(),
        x: unit.x(),
        y: unit.y(),
        heading: unit.heading(),
        speed: 0.0,
        launch_layer: unit.layer.layer,
        target_layers: 0,
        aim_x: unit.x(),
        aim_y: unit.y(),
        lock_id: 0,
        remaining: DECOY_LIFE_S,
        run: 0.0,
        rounds: 1,
        spread: 0.0,
        damage: 0.0,
        armed_at: tick,
        search: false,
        fired_event,
    };
    battle.munitions.push(decoy);
}

fn order_boarding(battle: &mut Battle, place: usize, target_id: i64) {
    let unit = &battle.units[place];
    let target = battle.find_unit(target_id);
    let is_sound = target.is_some_and(|target| battle.are_enemies(unit.team(), target.team()) && target.is_present());
    let can_board = battle.rules().boarding && is_sound && unit.crew.marines > 0.0;
    let unit = &mut battle.units[place];
    if can_board {
        unit.scratch.board_target = target_id;
    } else {
        unit.note_invalid();
    }
}

fn scuttle(battle: &mut Battle, place: usize) {
    if !battle.units[place].scratch.is_scuttling {
        battle.units[place].memory.scuttle_ticks = 0;
    } else if !can_scuttle(battle, place) {
        let unit = &mut battle.units[place];
        unit.memory.scuttle_ticks = 0;
        unit.note_invalid();
    } else {
        let unit = &mut battle.units[place];
        unit.memory.scuttle_ticks += 1;
        if unit.memory.scuttle_ticks >= SCUTTLE_TICKS {
            unit.mark(unit_status::SCUTTLED);
            let source = unit.id();
            battle.record(News { source, ..News::of(EventKind::Scuttled) });
        }
    }
}
