//! Midnight: deliveries, rent, a new working day, and the judgment of the day that has passed.

use crate::codes::{item, price, role};
use crate::events::EventKind;
use crate::setup::Setup;
use crate::state::town::Town;
use crate::systems::hiring::{reset_shifts, take_applications};
use crate::systems::kpis::close_window;
use crate::systems::lifecycle::judge_day;

/// Begins a new day, if one begins.
pub fn roll_over(town: &mut Town, setup: &Setup) {
    if town.tod() != 0 || town.tick == 0 {
        return;
    }
    restock(town, setup);
    collect_rent(town, setup);
    reset_shifts(town, setup);
    take_applications(town, setup);
    judge_day(town, setup);
    close_window(town, setup);
}

/// Delivers meals to public fridges and groceries to tills.
pub fn restock(town: &mut Town, setup: &Setup) {
    let (rule, tables) = (&setup.config.economy.restock, &setup.tables);
    for (object, row) in tables.objects.iter().enumerate() {
        let does =
            |role: usize| tables.by_type[row.r#type as usize].iter().any(|&kind| kind as i64 == tables.roles[role]);
        if does(role::EAT) && !row.is_residents {
            deliver(town, object, item::MEALS, rule.cafe_meals, rule.cafe_meals_cap);
        }
        if does(role::BUY) {
            deliver(town, object, item::GROCERIES, rule.till_groceries, rule.till_groceries_cap);
        }
    }
}

/// Pays stipends, then takes rent; who cannot pay falls into arrears.
pub fn collect_rent(town: &mut Town, setup: &Setup) {
    let (rent, stipend) = (town.economy.live[price::RENT], setup.config.economy.stipend_per_day);
    for seat in town.living() {
        let citizen = town.citizen_mut(seat);
        let number = citizen.number as f64;
        citizen.wallet += stipend;
        if citizen.wallet >= rent {
            citizen.wallet -= rent;
            citizen.decline.rent_arrears = 0;
            town.record(EventKind::RentPaid, &[number, rent]);
        } else {
            citizen.decline.rent_arrears += 1;
            let arrears = citizen.decline.rent_arrears;
            town.record(EventKind::RentMissed, &[number, arrears as f64]);
        }
    }
}

fn deliver(town: &mut Town, object: usize, item: usize, amount: i64, cap: i64) {
    let held = &mut town.objects[object].stock[item];
    let before = *held;
    *held = before.max(cap.min(before + amount));
    let delivered = *held - before;
    town.record(EventKind::StockReplenish, &[object as f64, item as f64, delivered as f64]);
}
