//! Orders of one tick to one unit, and who gives them.

use std::sync::Arc;

use crate::codes::weapon_group;
use crate::outputs::LayerDirection;
use crate::scripts::Script;

/// Groups that fire at will, in this order.
pub const FREE_FIRE: Groups =
    Groups::of(&[weapon_group::GUN, weapon_group::MISSILE, weapon_group::TORPEDO, weapon_group::ASW]);

const GROUPS_MAX: usize = 6;

/// Weapon groups to fire, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    codes: [i64; GROUPS_MAX],
    count: usize,
}

impl Groups {
    /// No group.
    pub const NONE: Self = Self { codes: [0; GROUPS_MAX], count: 0 };

    /// These groups; six at most.
    #[must_use]
    pub const fn of(groups: &[i64]) -> Self {
        let mut codes = [0; GROUPS_MAX];
        let mut place = 0;
        while place < groups.len() {
            codes[place] = groups[place];
            place += 1;
        }
        Self { codes, count: groups.len() }
    }

    /// The same groups without one.
    #[must_use]
    pub fn without(&self, group: i64) -> Self {
        let mut kept = Self::NONE;
        for &code in self.as_slice().iter().filter(|&&code| code != group) {
            kept.codes[kept.count] = code;
            kept.count += 1;
        }
        kept
    }

    /// The groups in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[i64] {
        &self.codes[..self.count]
    }
}

/// What a unit is told for one tick; `None` and empty mean no change and nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Order {
    /// -0.4 to 1.
    pub throttle: f64,
    /// -1 to 1, positive turns left.
    pub rudder: f64,
    /// Change of depth.
    pub layer: Option<LayerDirection>,
    /// New posture, an `emissions` code.
    pub emissions: Option<i64>,
    /// Weapon groups to fire, in this order.
    pub groups: Groups,
    /// Track to designate first; 0 keeps the one designated last.
    pub track_id: i64,
    /// New work of damage control, a `dc_focus` code.
    pub focus: Option<i64>,
    /// Launch a decoy.
    pub decoy: bool,
    /// Unit to board, 0 for none.
    pub board_id: i64,
    /// Go on with scuttling.
    pub scuttle: bool,
    /// Parts of the action this order was made from that name nothing, such as an empty contact row.
    pub invalid: i64,
}

/// Who gives a unit its orders: a script, or `None` for an agent whose orders are latched.
#[derive(Clone, Debug)]
pub struct Controller {
    /// As `set_controller` and replays write it: `agent`, `script:auto`, `script:aggressor@0.6`.
    pub name: Arc<str>,
    /// Asked once per tick in COMMAND.
    pub script: Option<Script>,
    /// Share of ticks on which the script is heard; on the others only the helm of `idle` is.
    pub skill: f64,
}
