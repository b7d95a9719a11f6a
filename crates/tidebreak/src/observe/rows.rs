//! Which contacts stand in which row; the next decision names them by it.

use kernel::numerics::hyp;

use crate::components::{CONTACT_ROWS, MateFix, Munition};
use crate::contacts::{is_contact, leading_contacts};
use crate::layout::{FIRST_MATE_ROW, FIRST_MUNITION_ROW, HOSTILE_ROWS, MATE_ROWS, MUNITION_ROWS};
use crate::sensing::incoming::nearest_munitions;
use crate::state::{Battle, Unit};

/// Closes a tick for all who look: keeps what their rows stand for and counts what they hold.
pub fn publish_contacts(battle: &mut Battle) {
    for unit in 0..battle.units.len() {
        if !battle.units[unit].is_present() {
            continue;
        }
        remember_rows(battle, unit);
        // The look before the first tick is not counted.
        if battle.tick > 0 {
            let own = &mut battle.units[unit];
            own.memory.contacts_sum += own.tracks.tracks.iter().filter(|track| is_contact(track)).count() as i64;
        }
    }
}

/// Keeps what the rows stand for: track ids, unit ids, munition ids; 0 where a row is empty.
pub fn remember_rows(battle: &mut Battle, unit: usize) {
    let own = &battle.units[unit];
    let mut ids = [0; CONTACT_ROWS];
    for (row, track) in leading_contacts(own, HOSTILE_ROWS).tracks(own).take(HOSTILE_ROWS).enumerate() {
        ids[row] = track.track_id;
    }
    for (row, fix) in nearest_mates(own).iter().flatten().enumerate() {
        ids[FIRST_MATE_ROW + row] = fix.unit_id;
    }
    for (row, munition) in munitions_shown(battle, own).iter().flatten().enumerate() {
        ids[FIRST_MUNITION_ROW + row] = munition.id;
    }
    battle.units[unit].memory.contact_rows = ids;
}

/// Team-mates in the order of their rows: nearest first, then by id.
#[must_use]
pub fn nearest_mates(unit: &Unit) -> [Option<&MateFix>; MATE_ROWS] {
    let mut nearest = [None; MATE_ROWS];
    let mut distances_m = [f64::INFINITY; MATE_ROWS];
    for fix in &unit.memory.mate_fixes {
        let distance_m = hyp(fix.x - unit.transform.x, fix.y - unit.transform.y);
        // They come by id, so that an equally near one stays behind those already there.
        let Some(row) = distances_m.iter().position(|&kept_m| distance_m < kept_m) else { continue };
        nearest.copy_within(row..MATE_ROWS - 1, row + 1);
        distances_m.copy_within(row..MATE_ROWS - 1, row + 1);
        (nearest[row], distances_m[row]) = (Some(fix), distance_m);
    }
    nearest
}

/// Torpedoes and missiles in the order of their rows.
#[inline]
#[must_use]
pub fn munitions_shown<'a>(battle: &'a Battle, unit: &'a Unit) -> [Option<&'a Munition>; MUNITION_ROWS] {
    nearest_munitions(battle, unit)
}
