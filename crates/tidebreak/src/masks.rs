//! Which orders a unit could carry out now, over the options of all heads.

use crate::codes::{NO_LAYER, layer, track_quality, unit_kind};
use crate::components::Track;
use crate::contacts::{ContactOrder, contact_order};
use crate::contract::{
    HEAD_OFFSETS, HEAD_SIZES, N_OPTIONS, NOOPS, emissions_order, head, layer_order, support_order, weapon_order,
};
use crate::layout::HOSTILE_ROWS;
use crate::observe::engagement::Engagement;
use crate::orders::FREE_FIRE;
use crate::outputs::LayerDirection;
use crate::state::{Battle, Unit};
use crate::systems::boarding::can_board;
use crate::systems::layers::accepts;
use crate::systems::physics::speed_limit;
use crate::systems::support::{can_launch_decoy, can_scuttle};

const BOARDING_RANGE_M: f64 = 3_000.0;
const FOCI: usize = 4;
const LAYER_ORDERS: [(usize, LayerDirection); 3] = [
    (layer_order::UP, LayerDirection::Up),
    (layer_order::DOWN, LayerDirection::Down),
    (layer_order::POP_UP, LayerDirection::PopUp),
];

/// Writes 1 for every option that would have its effect and for the no-ops, 0 for the others.
pub fn action_mask(battle: &Battle, unit: usize, mask: &mut [u8]) {
    if battle.units[unit].is_effective() {
        let engagement = Engagement::of(battle, unit);
        write_mask(battle, unit, &engagement, speed_limit(battle, unit), mask);
    } else {
        write_noops(mask);
    }
}

/// Whether `action_mask` has a 1 for an option of an effective unit; works out no more than the head of it.
#[must_use]
pub fn is_allowed(battle: &Battle, unit: usize, place: usize, option: usize) -> bool {
    if option == NOOPS[place] as usize {
        return true;
    }
    let (own, mask) = (&battle.units[unit], &mut [0; N_OPTIONS]);
    match place {
        head::THROTTLE | head::RUDDER => allow_helm(mask, own, speed_limit(battle, unit)),
        head::LAYER => allow_depth(mask, battle, unit),
        head::EMISSIONS => allow_emissions(mask, own),
        head::WEAPON => allow_weapons(mask, &Engagement::of(battle, unit)),
        head::TARGET => allow_targets(mask, &contact_order(own)),
        _ => allow_support(mask, battle, unit, &contact_order(own)),
    }
    mask[HEAD_OFFSETS[place] + option] == 1
}

/// Writes 1 for the no-ops alone.
pub fn write_noops(mask: &mut [u8]) {
    mask.fill(0);
    for (place, &noop) in NOOPS.iter().enumerate() {
        allow(mask, place, noop as usize);
    }
}

/// Writes the mask of an effective unit whose fire conditions and speed limit have been worked out.
pub fn write_mask(battle: &Battle, unit: usize, engagement: &Engagement<'_>, limit_ms: f64, mask: &mut [u8]) {
    let own = &battle.units[unit];
    write_noops(mask);
    allow_helm(mask, own, limit_ms);
    allow_depth(mask, battle, unit);
    allow_emissions(mask, own);
    allow_weapons(mask, engagement);
    allow_targets(mask, engagement.order);
    allow_support(mask, battle, unit, engagement.order);
}

/// The track that an order to board means: the named or designated one, else the nearest that can be boarded.
#[must_use]
pub fn boardable_track<'a>(battle: &'a Battle, unit: usize, named: Option<&Track>) -> Option<&'a Track> {
    boardable_among(battle, unit, &contact_order(&battle.units[unit]), named)
}

fn boardable_among<'a>(
    battle: &'a Battle,
    unit: usize,
    order: &ContactOrder,
    named: Option<&Track>,
) -> Option<&'a Track> {
    let own = &battle.units[unit];
    if !(battle.rules().boarding && can_board(own)) {
        return None;
    }
    let first = named.map_or(own.memory.designated_track, |track| track.track_id);
    let mut best: Option<(f64, &Track)> = None;
    for (place, range_m) in order.ranged_places() {
        let track = &own.tracks.tracks[place];
        if !is_boardable(battle, own, track, range_m) {
            continue;
        }
        if track.track_id == first {
            return Some(track);
        }
        if best.is_none_or(|(best_m, _)| range_m < best_m) {
            best = Some((range_m, track));
        }
    }
    best.map(|(_, track)| track)
}

fn is_boardable(battle: &Battle, unit: &Unit, track: &Track, range_m: f64) -> bool {
    if track.quality < track_quality::Q1 || range_m > BOARDING_RANGE_M {
        return false;
    }
    if track.layer_est != layer::SURFACE && track.layer_est != NO_LAYER {
        return false;
    }
    battle.find_unit(track.target_id).is_some_and(|target| {
        target.identity.kind == unit_kind::SHIP
            && target.is_present()
            && battle.are_enemies(unit.identity.team, target.identity.team)
    })
}

#[inline]
fn allow(mask: &mut [u8], head: usize, option: usize) {
    mask[HEAD_OFFSETS[head] + option] = 1;
}

fn allow_helm(mask: &mut [u8], unit: &Unit, limit_ms: f64) {
    if unit.is_docked() {
        return;
    }
    let whole = |head: usize| HEAD_OFFSETS[head]..HEAD_OFFSETS[head] + HEAD_SIZES[head];
    if limit_ms > 0.0 {
        mask[whole(head::THROTTLE)].fill(1);
    }
    mask[whole(head::RUDDER)].fill(1);
}

fn allow_depth(mask: &mut [u8], battle: &Battle, unit: usize) {
    for (order, direction) in LAYER_ORDERS {
        if accepts(battle, unit, direction) {
            allow(mask, head::LAYER, order);
        }
    }
}

fn allow_emissions(mask: &mut [u8], unit: &Unit) {
    for order in emissions_order::SILENT..=emissions_order::ACTIVE {
        if order as i64 - 1 != unit.posture.emissions {
            allow(mask, head::EMISSIONS, order);
        }
    }
}

fn allow_weapons(mask: &mut [u8], engagement: &Engagement<'_>) {
    for group in weapon_order::HOLD + 1..weapon_order::FREE {
        if engagement.can_fire(group as i64) {
            allow(mask, head::WEAPON, group);
        }
    }
    if FREE_FIRE.as_slice().iter().any(|&group| engagement.can_fire(group)) {
        allow(mask, head::WEAPON, weapon_order::FREE);
    }
}

fn allow_targets(mask: &mut [u8], order: &ContactOrder) {
    for row in 0..order.count().min(HOSTILE_ROWS) {
        allow(mask, head::TARGET, 1 + row);
    }
}

fn allow_support(mask: &mut [u8], battle: &Battle, unit: usize, order: &ContactOrder) {
    for focus in 0..FOCI {
        if focus as i64 != battle.units[unit].posture.dc_focus {
            allow(mask, head::SUPPORT, support_order::DC_BALANCED + focus);
        }
    }
    if can_launch_decoy(battle, unit) {
        allow(mask, head::SUPPORT, support_order::DECOY);
    }
    if boardable_among(battle, unit, order, None).is_some() {
        allow(mask, head::SUPPORT, support_order::BOARD);
    }
    if can_scuttle(battle, unit) {
        allow(mask, head::SUPPORT, support_order::SCUTTLE);
    }
}
