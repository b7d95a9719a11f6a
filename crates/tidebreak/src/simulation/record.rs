//! The last step told in full, with names: the cold path beside the buffers.

use kernel::record::{Named, StepRecord, Value};

use super::{Course, Settings};
use crate::contract::N_REWARD_COMPONENTS;
use crate::decisions::Decision;
use crate::events::{EVENT_KINDS, EVENT_NAMES, Event};
use crate::result::result_without_events;
use crate::reward::Reward;
use crate::state::{NO_WINNER, Unit};

const END_REASONS: [&str; 5] = ["elimination", "time_limit", "all_out", "objective", "aborted"];

/// Tells the last step.
pub(super) fn step_record(settings: &Settings, course: &Course) -> StepRecord {
    record(settings, course, &course.paid, course.ticks)
}

/// Describes an episode that has not been stepped yet.
pub(super) fn opening_record(settings: &Settings, course: &Course) -> StepRecord {
    record(settings, course, &vec![Reward::default(); course.seats.len()], 0)
}

fn record(settings: &Settings, course: &Course, paid: &[Reward], dt: u16) -> StepRecord {
    let seats = 0..course.seats.len();
    let taken: Vec<Option<Vec<i32>>> =
        seats.clone().map(|seat| course.taken[seat].filter(|_| dt > 0).map(options_of)).collect();
    let ended = |seat: usize| if dt > 0 { course.ended[seat] } else { (false, false) };
    let terms = |seat: usize| match course.seats[seat] {
        Some(_) if dt > 0 => paid[seat].terms(&settings.rule),
        _ => Vec::new(),
    };
    let events = course.arena.battle().log.events();
    StepRecord {
        received: taken.clone(),
        effective: taken,
        rewards: paid.iter().map(|reward| reward.total).collect(),
        reward_terms: seats.clone().map(terms).collect(),
        terminated: seats.clone().map(|seat| ended(seat).0).collect(),
        truncated: seats.clone().map(|seat| ended(seat).1).collect(),
        metrics: seats.map(|seat| course.metrics(seat).to_vec()).collect(),
        dt,
        events: names_of(events),
        event_data: payloads(events, settings.decision_ticks > 1),
        info: info_of(course, paid, dt),
        draws: 0,
    }
}

fn options_of(decision: Decision) -> Vec<i32> {
    decision.iter().map(|&option| option as i32).collect()
}

/// Kinds in the order in which they first happened.
fn kinds_of(events: &[Event]) -> Vec<usize> {
    let mut is_named = [false; EVENT_KINDS];
    let mut kinds = Vec::new();
    for event in events {
        let kind = event.news.kind as usize;
        if !std::mem::replace(&mut is_named[kind], true) {
            kinds.push(kind);
        }
    }
    kinds
}

fn names_of(events: &[Event]) -> Vec<&'static str> {
    kinds_of(events).into_iter().map(|kind| EVENT_NAMES[kind]).collect()
}

/// Every event of each kind as id, source, target, cause, f0, f1, i0; with ticks, when it happened comes last.
fn payloads(events: &[Event], with_ticks: bool) -> Named<Named<Value>> {
    let of_kind = |kind: usize| {
        let rows = events
            .iter()
            .filter(|event| event.news.kind as usize == kind)
            .map(|event| row_of(event, with_ticks))
            .collect();
        (EVENT_NAMES[kind], vec![("records", Value::List(rows))])
    };
    kinds_of(events).into_iter().map(of_kind).collect()
}

fn row_of(event: &Event, with_ticks: bool) -> Value {
    let news = &event.news;
    let mut row = vec![
        Value::Int(event.id),
        Value::Int(news.source),
        Value::Int(news.target),
        Value::Int(news.cause),
        Value::Float(news.f0),
        Value::Float(news.f1),
        Value::Int(news.i0),
    ];
    if with_ticks {
        row.push(Value::Int(event.tick));
    }
    Value::List(row)
}

fn info_of(course: &Course, paid: &[Reward], dt: u16) -> Named<Value> {
    let battle = course.arena.battle();
    let outcome = battle.outcome;
    let seats = 0..course.seats.len();
    let components = |seat: usize| {
        let shown = course.seats[seat].map_or(&[][..], |_| &paid[seat].components[..N_REWARD_COMPONENTS]);
        Value::Floats(shown.to_vec())
    };
    let by_seat = |value: &dyn Fn(&Unit) -> Value, empty: Value| {
        Value::List(seats.clone().map(|seat| course.unit(seat).map_or_else(|| empty.clone(), value)).collect())
    };
    let invalid = |seat: usize| if dt > 0 { course.invalid[seat] } else { 0 };
    let mut info = vec![
        ("tick", Value::Int(battle.tick)),
        ("stage", Value::Int(course.stage)),
        ("reward_components", Value::List(seats.clone().map(components).collect())),
        ("invalid", Value::List(seats.clone().map(|seat| Value::Int(invalid(seat))).collect())),
        ("ships", by_seat(&|unit| Value::Name(unit.spec.ship_id.clone()), Value::Null)),
        (
            "end_reason",
            usize::try_from(outcome.end_reason).map_or(Value::Null, |reason| Value::Text(END_REASONS[reason])),
        ),
        (
            "winner",
            if outcome.winner == NO_WINNER {
                Value::Null
            } else {
                Value::Name(battle.spec.teams[outcome.winner as usize].team_id.clone())
            },
        ),
    ];
    if let Ok(result) = result_without_events(battle) {
        info.push(("battle_result", Value::Document(result.to_string())));
    }
    info
}
