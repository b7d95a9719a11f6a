//! The last step told in full, with names: the cold path beside the buffers.

use kernel::record::{Named, StepRecord, Value};

use crate::config::RewardProfile;
use crate::events::{Cause, Deed, Event, Happenings, Item, MineMode, Repaired, ScanMode, events_of};
use crate::metrics::metrics_of;
use crate::state::State;
use crate::step::LastStep;
use crate::tables::{COMMODITY_NAMES, N_METRICS};

/// What a record tells about the state after the step; kept when the episode is reset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub metrics: [f64; N_METRICS],
    pub draws: u64,
    seed: u64,
    time_remaining: f64,
    ticks: u32,
    total_spend: f64,
    gross_revenue: f64,
    credits: f64,
    node: u8,
    is_docked: bool,
}

impl Summary {
    pub fn of(state: &State) -> Self {
        Self {
            metrics: metrics_of(state),
            draws: state.rng.draws(),
            seed: state.seed,
            time_remaining: state.time_remaining,
            ticks: state.ticks,
            total_spend: state.counters.total_spend,
            gross_revenue: state.counters.gross_revenue,
            credits: state.ship.credits,
            node: state.ship.node,
            is_docked: state.ship.is_docked(),
        }
    }
}

/// Tells a step.
pub(crate) fn step_record(last: &LastStep, after: &Summary, profile: RewardProfile) -> StepRecord {
    StepRecord {
        received: vec![Some(vec![last.received])],
        effective: vec![Some(vec![i32::from(last.action)])],
        rewards: vec![last.reward],
        reward_terms: vec![last.terms.named(profile)],
        terminated: vec![last.ending.is_terminated()],
        truncated: vec![last.ending.is_truncated()],
        metrics: vec![after.metrics.to_vec()],
        dt: u16::from(last.dt),
        events: events_of(u64::from(last.happenings.bits)),
        event_data: payloads(last, after),
        info: info(last, after),
        draws: after.draws,
    }
}

/// Describes an episode that has not been stepped yet.
pub(crate) fn opening_record(at_start: &Summary) -> StepRecord {
    StepRecord {
        received: vec![None],
        effective: vec![None],
        rewards: vec![0.0],
        reward_terms: vec![Vec::new()],
        terminated: vec![false],
        truncated: vec![false],
        metrics: vec![at_start.metrics.to_vec()],
        dt: 0,
        events: Vec::new(),
        event_data: Vec::new(),
        info: info(&LastStep::NONE, at_start),
        draws: at_start.draws,
    }
}

fn info(last: &LastStep, after: &Summary) -> Named<Value> {
    vec![
        ("invalid_action", Value::Flag(last.is_invalid)),
        ("destroyed", Value::Flag(last.ending.is_destroyed)),
        ("stranded", Value::Flag(last.ending.is_stranded)),
        ("end_reason", last.ending.reason().map_or(Value::Null, Value::Text)),
        ("time_remaining", Value::Float(after.time_remaining)),
        ("ticks", Value::Int(i64::from(after.ticks))),
        ("total_spend", Value::Float(after.total_spend)),
        ("gross_revenue", Value::Float(after.gross_revenue)),
        ("node_context", Value::Text(if after.is_docked { "station" } else { "field" })),
        ("seed", Value::Unsigned(after.seed)),
    ]
}

fn payloads(last: &LastStep, after: &Summary) -> Named<Named<Value>> {
    let happenings = &last.happenings;
    let in_bit_order = [
        happenings.has(Event::InvalidAction).then(|| ("invalid_action", vec![("received", int(last.received))])),
        deed_payload(&happenings.deed),
        happenings.has(Event::Fracture).then(|| fracture_payload(happenings)),
        happenings
            .has(Event::AsteroidDepleted)
            .then(|| ("asteroid_depleted", vec![("asteroid", int(mined_asteroid(happenings)))])),
        late_deed_payload(&happenings.deed),
        happenings.has(Event::PirateEncounter).then(|| toll_payload(happenings)),
        happenings.has(Event::OverheatTick).then(|| overheat_payload(happenings)),
        happenings.has(Event::CashOut).then(|| ("cash_out", vec![("credits", Value::Float(after.credits))])),
        happenings
            .has(Event::Destroyed)
            .then(|| ("destroyed", vec![("cause", Value::Text(cause_name(happenings.cause)))])),
        happenings.has(Event::Stranded).then(|| ("stranded", vec![("node", int(after.node))])),
    ];
    in_bit_order.into_iter().flatten().collect()
}

/// Payload of a deed whose event comes before those of a broken asteroid.
fn deed_payload(deed: &Deed) -> Option<(&'static str, Named<Value>)> {
    match *deed {
        Deed::Travel { from, to, slot, fuel } => Some((
            "travel",
            vec![("from", int(from)), ("to", int(to)), ("slot", int(slot)), ("fuel", Value::Float(fuel))],
        )),
        Deed::Scan { mode, asteroids } => {
            let mode = match mode {
                ScanMode::Wide => "wide",
                ScanMode::Focused => "focused",
                ScanMode::Deep => "deep",
            };
            Some(("scan", vec![("mode", Value::Text(mode)), ("asteroids", int(asteroids))]))
        }
        Deed::Select { asteroid } => Some(("select", vec![("asteroid", int(asteroid))])),
        Deed::Mine { mode, units, total, .. } => {
            let mode = match mode {
                MineMode::Conservative => "conservative",
                MineMode::Standard => "standard",
                MineMode::Aggressive => "aggressive",
            };
            let units = Value::Floats(units.to_vec());
            Some(("mine", vec![("mode", Value::Text(mode)), ("units", units), ("total", Value::Float(total))]))
        }
        _ => None,
    }
}

/// Payload of a deed whose event comes after those of a broken asteroid.
fn late_deed_payload(deed: &Deed) -> Option<(&'static str, Named<Value>)> {
    match *deed {
        Deed::Stabilize { asteroid } => Some(("stabilize", vec![("asteroid", int(asteroid))])),
        Deed::Refine { input, output } => {
            Some(("refine", vec![("input", Value::Float(input)), ("output", Value::Float(output))]))
        }
        Deed::Repair { what, amount } => {
            let what = match what {
                Repaired::Tool => "tool",
                Repaired::Hull => "hull",
            };
            Some(("repair", vec![("what", Value::Text(what)), ("amount", Value::Float(amount))]))
        }
        Deed::Jettison { commodity, units } => {
            Some(("jettison", vec![("commodity", commodity_name(commodity)), ("units", Value::Float(units))]))
        }
        Deed::Sell { commodity, units, price, slippage, revenue } => Some((
            "sell",
            vec![
                ("commodity", commodity_name(commodity)),
                ("units", Value::Float(units)),
                ("price", Value::Float(price)),
                ("slippage", Value::Float(slippage)),
                ("revenue", Value::Float(revenue)),
            ],
        )),
        Deed::Buy { item, quantity, cost } => {
            let item = match item {
                Item::Fuel => "fuel",
                Item::RepairKit => "repair_kit",
                Item::Stabilizer => "stabilizer",
                Item::Decoy => "decoy",
            };
            let (quantity, cost) = (Value::Float(quantity), Value::Float(cost));
            Some(("buy", vec![("item", Value::Text(item)), ("quantity", quantity), ("cost", cost)]))
        }
        Deed::Overhaul { cost } => Some(("overhaul", vec![("cost", Value::Float(cost))])),
        _ => None,
    }
}

fn fracture_payload(happenings: &Happenings) -> (&'static str, Named<Value>) {
    let hull = Value::Float(happenings.fracture_hull);
    ("fracture", vec![("asteroid", int(mined_asteroid(happenings))), ("hull", hull)])
}

fn toll_payload(happenings: &Happenings) -> (&'static str, Named<Value>) {
    let toll = &happenings.toll;
    let payload = vec![
        ("count", int(toll.count)),
        ("loss_frac", Value::Float(toll.loss_frac)),
        ("value_lost", Value::Float(toll.value_lost)),
        ("hull", Value::Float(toll.hull)),
        ("decoy_used", int(toll.decoy_used)),
    ];
    ("pirate_encounter", payload)
}

fn overheat_payload(happenings: &Happenings) -> (&'static str, Named<Value>) {
    let overflow = Value::Float(happenings.overheat_overflow);
    ("overheat_tick", vec![("overflow", overflow), ("hull", Value::Float(happenings.overheat_hull))])
}

fn mined_asteroid(happenings: &Happenings) -> i32 {
    match happenings.deed {
        Deed::Mine { asteroid, .. } => i32::from(asteroid),
        _ => -1,
    }
}

fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::EdgeHazard => "edge_hazard",
        Cause::NodeHazard => "node_hazard",
        Cause::Pirate => "pirate",
        Cause::Fracture => "fracture",
        Cause::Overheat => "overheat",
    }
}

fn commodity_name(commodity: u8) -> Value {
    Value::Text(COMMODITY_NAMES[usize::from(commodity)])
}

fn int(value: impl Into<i64>) -> Value {
    Value::Int(value.into())
}
