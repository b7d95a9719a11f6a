//! Whether an object is of use to a citizen right now, as its map shows it.

use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::tables::affordances::{AffordanceRow, operand};

/// Object types, as bits, with something that can be done while the utilities are as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsableTypes {
    by_owner: u64,
    by_all: u64,
}

impl UsableTypes {
    /// Looks at every affordance.
    #[must_use]
    pub fn of(setup: &Setup, has_power: bool, has_water: bool) -> Self {
        let mut types = Self::default();
        for row in &setup.tables.affordances {
            if (has_power || !row.needs_power) && (has_water || !row.needs_water) {
                types.by_owner |= 1 << row.r#type;
                types.by_all |= u64::from(!is_owned(row)) << row.r#type;
            }
        }
        types
    }
}

/// Whether nobody else is using it, it is not on cooldown, its utilities are on, and it is not somebody else's.
#[inline]
#[must_use]
pub fn is_usable(town: &Town, setup: &Setup, citizen: &Citizen, object: usize, types: UsableTypes) -> bool {
    let (state, row) = (&town.objects[object], &setup.tables.objects[object]);
    if state.is_running() && state.holder != citizen.seat
        || state.cooldowns[citizen.seat as usize] > town.tick
        || row.is_residents && row.zone != citizen.home
    {
        return false;
    }
    let usable = if state.owner == citizen.seat { types.by_owner } else { types.by_all };
    usable >> row.r#type & 1 == 1
}

/// Whether only the owner of an object may do this with it.
#[must_use]
pub fn is_owned(row: &AffordanceRow) -> bool {
    row.is_owner_only || row.conditions.iter().any(|condition| condition.operands.contains(&operand::IS_OWNER))
}
