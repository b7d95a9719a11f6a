//! `economy`: prices and restocking.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

use crate::codes::PRICES;

/// What is delivered at the start of a day.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Restock {
    pub cafe_meals: i64,
    pub cafe_meals_cap: i64,
    pub till_groceries: i64,
    pub till_groceries_cap: i64,
}

/// Prices and incomes, in coins.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Economy {
    pub meal_cost: f64,
    pub ingredients_cost: f64,
    pub shower_cost: f64,
    pub rent_per_day: f64,
    pub cook_energy_cost: f64,
    pub cook_hygiene_cost: f64,
    pub wage_income: f64,
    pub restock: Restock,
    pub stipend_per_day: f64,
    pub slack_min: f64,
    pub slack_max: f64,
}

impl Economy {
    /// Baselines in the order of the prices.
    #[must_use]
    pub const fn prices(&self) -> [f64; PRICES] {
        [self.meal_cost, self.ingredients_cost, self.shower_cost, self.rent_per_day]
    }
}
