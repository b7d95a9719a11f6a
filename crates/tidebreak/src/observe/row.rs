//! What a captain sees, as one row; computed in binary64 and rounded to float32 once, when it is stored.

use super::contacts::show_contacts;
use super::engagement::Engagement;
use super::environment::show_environment;
use super::own_state::show_own_state;
use crate::layout::{
    COMPACT_CONTACT_ROWS, COMPACT_ENVIRONMENT, COMPACT_HOSTILE_ROWS, CONTACT_COLUMNS, CONTACT_ROWS, HOSTILE_ROWS, env,
    own,
};
use crate::masks::{write_mask, write_noops};
use crate::state::Battle;
use crate::systems::physics::speed_limit;

/// Which of the two profiles a row has.
#[derive(Clone, Copy)]
enum Profile {
    Full,
    Compact,
}

impl Profile {
    const fn hostile_rows(self) -> usize {
        match self {
            Self::Full => HOSTILE_ROWS,
            Self::Compact => COMPACT_HOSTILE_ROWS,
        }
    }

    const fn contact_rows(self) -> usize {
        match self {
            Self::Full => CONTACT_ROWS,
            Self::Compact => COMPACT_CONTACT_ROWS,
        }
    }

    const fn environment(self) -> usize {
        match self {
            Self::Full => env::SIZE,
            Self::Compact => COMPACT_ENVIRONMENT,
        }
    }
}

/// Writes what a unit sees, in full or compact, and what it could order; zeros and the no-ops for one that is gone.
pub fn observe_unit(battle: &Battle, unit: usize, is_compact: bool, row: &mut [f32], mask: &mut [u8]) {
    let profile = if is_compact { Profile::Compact } else { Profile::Full };
    let own = &battle.units[unit];
    if !own.is_present() {
        row.fill(0.0);
        write_noops(mask);
        return;
    }
    let (engagement, limit_ms) = (Engagement::of(battle, unit), speed_limit(battle, unit));
    show(battle, unit, profile, &engagement, limit_ms, row);
    if own.is_effective() {
        write_mask(battle, unit, &engagement, limit_ms, mask);
    } else {
        write_noops(mask);
    }
}

/// Writes the three blocks one after another, `OBS_WIDTH` numbers; zeros for a unit that is gone.
pub fn observation(battle: &Battle, unit: usize, row: &mut [f32]) {
    write_row(battle, unit, Profile::Full, row);
}

/// Writes the compact profile, `COMPACT_OBS_WIDTH` numbers: without contact rows 6-9 and without the fields.
pub fn compact_observation(battle: &Battle, unit: usize, row: &mut [f32]) {
    write_row(battle, unit, Profile::Compact, row);
}

fn write_row(battle: &Battle, unit: usize, profile: Profile, row: &mut [f32]) {
    if battle.units[unit].is_present() {
        show(battle, unit, profile, &Engagement::of(battle, unit), speed_limit(battle, unit), row);
    } else {
        row.fill(0.0);
    }
}

fn show(battle: &Battle, unit: usize, profile: Profile, engagement: &Engagement<'_>, limit_ms: f64, row: &mut [f32]) {
    row.fill(0.0);
    let (own_state, rest) = row.split_at_mut(own::SIZE);
    let (contacts, rest) = rest.split_at_mut(profile.contact_rows() * CONTACT_COLUMNS);
    let environment = &mut rest[..profile.environment()];
    show_own_state(battle, unit, engagement, limit_ms, own_state);
    show_contacts(battle, unit, engagement, profile.hostile_rows(), contacts);
    show_environment(battle, &battle.units[unit], environment);
}
