//! A new town: empty books, and the first population in it.

use std::collections::BTreeMap;

use crate::codes::{NEVER, NOBODY};
use crate::config::SimulationConfig;
use crate::curiosity::Visits;
use crate::events::EventLog;
use crate::setup::Setup;
use crate::state::employment::EmploymentLedger;
use crate::state::kpis::TickReport;
use crate::state::ledgers::{EconomyState, EmbeddingPool, LifecycleLedger, LiveRules, QueueMetrics, SocialLedger};
use crate::state::objects::ObjectState;
use crate::state::perturbations::PerturbationState;
use crate::state::town::Town;
use crate::streams::Streams;
use crate::systems::kpis::open_window;
use crate::systems::spawning::populate;

/// Builds a town at tick 0, before its first stage, with as many citizens as configured.
#[must_use]
pub fn open_town(setup: &Setup, seed: u64) -> Town {
    let mut town = empty_town(setup, seed);
    populate(&mut town, setup);
    town
}

/// Builds a town without anybody in it.
#[must_use]
pub fn empty_town(setup: &Setup, seed: u64) -> Town {
    let Setup { tables, config } = setup;
    let (seats, slots) = (config.world.seats, config.embedding_allocator.max_slots);
    let prices = config.economy.prices();
    Town {
        seed,
        streams: Streams::of_seed(seed),
        tick: 0,
        next_number: 0,
        seats: vec![None; seats],
        objects: tables.objects.iter().map(|row| ObjectState::new(&row.stock, seats)).collect(),
        economy: EconomyState { baselines: prices, live: prices, outages: [0; 2] },
        rules: live_rules(config),
        employment: EmploymentLedger::default(),
        lifecycle: LifecycleLedger::of_seats(seats),
        embedding: EmbeddingPool {
            holders: vec![NOBODY; slots],
            released: vec![NEVER; slots],
            allocations_total: 0,
            forced_reuse_count: 0,
        },
        perturbations: PerturbationState::of_rows(tables.perturbations.len()),
        queues: QueueMetrics::default(),
        social: SocialLedger { meal_ticks: vec![NEVER; seats * seats], ..SocialLedger::default() },
        kpis: open_window(seats, 0),
        occupancy: vec![0; tables.map.walkable.len()],
        events: EventLog::default(),
        custom_names: BTreeMap::new(),
        report: TickReport::of_seats(seats),
        intrinsic: vec![0.0; seats],
        visits: Visits::new(),
        ticks_per_day: config.world.ticks_per_day,
    }
}

/// The rules an operator may change, as configured.
#[must_use]
pub const fn live_rules(config: &SimulationConfig) -> LiveRules {
    let rule = &config.lifecycle;
    LiveRules {
        mortality: true,
        max_exits_per_day: rule.max_exits_per_day,
        daily_exit_cap: config.employment.daily_exit_cap,
        spawn_delay_min: rule.spawn_delay_ticks.0,
        spawn_delay_max: rule.spawn_delay_ticks.1,
        collapse_threshold: rule.collapse.threshold,
        collapse_ticks: rule.collapse.ticks,
    }
}
