//! What a captain wants, and the decision that comes nearest to it.

use kernel::numerics::{PI, clamp, wrap};

use super::view::{HALF_MAP_M, Sighting, View, first_least};
use crate::codes::weapon_group;
use crate::contract::{
    HEADS, KEEP_TARGET, NOOPS, RUDDERS, THROTTLES, emissions_order, head, layer_order, support_order, weapon_order,
};
use crate::layout::{env, own};
use crate::scripts::course::{DODGE_M, DODGE_SUBMARINE_M, EDGE_M, RUDDER_SPAN, WORTH_A_FOCUS};
use crate::scripts::targeting::TORPEDO_SHARE;

/// Free fire without torpedoes: the first of these that the mask has.
const SPARING: [i64; 3] = [weapon_group::GUN, weapon_group::MISSILE, weapon_group::ASW];

/// How near a contact must be for torpedoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Torpedoes {
    /// Well within their range, as scripts do it.
    Kept,
    /// Anywhere within it.
    WithinReach,
}

/// A course off the bow, positive to port, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    /// Where to steer.
    pub bearing: f64,
    /// 0 to 1.
    pub throttle: f64,
    /// Option of the emissions head.
    pub emissions: usize,
    /// Whether weapons stay silent.
    pub holds_fire: bool,
    /// When torpedoes are launched.
    pub torpedoes: Torpedoes,
    /// Range within which torpedoes are dodged; none for the scripts'.
    pub dodge_m: Option<f64>,
    /// Radians off the course straight away from a torpedo.
    pub dodge_off: f64,
    /// Whether damage control works on systems while neither fire nor water is worse.
    pub repairs: bool,
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            bearing: 0.0,
            throttle: 0.0,
            emissions: emissions_order::KEEP,
            holds_fire: false,
            torpedoes: Torpedoes::Kept,
            dodge_m: None,
            dodge_off: 0.0,
            repairs: false,
        }
    }
}

/// One option per head; a torpedo comes first, then the edge of the map.
pub(super) fn decide(view: &View<'_>, wish: &Wish) -> [i32; HEADS] {
    let threat = to_dodge(view, wish);
    let (bearing, throttle) = match threat {
        Some(threat) => (threat.bearing + PI + wish.dodge_off, THROTTLES[THROTTLES.len() - 1]),
        None if view.env(env::EDGE) * HALF_MAP_M < EDGE_M => (view.center_bearing(), wish.throttle),
        None => (wish.bearing, wish.throttle),
    };
    let mut decision = [0; HEADS];
    decision[head::THROTTLE] = nearest_step(&THROTTLES, throttle);
    decision[head::RUDDER] = nearest_step(&RUDDERS, clamp(wrap(bearing) / RUDDER_SPAN, -1.0, 1.0));
    decision[head::LAYER] = layer_order::HOLD;
    decision[head::EMISSIONS] = wish.emissions;
    decision[head::WEAPON] = weapon(view, wish);
    decision[head::TARGET] = view.best.map_or(KEEP_TARGET, |seen| 1 + seen.row);
    decision[head::SUPPORT] = support(view, wish, threat.is_some());
    std::array::from_fn(|head| if view.allows(head, decision[head]) { decision[head] as i32 } else { NOOPS[head] })
}

fn to_dodge(view: &View<'_>, wish: &Wish) -> Option<Sighting> {
    let usual_m = if view.hull.is_submarine { DODGE_SUBMARINE_M } else { DODGE_M };
    view.threat.filter(|threat| threat.range_m <= wish.dodge_m.unwrap_or(usual_m))
}

fn weapon(view: &View<'_>, wish: &Wish) -> usize {
    let Some(seen) = view.best.filter(|_| !wish.holds_fire) else {
        return weapon_order::HOLD;
    };
    let torpedo_m = match wish.torpedoes {
        Torpedoes::Kept => TORPEDO_SHARE * view.hull.torpedo_m,
        Torpedoes::WithinReach => view.hull.torpedo_m,
    };
    if seen.range_m < torpedo_m {
        return weapon_order::FREE;
    }
    let mut allowed = SPARING.into_iter().map(|order| order as usize).filter(|&order| view.allows(head::WEAPON, order));
    allowed.next().unwrap_or(weapon_order::HOLD)
}

fn support(view: &View<'_>, wish: &Wish, is_dodging: bool) -> usize {
    if is_dodging && view.allows(head::SUPPORT, support_order::DECOY) {
        support_order::DECOY
    } else if view.own(own::FIRE) > WORTH_A_FOCUS {
        support_order::DC_FIRE
    } else if view.own(own::FLOOD) > WORTH_A_FOCUS {
        support_order::DC_FLOOD
    } else if wish.repairs {
        support_order::DC_REPAIR
    } else {
        support_order::DC_BALANCED
    }
}

/// The option whose step lies nearest to a value; of equally near ones the first.
fn nearest_step(steps: &[f64], value: f64) -> usize {
    first_least(0..steps.len(), |&option| (steps[option] - value).abs()).unwrap_or_default()
}
