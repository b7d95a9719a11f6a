//! Prices: baselines, spikes, and whether a day's wage still buys a day.

use crate::codes::{PRICES, perturbation_kind, price};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::tables::affordances::Terms;

const MEALS_PER_DAY: f64 = 3.0;
const SHOWERS_PER_DAY: f64 = 2.0;
/// Told where a day costs nothing.
const ENDLESS_RATIO: f64 = 1e9;

/// What an amount comes to at this moment's prices.
#[inline]
#[must_use]
pub fn amount_of(town: &Town, setup: &Setup, terms: &Terms) -> f64 {
    let mut total = terms.constant;
    for &(field, factor) in &terms.fields {
        total += factor * economy_value(town, setup, field);
    }
    total
}

/// Value of an economy field by its place: the live prices, then what cooking takes, then the wage.
#[must_use]
pub fn economy_value(town: &Town, setup: &Setup, field: usize) -> f64 {
    if field < PRICES {
        return town.economy.live[field];
    }
    let economy = &setup.config.economy;
    [economy.cook_energy_cost, economy.cook_hygiene_cost, economy.wage_income][field - PRICES]
}

/// Gives a price a new baseline.
pub fn set_baseline(town: &mut Town, setup: &Setup, price: usize, value: f64) {
    town.economy.baselines[price] = value;
    refresh_prices(town, 1 << price);
    warn_of_wages(town, setup);
}

/// Works out live prices anew: baseline times the factors of running spikes, in the order they started.
///
/// `prices` has a bit for every price to work out.
pub fn refresh_prices(town: &mut Town, prices: i64) {
    for place in (0..PRICES).filter(|place| prices >> place & 1 == 1) {
        let baseline = town.economy.baselines[place];
        let mut value = baseline;
        for event in &town.perturbations.active {
            if event.kind == perturbation_kind::PRICE_SPIKE && event.prices >> place & 1 == 1 {
                value *= event.magnitude;
            }
        }
        town.economy.live[place] = value;
        town.record(EventKind::EconomyPriceUpdate, &[place as f64, baseline, value]);
    }
}

/// Tells of every job that buys less than a day at live prices, or far more.
pub fn warn_of_wages(town: &mut Town, setup: &Setup) {
    let basket = basket_cost(&town.economy.live);
    let rule = &setup.config.economy;
    for job in &setup.tables.jobs {
        let rate = if job.wage_rate == 0.0 { rule.wage_income } else { job.wage_rate };
        let ratio = wage_ratio(job.end - job.start, rate, basket);
        if !(rule.slack_min <= ratio && ratio <= rule.slack_max) {
            let told = if ENDLESS_RATIO < ratio { ENDLESS_RATIO } else { ratio };
            town.record(EventKind::EconomyWarning, &[job.index as f64, told]);
        }
    }
}

/// What a day costs: rent, three meals and two showers.
#[must_use]
pub fn basket_cost(prices: &[f64; PRICES]) -> f64 {
    prices[price::RENT] + MEALS_PER_DAY * prices[price::MEAL] + SHOWERS_PER_DAY * prices[price::SHOWER]
}

/// A day's wage over what a day costs; endless where a day costs nothing.
#[must_use]
pub fn wage_ratio(shift_ticks: i64, wage_rate: f64, basket: f64) -> f64 {
    if basket > 0.0 { shift_ticks as f64 * wage_rate / basket } else { f64::INFINITY }
}
