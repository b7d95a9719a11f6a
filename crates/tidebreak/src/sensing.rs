//! What units know of one another: excesses, measurements, tracks, identification and the data mesh.

pub mod acoustics;
pub mod constants;
pub mod detection;
pub mod excess;
pub mod excess_by_range;
pub mod filtering;
pub mod identification;
pub mod incoming;
pub mod links;
pub mod measuring;
pub mod merging;
pub mod mesh;
pub mod observer;
pub mod pairs;
pub mod presence;
pub mod publishing;
mod row_index;
pub mod senses;
pub mod sight;
pub mod targets;
pub mod tracking;

use crate::events::{EventKind, News};
use crate::outputs::Outputs;
use crate::sensing::detection::{Alarms, Sensing};
use crate::sensing::links::resolve_links;
use crate::sensing::observer::Conditions;
use crate::sensing::senses::Senses;
use crate::sensing::targets::is_observer;
use crate::sensing::tracking::refresh_tracks;
use crate::state::Battle;

/// Lets every present unit look, listen and ping, brings its tracks up to date, and shares them over the mesh.
///
/// A unit's tracks depend on no other unit's until they are shared, so each is brought up to date as soon as it has
/// sensed.
pub fn sense_all(battle: &mut Battle, outputs: &mut Outputs) {
    let senses = &mut outputs.senses;
    senses.prepare(battle);
    note_pings(battle, senses);
    let conditions = Conditions::of(battle);
    for unit in 0..battle.units.len() {
        if !battle.units[unit].is_present() {
            continue;
        }
        if is_observer(&battle.units[unit]) {
            let alarms = sense(battle, senses, &conditions, unit);
            raise(battle, unit, alarms);
        }
        refresh_tracks(battle, senses, unit);
    }
    resolve_links(battle, senses);
}

fn note_pings(battle: &mut Battle, senses: &Senses) {
    for target in &senses.targets {
        if let (Some(f0), Some(place)) = (target.ping_db, target.unit) {
            battle.units[place].contact_memory.last_ping_tick = battle.tick;
            battle.record(News { source: target.id, f0, ..News::of(EventKind::Ping) });
        }
    }
}

/// Fills `senses.measures` with what a unit makes of everything that is not on its side.
fn sense(battle: &Battle, senses: &mut Senses, conditions: &Conditions, unit: usize) -> Alarms {
    senses.note_tracked(battle, &battle.units[unit]);
    let mut measures = std::mem::take(&mut senses.measures);
    let alarms = Sensing::of(battle, senses, conditions, unit).sense_all(&mut measures);
    senses.measures = measures;
    alarms
}

fn raise(battle: &mut Battle, unit: usize, alarms: Alarms) {
    let memory = &mut battle.units[unit].contact_memory;
    if alarms.is_pinged {
        memory.pinged_at = battle.tick;
    }
    if alarms.is_painted {
        memory.painted_at = battle.tick;
    }
}
