//! Notions the scripted pilots share: where to go, what to sell, how to dig.

use super::view::{Asteroid, Neighbor, View};
use crate::constants::{FUEL_COSTS, N_COMMODITIES, OVERHAUL_COST, REFINE_INPUTS, SELL_SHARES};
use crate::tables::{act, obs};

const HALF: usize = 1; // portions of a sale
const ALL: usize = 2;
const WORTH_REFINING: f64 = 0.0025; // share of the hold
const TOO_HOT_TO_REFINE: f64 = 0.62;
const LAST_REFINING: f64 = 0.03; // share of time left

/// Sells half of what fills most of the hold, or all of a small rest; nothing if the hold is empty.
pub(super) fn sell_largest(view: View<'_>) -> Option<usize> {
    let cargo = view.commodities(obs::CARGO_BY_COMMODITY_FRAC);
    let (commodity, share) = first_best(0..N_COMMODITIES, |&commodity| cargo[commodity])?;
    let portion = if share < 0.02 { ALL } else { HALF };
    (share > 0.0008).then(|| usize::from(act::SELL_COMMODITY) + SELL_SHARES.len() * commodity + portion)
}

/// The next action that readies the ship for a trip; none if it is ready.
pub(super) fn refit(view: View<'_>) -> Option<usize> {
    let [_, fuel_med_cost, fuel_large_cost] = FUEL_COSTS;
    let (fuel, credits) = (view.at(obs::FUEL_FRAC), view.credits());
    let is_worn = view.at(obs::HULL_FRAC) < 0.75 || view.at(obs::TOOL_FRAC) < 0.85;
    let action = if is_worn && credits >= OVERHAUL_COST {
        act::FULL_REPAIR_OVERHAUL
    } else if fuel < 0.75 && credits >= fuel_large_cost {
        act::BUY_FUEL_LARGE
    } else if fuel < 0.60 && credits >= fuel_med_cost {
        act::BUY_FUEL_MED
    } else if view.at(obs::ALERT_FRAC) > 1e-6 {
        act::DOCK
    } else if view.at(obs::HEAT_FRAC) > 0.20 {
        act::HOLD_DRIFT
    } else {
        return None;
    };
    Some(usize::from(action))
}

/// Scores a way by the danger and the fuel it costs.
pub(super) fn trip_score(neighbor: &Neighbor) -> f64 {
    let exposure = -8.0 * neighbor.time * (0.35 * neighbor.threat + 0.15);
    exposure - 1.6 * neighbor.fuel - if neighbor.is_hazard { 1.5 } else { 0.0 }
}

/// Selects a rock, then digs it as hard as it seems to bear.
pub(super) fn dig(view: View<'_>, target: &Asteroid) -> usize {
    if !target.is_selected {
        return usize::from(act::SELECT_ASTEROID) + target.slot;
    }
    let is_safe = target.stability > 0.75 && view.at(obs::TOOL_FRAC) > 0.7 && view.at(obs::HEAT_FRAC) < 0.5;
    usize::from(if is_safe { act::MINE_STANDARD_SELECTED } else { act::MINE_CONSERVATIVE_SELECTED })
}

/// The selected rock while it is worth a dig, or else the best that is; none if no rock is.
pub(super) fn rock_to_dig(view: View<'_>, worth_a_dig: f64) -> Option<Asteroid> {
    let prices = view.prices_in_credits();
    let income = |rock: &Asteroid| 0.8 * (1.0 - rock.depletion) * rock.unit_value(&prices);
    let rocks = || view.asteroids().filter(|rock| !rock.is_gone() && income(rock) >= worth_a_dig);
    rocks().find(|rock| rock.is_selected).or_else(|| first_best(rocks(), income).map(|(rock, _)| rock))
}

/// The action that leaves for a neighbor; with nowhere to go the ship holds.
pub(super) fn travel(neighbor: Option<Neighbor>) -> usize {
    neighbor.map_or(usize::from(act::HOLD_DRIFT), |neighbor| usize::from(act::TRAVEL_NEIGHBOR) + neighbor.slot)
}

/// The item of the highest score, and the score; of equal ones the first.
pub(super) fn first_best<T>(items: impl Iterator<Item = T>, score: impl Fn(&T) -> f64) -> Option<(T, f64)> {
    items.map(|item| (score(&item), item)).fold(None, |best, (score, item)| match best {
        Some((_, highest)) if highest >= score => best,
        _ => Some((item, score)),
    })
}

/// Refines while there is cheap metal aboard, and lets the ship cool in between.
pub(super) fn refine(view: View<'_>) -> Option<usize> {
    let cargo = view.commodities(obs::CARGO_BY_COMMODITY_FRAC);
    let metal = REFINE_INPUTS.iter().fold(0.0, |metal, &commodity| metal + cargo[commodity]);
    if metal <= WORTH_REFINING || view.at(obs::FUEL_FRAC) < 0.10 || view.at(obs::TIME_FRAC) < LAST_REFINING {
        return None;
    }
    let action = if view.at(obs::HEAT_FRAC) < TOO_HOT_TO_REFINE {
        act::REFINE_ONBOARD
    } else if view.at(obs::ALERT_FRAC) > 1e-6 {
        act::DOCK
    } else {
        act::HOLD_DRIFT
    };
    Some(usize::from(action))
}
