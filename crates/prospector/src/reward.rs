//! The two reward profiles: terms in the order they are summed.

use kernel::numerics::fmax;

use crate::config::{Config, RewardProfile};
use crate::constants::{
    BANKED_WEIGHT, CREDITS_UNIT, DAMAGE_UNIT, DAMAGE_WEIGHT, DESTROYED_TERM, EXTRACT_WEIGHT, FUEL_UNIT, FUEL_WEIGHT,
    HEAT_FREE, HEAT_UNIT, HEAT_WEIGHT, PIRATE_WEIGHT, PRICE_BASE, SCAN_TERM, STRANDED_TERM, TIME_WEIGHT,
    V2_DAMAGE_WEIGHT, V2_DESTROYED_TERM, V2_ORE_WEIGHT, V2_STRANDED_TERM, V2_TIME_WEIGHT, WEAR_UNIT, WEAR_WEIGHT,
};
use crate::ending::Ending;
use crate::state::State;
use crate::tables::{REWARD_TERMS_V1, REWARD_TERMS_V2, act};

const MAX_TERMS: usize = REWARD_TERMS_V1.len();

/// What the reward compares the state after a step with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub credits: f64,
    pub fuel: f64,
    pub hull: f64,
    pub tool: f64,
    hold_value: f64,
    hold_base_value: f64,
    value_lost: f64,
}

impl Before {
    #[inline]
    pub fn of(state: &State, config: &Config) -> Self {
        let ship = &state.ship;
        Self {
            credits: ship.credits,
            fuel: ship.fuel,
            hull: ship.hull,
            tool: ship.tool,
            hold_value: state.hold_value,
            hold_base_value: match config.reward_profile {
                RewardProfile::V1 => 0.0,
                RewardProfile::V2 => ship.cargo_value(&PRICE_BASE),
            },
            value_lost: state.counters.value_lost_to_pirates,
        }
    }
}

/// The terms of one step's reward; profile v2 uses the first seven.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms([f64; MAX_TERMS]);

/// What the reward needs to know about the step beside the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deal {
    pub action: u8,
    pub is_invalid: bool,
    pub dt: f64,
    pub ending: Ending,
}

impl Terms {
    pub const NONE: Self = Self([0.0; MAX_TERMS]);

    /// Computes the terms of the profile in force.
    #[inline]
    pub fn of(before: &Before, state: &State, deal: &Deal, config: &Config) -> Self {
        match config.reward_profile {
            RewardProfile::V1 => Self::v1(before, state, deal, config),
            RewardProfile::V2 => Self::v2(before, state, deal, config),
        }
    }

    fn v1(before: &Before, state: &State, deal: &Deal, config: &Config) -> Self {
        let ship = &state.ship;
        let heat_excess = fmax(0.0, ship.heat - HEAT_FREE) / HEAT_UNIT;
        let is_scan = (act::WIDE_SCAN..=act::DEEP_SCAN_SELECTED).contains(&deal.action);
        Self([
            (ship.credits - before.credits) / CREDITS_UNIT,
            EXTRACT_WEIGHT * fmax(0.0, state.hold_value - before.hold_value) / CREDITS_UNIT,
            FUEL_WEIGHT * fmax(0.0, before.fuel - ship.fuel) / FUEL_UNIT,
            TIME_WEIGHT * deal.dt,
            WEAR_WEIGHT * fmax(0.0, before.tool - ship.tool) / WEAR_UNIT,
            HEAT_WEIGHT * heat_excess * heat_excess,
            DAMAGE_WEIGHT * fmax(0.0, before.hull - ship.hull) / DAMAGE_UNIT,
            if is_scan { SCAN_TERM } else { 0.0 },
            if deal.is_invalid { -config.invalid_action_pen } else { 0.0 },
            PIRATE_WEIGHT * (state.counters.value_lost_to_pirates - before.value_lost) / CREDITS_UNIT,
            if deal.ending.is_over() { terminal_v1(deal.ending, ship.credits) } else { 0.0 },
        ])
    }

    fn v2(before: &Before, state: &State, deal: &Deal, config: &Config) -> Self {
        let ship = &state.ship;
        let heat_excess = fmax(0.0, ship.heat - HEAT_FREE) / HEAT_UNIT;
        let ending = deal.ending;
        // Ore that is unsold when the episode ends is worth nothing.
        let hold_base_value = if ending.is_over() { 0.0 } else { ship.cargo_value(&PRICE_BASE) };
        let terminal = match ending {
            Ending { is_destroyed: true, .. } => V2_DESTROYED_TERM,
            Ending { is_stranded: true, .. } => V2_STRANDED_TERM,
            _ => 0.0,
        };
        let mut terms = [0.0; MAX_TERMS];
        terms[..REWARD_TERMS_V2.len()].copy_from_slice(&[
            (ship.credits - before.credits) / CREDITS_UNIT,
            V2_ORE_WEIGHT * (hold_base_value - before.hold_base_value) / CREDITS_UNIT,
            V2_TIME_WEIGHT * deal.dt,
            V2_DAMAGE_WEIGHT * fmax(0.0, before.hull - ship.hull),
            HEAT_WEIGHT * heat_excess * heat_excess,
            if deal.is_invalid { -config.invalid_action_pen } else { 0.0 },
            terminal,
        ]);
        Self(terms)
    }

    /// The reward: all terms, summed from the first to the last.
    #[inline]
    pub fn sum(&self) -> f64 {
        // Adding the zeros that pad profile v2 changes nothing.
        self.0[1..].iter().fold(self.0[0], |sum, term| sum + term)
    }

    /// Terms by name.
    pub fn named(&self, profile: RewardProfile) -> Vec<(&'static str, f64)> {
        names(profile).iter().copied().zip(self.0).collect()
    }

    /// The terms of a profile, in their order.
    pub fn of_profile(&self, profile: RewardProfile) -> &[f64] {
        &self.0[..names(profile).len()]
    }
}

const fn names(profile: RewardProfile) -> &'static [&'static str] {
    match profile {
        RewardProfile::V1 => &REWARD_TERMS_V1,
        RewardProfile::V2 => &REWARD_TERMS_V2,
    }
}

#[cold]
fn terminal_v1(ending: Ending, credits: f64) -> f64 {
    let mut terminal = 0.0;
    if ending.is_stranded {
        terminal += STRANDED_TERM;
    }
    if ending.is_destroyed {
        terminal += DESTROYED_TERM;
    }
    if !ending.is_stranded && !ending.is_destroyed {
        terminal += BANKED_WEIGHT * credits / CREDITS_UNIT;
    }
    terminal
}
