//! What became of one ship.

use crate::codes::{component_status, unit_status};
use crate::components::NO_OBJECTIVE;
use crate::events::{Event, EventKind};
use crate::fates::{Fate, salvage_value};
use crate::result::json::Json;
use crate::result::names::{
    CAPTURE_METHOD_NAMES, COMPONENT_STATUS_NAMES, LAYER_NAMES, OBJECTIVE_STATUS_NAMES, OBJECTIVE_TYPE_NAMES,
    SHIP_FATE_NAMES, SYSTEM_NAMES, name_of,
};
use crate::state::{Battle, Unit};

/// One ship of the result.
pub fn ship_outcome(battle: &Battle, unit: &Unit, fate: &Fate, events: &[Event]) -> Json {
    let captor = fate.captor_team.map(|team| battle.spec.teams[team as usize].team_id.as_str());
    Json::object([
        ("ship_id", unit.spec.ship_id.as_str().into()),
        ("fate", name_of(&SHIP_FATE_NAMES, fate.fate)),
        ("capture_method", fate.method.map(|method| name_of(&CAPTURE_METHOD_NAMES, method)).into()),
        ("captor_team_id", captor.into()),
        ("exited", unit.has(unit_status::EXITED).into()),
        ("final_state", final_state(unit)),
        ("final_morale", unit.morale.morale.into()),
        ("consumption", consumption(unit)),
        ("crew_casualties", Json::object([("killed", unit.crew.killed.into()), ("wounded", unit.crew.wounded.into())])),
        ("damage_report", damage_report(unit)),
        ("salvage_value", salvage_value(battle, unit, fate.fate).into()),
        ("objective_outcome", objective_outcome(unit, events).into()),
        ("damage_dealt", unit.tally.damage_dealt.into()),
        ("damage_taken", unit.tally.damage_taken.into()),
        ("kills", unit.tally.kills.into()),
    ])
}

fn final_state(unit: &Unit) -> Json {
    let mounts = unit.spec.mounts.iter().zip(&unit.mounts);
    Json::object([
        ("x", unit.x().into()),
        ("y", unit.y().into()),
        ("heading", unit.heading().into()),
        ("speed", unit.speed().into()),
        ("layer", name_of(&LAYER_NAMES, unit.layer.layer)),
        ("hp", unit.hull.hp.into()),
        ("ammo", mounts.map(|(spec, mount)| (spec.slot.to_string(), mount.ammo.into())).collect()),
    ])
}

fn consumption(unit: &Unit) -> Json {
    let mounts = unit.spec.mounts.iter().zip(&unit.mounts).filter(|(spec, mount)| spec.ammo > mount.ammo);
    let start = &unit.spec.start;
    Json::object([
        ("ammo_used", mounts.map(|(spec, mount)| (spec.slot.to_string(), (spec.ammo - mount.ammo).into())).collect()),
        ("fuel_used", (start.fuel_s - unit.stores.fuel).into()),
        ("decoys_used", (start.decoys - unit.stores.decoys).into()),
    ])
}

fn damage_report(unit: &Unit) -> Json {
    let system = |(name, &fraction): (&&str, &f64)| {
        let status = name_of(&COMPONENT_STATUS_NAMES, component_status(fraction));
        ((*name).to_owned(), Json::object([("status", status), ("fraction", fraction.into())]))
    };
    Json::object([
        ("damage_tier", unit.identity.tier.into()),
        ("systems", SYSTEM_NAMES.iter().zip(&unit.hull.systems).map(system).collect()),
        ("compartments", (!unit.compartments.is_empty()).then(|| compartments(unit)).into()),
        ("fire", unit.hull.fire.into()),
        ("flood", unit.hull.flood.into()),
    ])
}

fn compartments(unit: &Unit) -> Json {
    Json::list(unit.compartments.iter().enumerate().map(|(place, part)| {
        Json::object([
            ("id", (place as i64).into()),
            ("integrity", part.integrity.into()),
            ("breached", part.breached.into()),
            ("flooded", (part.flood > 0.0).into()),
            ("on_fire", (part.fire > 0.0).into()),
            ("crew", part.crew.into()),
            ("fire", part.fire.into()),
            ("flood", part.flood.into()),
        ])
    }))
}

fn objective_outcome(unit: &Unit, events: &[Event]) -> Option<Json> {
    let objective = &unit.objective;
    if objective.r#type == NO_OBJECTIVE {
        return None;
    }
    let key_events = events.iter().filter(|event| {
        let news = &event.news;
        matches!(news.kind, EventKind::ObjectiveCompleted | EventKind::ObjectiveFailed)
            && news.source == unit.identity.id
    });
    Some(Json::object([
        ("type", name_of(&OBJECTIVE_TYPE_NAMES, objective.r#type)),
        ("status", name_of(&OBJECTIVE_STATUS_NAMES, objective.status)),
        ("progress", objective.progress.into()),
        ("reward_earned", objective.reward_sum.into()),
        ("key_events", Json::list(key_events.map(|event| event.id))),
    ]))
}
