//! The result of a finished battle, as the canonical JSON of a BattleResult.

mod boardings;
pub mod json;
pub(crate) mod names;
mod ships;

use crate::city_reports::{DISTRICT_NAMES, MegashipReport, megaship_report};
use crate::codes::{boarding_status, size_class, unit_status};
use crate::events::Event;
use crate::fates::{Fate, final_fate};
use crate::result::boardings::boarding_outcome;
use crate::result::json::Json;
use crate::result::names::{COMPONENT_STATUS_NAMES, END_REASON_NAMES, name_of};
use crate::result::ships::ship_outcome;
use crate::state::{Battle, NO_WINNER, Unit};
use crate::team_outcomes::team_outcome;
use crate::words::state_hash;

const TRACE_VERSION: &str = "tbtrace.1";

/// How a battle ended.
///
/// # Errors
/// When it goes on.
pub fn battle_result(battle: &Battle) -> Result<Json, String> {
    result_with(battle, battle.log.events())
}

/// How a battle ended, without the ids of key events: for a log that keeps the last tick alone.
///
/// # Errors
/// When it goes on.
pub fn result_without_events(battle: &Battle) -> Result<Json, String> {
    result_with(battle, &[])
}

fn result_with(battle: &Battle, events: &[Event]) -> Result<Json, String> {
    if !battle.outcome.is_over() {
        return Err("the battle is not over; only a finished one has a result".to_owned());
    }
    let spec = &battle.spec;
    let units = &battle.units[..battle.starting_units()];
    let fates: Vec<Fate> = units.iter().map(|unit| final_fate(battle, unit)).collect();
    let mut places: Vec<usize> = (0..units.len()).collect();
    places.sort_by_key(|&place| units[place].spec.package_index);
    let winner = battle.outcome.winner;
    let winner = (winner != NO_WINNER).then(|| spec.teams[winner as usize].team_id.as_str());
    let cities = places.iter().map(|&place| &units[place]).filter(|unit| unit.identity.size == size_class::XL);
    let boarders = units.iter().filter(|unit| unit.boarding.status != boarding_status::NONE);
    Ok(Json::object([
        ("schema_version", spec.schema_version.as_str().into()),
        ("battle_id", spec.battle_id.as_str().into()),
        ("seed", battle.seed.into()),
        ("torch_seed", spec.torch_seed.into()),
        ("content_hash", spec.content_hash.as_str().into()),
        ("winner_team_id", winner.into()),
        ("end_reason", name_of(&END_REASON_NAMES, battle.outcome.end_reason)),
        ("duration_s", (battle.tick as f64).into()),
        ("ships", Json::list(places.iter().map(|&place| ship_outcome(battle, &units[place], &fates[place], events)))),
        ("teams", team_outcomes(battle, &fates)),
        ("event_summary", event_summary(units)),
        ("boarding_outcomes", Json::list(boarders.map(|unit| boarding_outcome(battle, unit)))),
        ("megaship_reports", Json::list(cities.map(|city| megaship(city, &megaship_report(battle, city))))),
        ("replay", replay_reference(battle)),
    ]))
}

fn team_outcomes(battle: &Battle, fates: &[Fate]) -> Json {
    Json::list(battle.spec.teams.iter().map(|team| {
        let outcome = team_outcome(battle, team, fates);
        Json::object([
            ("team_id", team.team_id.as_str().into()),
            ("morale_delta", outcome.morale_delta.into()),
            ("ships_lost", outcome.ships_lost.into()),
            ("ships_surrendered", outcome.ships_surrendered.into()),
            ("ships_captured", outcome.ships_captured.into()),
            ("decisive_victory", outcome.decisive_victory.into()),
            ("cost_start", outcome.cost_start.into()),
            ("cost_end", outcome.cost_end.into()),
        ])
    }))
}

fn event_summary(units: &[Unit]) -> Json {
    let sum = |count: fn(&Unit) -> i64| Json::from(units.iter().map(count).sum::<i64>());
    let mut hazard_damage = 0.0;
    for unit in units {
        hazard_damage += unit.tally.hazard_damage;
    }
    Json::object([
        ("hits", sum(|unit| unit.tally.hits)),
        ("kills", sum(|unit| unit.tally.kills)),
        ("surrenders", sum(|unit| i64::from(unit.has(unit_status::SURRENDERED)))),
        ("transitions", sum(|unit| unit.tally.transitions)),
        ("hazard_damage", hazard_damage.into()),
        ("collisions", sum(|unit| unit.tally.collisions)),
        ("captures", sum(|unit| i64::from(unit.has(unit_status::CAPTURED)))),
    ])
}

fn megaship(city: &Unit, report: &MegashipReport) -> Json {
    let status = |code: i64| name_of(&COMPONENT_STATUS_NAMES, code);
    let districts = DISTRICT_NAMES.iter().zip(&report.district_damage);
    Json::object([
        ("ship_id", city.spec.ship_id.as_str().into()),
        ("propulsion_status", status(report.propulsion_status)),
        ("cic_status", status(report.cic_status)),
        ("primary_weapons", status(report.primary_weapons)),
        ("power_systems", status(report.power_systems)),
        ("district_damage", districts.map(|(name, &damage)| ((*name).to_owned(), damage.into())).collect()),
        ("casualty_estimate", report.casualty_estimate.into()),
        ("evacuation_status", report.evacuation_status.into()),
        ("morale_shock", report.morale_shock.into()),
        ("legitimacy_impact", report.legitimacy_impact.into()),
    ])
}

fn replay_reference(battle: &Battle) -> Json {
    let hex = |hash: u64| Json::Text(format!("{hash:016x}"));
    Json::object([
        ("seed", battle.seed.into()),
        ("trace_version", TRACE_VERSION.into()),
        ("action_log_ref", Json::Null),
        ("action_log_hash", Json::Null),
        ("initial_state_hash", hex(battle.initial_hash)),
        ("final_state_hash", hex(state_hash(battle))),
    ])
}
