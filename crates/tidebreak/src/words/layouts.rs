//! How a record becomes words: fields in order, one word for a number, a count before a list without fixed length.

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};

use crate::components::{
    Boarding, Compartment, ContactMemory, Crew, Hull, Identity, LayerState, MateFix, Memory, Morale, Motion, Mount,
    Munition, Objective, Posture, Stores, Storm, Tally, Track, Transform,
};
use crate::state::Outcome;

/// Most entries a list in a snapshot can have; more can only be damage.
const COUNT_MAX: i64 = 1 << 20;

/// Anything that can be written as words and read back.
pub(super) trait Words: Sized {
    fn write(&self, words: &mut WordWriter);
    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError>;
}

impl Words for i64 {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.signed(*self);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        words.signed()
    }
}

impl Words for f64 {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.float(*self);
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        words.float()
    }
}

impl Words for bool {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.unsigned(u64::from(*self));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        Ok(words.unsigned()? != 0)
    }
}

impl<T: Words + Copy + Default, const N: usize> Words for [T; N] {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        self.iter().for_each(|value| value.write(words));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        let mut values = [T::default(); N];
        for value in &mut values {
            *value = T::read(words)?;
        }
        Ok(values)
    }
}

impl<T: Words> Words for Vec<T> {
    #[inline]
    fn write(&self, words: &mut WordWriter) {
        words.signed(self.len() as i64);
        self.iter().for_each(|value| value.write(words));
    }

    fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
        let count = read_count(words)?;
        (0..count).map(|_| T::read(words)).collect()
    }
}

/// Takes the count of a list.
pub(super) fn read_count(words: &mut WordReader<'_>) -> Result<usize, SnapshotError> {
    match words.signed()? {
        count @ 0..=COUNT_MAX => Ok(count as usize),
        count => Err(SnapshotError::Invalid(format!("a list has {count} entries; it must have 0 to {COUNT_MAX}"))),
    }
}

macro_rules! records {
    ($($record:ident { $($field:ident),* } $([$($service:ident: $value:expr),*])?)*) => {
        $(impl Words for $record {
            #[inline]
            fn write(&self, words: &mut WordWriter) {
                $(self.$field.write(words);)*
            }

            fn read(words: &mut WordReader<'_>) -> Result<Self, SnapshotError> {
                Ok(Self { $($field: Words::read(words)?,)* $($($service: $value),*)? })
            }
        })*
    };
}

records! {
    Identity { id, kind, class_code, team, status, size, tier }
    Transform { x, y, heading }
    Motion { vx, vy, omega, throttle, rudder, cmd_throttle, cmd_rudder }
    LayerState { layer, mode, target_layer, elapsed, total, trans_damage, botches }
    Posture { emissions, dc_focus }
    Hull { hp, systems, ceilings, fire, flood }
    Crew { alive, running_loss, killed, wounded, marines, security, gunnery, engineering, fatigue, command }
    Morale { morale, morale_start }
    Stores { fuel, decoys, decoy_ready_at }
    Mount { ready_at, ammo }
    Compartment { integrity, fire, flood, breached, crew }
    ContactMemory { last_ping_tick, pinged_at, painted_at }
    Boarding { state, target_id, timer, transferred, progress, status, attached_ticks, damage_window }
    Objective { r#type, status, time_on, value_a, value_b, value_c, progress, reward_sum }
    Tally { damage_dealt, damage_taken, shots, hits, kills, transitions, hazard_damage, collisions }
    Track { track_id, target_id, x, y, vx, vy, P, quality, age, hits, bearing_only, layer_est, class_level, id_conf, iff, is_munition, modalities, shared }
    MateFix { unit_id, x, y, vx, vy, layer, tick }
    Memory { designated_track, contact_rows, mate_fixes, raised_ids, last_damage_by, last_damage_event, harmed_at, grounding_at, scuttle_ticks, was_effective, is_loss_paid, capture_method, captor_team, attacker_losses, defender_losses, breach_quality, entry_district, carrier_id, carrier_slot, has_struck, invalid_orders, contacts_sum }
    Munition { id, kind, weapon_code, owner_id, team, x, y, heading, speed, launch_layer, target_layers, aim_x, aim_y, lock_id, remaining, run, rounds, spread, damage, armed_at, search } [fired_event: 0]
    Storm { x, y, vx, vy, radius, intensity, profile, ends_at_tick }
    Outcome { end_reason, winner }
}
