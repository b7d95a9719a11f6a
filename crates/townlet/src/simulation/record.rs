//! The last step of a town, in full precision; `worlds/townlet/fast.py` turns its numbers into ids and words.

use kernel::record::{Named, StepRecord, Value};

use super::Townlet;
use crate::codes::NOTHING;
use crate::events::{EVENT_NAMES, Event, EventLog};
use crate::metrics::town_metrics;
use crate::state::kpis::{RewardBreakdown, TickReport};
use crate::state::town::Town;

/// The last step.
pub(super) fn step_record(copy: &Townlet) -> StepRecord {
    record(copy, &copy.report, &copy.numbers, 1)
}

/// An episode that has not been stepped yet.
pub(super) fn opening_record(copy: &Townlet) -> StepRecord {
    let seats = copy.town.seats.len();
    record(copy, &TickReport::of_seats(seats), &vec![NOTHING; seats], 0)
}

fn record(copy: &Townlet, report: &TickReport, numbers: &[i64], dt: u16) -> StepRecord {
    let town = &copy.town;
    let seats = 0..town.seats.len();
    let shared = town_metrics(town, &copy.shared.setup);
    let decided = |action: fn(&Townlet, &TickReport, usize) -> i32| {
        seats.clone().map(|seat| (numbers[seat] != NOTHING).then(|| vec![action(copy, report, seat)])).collect()
    };
    StepRecord {
        received: decided(|copy, _, seat| copy.taken[seat]),
        effective: decided(|_, report, seat| report.effective[seat] as i32),
        rewards: report.rewards.iter().map(|reward| reward.map_or(0.0, |reward| reward.total)).collect(),
        reward_terms: report.rewards.iter().map(|reward| reward.as_ref().map_or_else(Vec::new, terms_of)).collect(),
        terminated: seats.clone().map(|seat| report.has_left(seat)).collect(),
        truncated: seats.clone().map(|seat| numbers[seat] != NOTHING && copy.is_truncated(seat)).collect(),
        metrics: seats.clone().map(|seat| copy.seat_metrics(seat, shared).to_vec()).collect(),
        dt,
        events: names_in_order(&copy.events),
        event_data: Vec::new(),
        info: vec![
            ("tick", Value::Int(town.tick)),
            ("seats", Value::List(seats.map(|seat| who_sits(town, seat)).collect())),
            (
                "exits",
                Value::List(report.exits.iter().map(|&(seat, reason)| exit(seat, numbers[seat], reason)).collect()),
            ),
            ("invalid_action", flags(&report.invalid)),
            ("commit_enforced", flags(&report.commit_enforced)),
            ("events", Value::List(copy.events.entries().iter().map(|event| happening(&copy.events, event)).collect())),
            ("names", Value::List(given_names(town))),
        ],
        draws: town.streams.draws(),
    }
}

fn terms_of(reward: &RewardBreakdown) -> Named<f64> {
    vec![
        ("survival", reward.survival),
        ("needs_penalty", reward.needs_penalty),
        ("shaping", reward.shaping),
        ("wage", reward.wage),
        ("punctuality", reward.punctuality),
        ("social_bonus", reward.social_bonus),
        ("social_penalty", reward.social_penalty),
        ("social_avoidance", reward.social_avoidance),
        ("curiosity", reward.curiosity),
        ("terminal_penalty", reward.terminal_penalty),
        ("clip_adjustment", reward.clip_adjustment),
    ]
}

/// Kinds in the order they first happened.
fn names_in_order(events: &EventLog) -> Vec<&'static str> {
    let (mut seen, mut names) = (0_u64, Vec::new());
    for event in events.entries() {
        let bit = 1 << event.kind as u64;
        if seen & bit == 0 {
            seen |= bit;
            names.push(EVENT_NAMES[event.kind as usize]);
        }
    }
    names
}

/// Number, slot, option, and whether it has just come.
fn who_sits(town: &Town, seat: usize) -> Value {
    town.seats[seat].as_ref().map_or(Value::Null, |citizen| {
        Value::List(vec![
            Value::Int(citizen.number),
            Value::Int(citizen.slot),
            Value::Int(citizen.plan.option),
            Value::Flag(citizen.spawn_tick == town.tick),
        ])
    })
}

fn exit(seat: usize, number: i64, reason: i64) -> Value {
    Value::List(vec![Value::Int(seat as i64), Value::Int(number), Value::Int(reason)])
}

fn flags(flags: &[bool]) -> Value {
    Value::List(flags.iter().map(|&flag| Value::Flag(flag)).collect())
}

/// Kind, tick, and the numbers of an event.
fn happening(events: &EventLog, event: &Event) -> Value {
    let mut numbers = vec![f64::from(event.kind as u8), event.tick as f64];
    numbers.extend_from_slice(events.values_of(event));
    Value::Floats(numbers)
}

fn given_names(town: &Town) -> Vec<Value> {
    town.custom_names
        .iter()
        .map(|(&number, name)| {
            let texts = [&name.agent_id, &name.display_name].map(|text| Value::Name(text.clone()));
            Value::List([Value::Int(number)].into_iter().chain(texts).collect())
        })
        .collect()
}
