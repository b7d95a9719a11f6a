//! From a decision, one option per head, to the orders of a tick.

use crate::codes::{dc_focus, weapon_group};
use crate::components::Track;
use crate::contract::{
    HEAD_NAMES, HEAD_SIZES, HEADS, HELD_OPTIONS, KEEP_TARGET, NOOPS, RUDDERS, THROTTLES, emissions_order, head,
    layer_order, support_order, weapon_order,
};
use crate::layout::HOSTILE_ROWS;
use crate::masks::{boardable_track, is_allowed};
use crate::orders::{FREE_FIRE, Groups, Order};
use crate::outputs::LayerDirection;
use crate::state::{Battle, Unit};

const FOCI: [i64; 4] = [dc_focus::BALANCED, dc_focus::FIRE, dc_focus::FLOOD, dc_focus::REPAIR];
const GROUP_CODES: [i64; 7] = [
    weapon_group::AUTOMATIC,
    weapon_group::GUN,
    weapon_group::TORPEDO,
    weapon_group::MISSILE,
    weapon_group::ASW,
    weapon_group::MINE,
    weapon_group::AIR,
];

/// A decision whose options exist.
pub type Decision = [usize; HEADS];

/// Refuses options that do not exist.
///
/// # Errors
/// With the head and the option; the message starts with C002.
pub fn check_decision(options: &[i32]) -> Result<Decision, String> {
    if options.len() != HEADS {
        return Err(format!("C002 a decision has {} options; it must have {HEADS}", options.len()));
    }
    let mut decision = [0; HEADS];
    for (place, &option) in options.iter().enumerate() {
        let most = HEAD_SIZES[place] - 1;
        match usize::try_from(option) {
            Ok(option) if option <= most => decision[place] = option,
            _ => return Err(format!("C002 {} is {option}; it must be 0 to {most}", HEAD_NAMES[place])),
        }
    }
    Ok(decision)
}

/// Turns a decision into orders; rows mean the contacts of the last observation.
#[must_use]
pub fn order_of(battle: &Battle, unit: usize, decision: &Decision) -> Order {
    let own = &battle.units[unit];
    let track = named_track(own, decision[head::TARGET]);
    let support = decision[head::SUPPORT];
    let is_boarding = support == support_order::BOARD;
    let boarded = if is_boarding { boardable_track(battle, unit, track).map_or(0, |track| track.target_id) } else { 0 };
    let is_row_empty = decision[head::TARGET] != KEEP_TARGET && track.is_none();
    let is_board_empty = is_boarding && boarded == 0;
    Order {
        throttle: THROTTLES[decision[head::THROTTLE]],
        rudder: RUDDERS[decision[head::RUDDER]],
        layer: direction_of(decision[head::LAYER]),
        emissions: emissions_of(decision[head::EMISSIONS]),
        groups: groups_of(decision[head::WEAPON]),
        track_id: track.map_or(0, |track| track.track_id),
        focus: focus_of(support),
        decoy: support == support_order::DECOY,
        board_id: boarded,
        scuttle: support == support_order::SCUTTLE,
        invalid: i64::from(is_row_empty) + i64::from(is_board_empty),
    }
}

/// What a decision orders on a tick after its first: what is held and the mask allows, else the no-op.
#[must_use]
pub fn repeated(battle: &Battle, unit: usize, decision: &Decision) -> Decision {
    std::array::from_fn(|place| {
        let option = decision[place];
        let is_held = HELD_OPTIONS[place].contains(&option) && is_allowed(battle, unit, place, option);
        if is_held { option } else { NOOPS[place] as usize }
    })
}

fn named_track(unit: &Unit, option: usize) -> Option<&Track> {
    if option == KEEP_TARGET || option > HOSTILE_ROWS {
        return None;
    }
    unit.tracks.get(unit.memory.contact_rows[option - 1])
}

const fn direction_of(option: usize) -> Option<LayerDirection> {
    match option {
        layer_order::UP => Some(LayerDirection::Up),
        layer_order::DOWN => Some(LayerDirection::Down),
        layer_order::POP_UP => Some(LayerDirection::PopUp),
        _ => None,
    }
}

const fn emissions_of(option: usize) -> Option<i64> {
    if option == emissions_order::KEEP { None } else { Some(option as i64 - 1) }
}

fn groups_of(option: usize) -> Groups {
    match option {
        weapon_order::HOLD => Groups::NONE,
        weapon_order::FREE => FREE_FIRE,
        group => Groups::of(&[GROUP_CODES[group]]),
    }
}

fn focus_of(support: usize) -> Option<i64> {
    support.checked_sub(support_order::DC_BALANCED).and_then(|place| FOCI.get(place).copied())
}
