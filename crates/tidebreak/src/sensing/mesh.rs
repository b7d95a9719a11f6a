//! Who reaches whom over the data link.

use kernel::numerics::{ceil, hyp};

use super::constants::{ECM_TIERS, LINK_PERIODS, LINK_RANGE_M};
use super::sight::Surroundings;
use crate::codes::{emissions, layer, link_tier as tiers, unit_kind, unit_status};
use crate::state::{Battle, Unit};

/// Tier of units that do not reach each other.
pub const NO_LINK: i64 = -1;

/// Tier a unit can use where it is, -1 for none.
#[must_use]
pub fn link_tier(battle: &Battle, unit: &Unit) -> i64 {
    if !unit.is_present() || unit.has(unit_status::SURRENDERED | unit_status::CAPTURED) {
        return NO_LINK;
    }
    if unit.identity.kind == unit_kind::SQUADRON || unit.layer.layer == layer::ABYSSAL {
        return NO_LINK;
    }
    let surroundings = Surroundings::of(battle.map(), unit.transform.x, unit.transform.y, unit.layers_mask());
    let mut tier = unit.spec.sensors.link_tier - ceil(ECM_TIERS * surroundings.ecm(battle.map())) as i64;
    if unit.layer.layer == layer::SUBMERGED {
        tier = tier.min(tiers::T0);
    }
    if tier >= tiers::T0 { tier } else { NO_LINK }
}

/// Tier on which two units of a team reach each other, -1 for none; `tier` and `other_tier` are their own.
#[inline]
#[must_use]
pub fn pair_tier(unit: &Unit, tier: i64, other: &Unit, other_tier: i64) -> i64 {
    let lower = tier.min(other_tier);
    let (here, there) = (&unit.transform, &other.transform);
    if lower == NO_LINK || hyp(there.x - here.x, there.y - here.y) > LINK_RANGE_M { NO_LINK } else { lower }
}

/// Whether a unit speaks on the link at all; a silent one only listens.
#[inline]
#[must_use]
pub const fn can_send(unit: &Unit) -> bool {
    unit.posture.emissions != emissions::SILENT
}

/// Whether a sender shares its tracks on this tier in this tick.
#[inline]
#[must_use]
pub const fn is_publishing(tick: i64, sender_id: i64, tier: i64) -> bool {
    (tick + sender_id) % LINK_PERIODS[tier as usize] == 0
}

/// Whether another unit is a present team-mate, squadrons apart.
#[inline]
#[must_use]
pub const fn is_team_mate(unit: &Unit, other: &Unit) -> bool {
    other.is_present()
        && other.identity.team == unit.identity.team
        && other.identity.id != unit.identity.id
        && other.identity.kind != unit_kind::SQUADRON
}

/// Whether a unit speaks with anybody, which others can hear; `link_tiers` is by place.
#[must_use]
pub fn is_linked(battle: &Battle, place: usize, link_tiers: &[i64]) -> bool {
    let unit = &battle.units[place];
    let tier = link_tiers[place];
    tier != NO_LINK
        && can_send(unit)
        && battle.units.iter().zip(link_tiers).any(|(other, &other_tier)| {
            is_team_mate(unit, other) && pair_tier(unit, tier, other, other_tier) != NO_LINK
        })
}
