//! What a unit's weapons could do now, worked out once for the observation and the mask.

use crate::codes::weapon_group;
use crate::contacts::ContactOrder;
use crate::layout::HOSTILE_ROWS;
use crate::state::Battle;
use crate::systems::fire_conditions::{mount_refusal, needs_no_track, track_refusal, weapon_at};

/// Contacts of a unit, which of its mounts are ready, and what those could engage.
#[derive(Clone, Copy, Debug)]
pub struct Engagement<'a> {
    /// The contacts, the best first in the rows that are shown.
    pub order: &'a ContactOrder,
    /// Bit of every mount that holds F1 to F4, by place.
    ready: u32,
    /// Bit of every contact row that some ready mount could fire at.
    rows: u32,
    /// Bit of every weapon group that could fire at something.
    groups: u32,
}

impl<'a> Engagement<'a> {
    /// What the unit at a place could fire now, and at whom.
    #[must_use]
    pub fn of(battle: &'a Battle, unit: usize) -> Self {
        let own = &battle.units[unit];
        let mut found = Self { order: &battle.shown_to(unit).order, ready: 0, rows: 0, groups: 0 };
        for place in 0..own.mounts.len() {
            if mount_refusal(battle, unit, place).is_none() {
                found.ready |= 1 << place;
                found.look_along(battle, unit, place);
            }
        }
        found
    }

    /// Whether a mount is ready to fire, whatever the target.
    #[inline]
    #[must_use]
    pub const fn is_ready(&self, place: usize) -> bool {
        self.ready >> place & 1 != 0
    }

    /// Whether a ready mount could fire at the contact of a row.
    #[inline]
    #[must_use]
    pub const fn can_engage(&self, row: usize) -> bool {
        self.rows >> row & 1 != 0
    }

    /// Whether some mount of the group is ready and would find a target.
    #[inline]
    #[must_use]
    pub const fn can_fire(&self, group: i64) -> bool {
        self.groups >> group & 1 != 0
    }

    /// Adds what one ready mount could do; tracks that would add nothing are not looked at.
    fn look_along(&mut self, battle: &Battle, unit: usize, place: usize) {
        let own = &battle.units[unit];
        let weapon = weapon_at(battle, unit, place);
        let group = 1 << weapon.group;
        if needs_no_track(weapon) {
            self.groups |= group;
            return;
        }
        let can_engage = |track| track_refusal(battle, unit, place, Some(track)).is_none();
        for (row, (place, range_m)) in self.order.ranged_places().enumerate() {
            let track = &own.tracks.tracks[place];
            let is_row_open = row < HOSTILE_ROWS && self.rows >> row & 1 == 0;
            let is_group_open = weapon.group != weapon_group::AUTOMATIC && self.groups & group == 0;
            // Most tracks fail one of these, which are cheap to ask.
            let is_in_question = track.quality >= weapon.min_quality && range_m <= weapon.range_m;
            if (is_row_open || is_group_open) && is_in_question && can_engage(track) {
                self.groups |= group;
                if row < HOSTILE_ROWS {
                    self.rows |= 1 << row;
                }
            } else if !is_group_open && row >= HOSTILE_ROWS {
                break;
            }
        }
        // A designated track may be a friend or a munition, which are no contacts.
        if self.groups & group == 0 && own.tracks.get(own.memory.designated_track).is_some_and(can_engage) {
            self.groups |= group;
        }
    }
}
