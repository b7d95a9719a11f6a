//! Which contacts stand in which row; the next decision names them by it.

use crate::components::CONTACT_ROWS;
use crate::contacts::is_contact;
use crate::layout::{FIRST_MATE_ROW, FIRST_MUNITION_ROW, HOSTILE_ROWS};
use crate::shown::Shown;
use crate::state::Battle;

/// Closes a tick for all who look: keeps what their rows stand for and counts what they hold.
pub fn publish_contacts(battle: &mut Battle) {
    renew_shown(battle);
    for unit in 0..battle.units.len() {
        if !battle.units[unit].is_present() {
            continue;
        }
        battle.units[unit].memory.contact_rows = row_ids(battle, unit);
        // The look before the first tick is not counted.
        if battle.tick > 0 {
            let own = &mut battle.units[unit];
            own.memory.contacts_sum += own.tracks.tracks.iter().filter(|track| is_contact(track)).count() as i64;
        }
    }
}

/// Works out what every unit has to show; it holds until something moves.
pub fn renew_shown(battle: &mut Battle) {
    let mut shown = std::mem::take(&mut battle.shown);
    shown.clear();
    shown.extend(battle.units.iter().map(|unit| unit.is_present().then(|| Shown::of(battle, unit))));
    battle.shown = shown;
}

/// What the rows stand for: track ids, unit ids, munition ids; 0 where a row is empty.
fn row_ids(battle: &Battle, unit: usize) -> [i64; CONTACT_ROWS] {
    let (own, shown) = (&battle.units[unit], battle.shown_to(unit));
    let mut ids = [0; CONTACT_ROWS];
    for (row, track) in shown.order.tracks(own).take(HOSTILE_ROWS).enumerate() {
        ids[row] = track.track_id;
    }
    for (row, fix) in shown.mates(own).enumerate() {
        ids[FIRST_MATE_ROW + row] = fix.unit_id;
    }
    for (row, munition) in shown.munitions(battle).enumerate() {
        ids[FIRST_MUNITION_ROW + row] = munition.id;
    }
    ids
}
