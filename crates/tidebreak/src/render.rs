//! What a viewer draws of a battle and what changes from tick to tick, as JSON in the words of the readable tier.
//!
//! The sea bed, the names of the battle and the sentences of its events are added in Python.

mod fields;
mod moving;
mod names;
mod own;
mod tracks;

use self::fields::field_pictures;
use self::moving::{munition_picture, objective_picture, unit_picture};
use self::names::STORM_PROFILE_NAMES;
use self::own::own_picture;
use self::tracks::team_tracks;
use crate::judge::score::remaining_share;
use crate::metrics::unit_metrics;
use crate::result::json::Json;
use crate::result::names::{END_REASON_NAMES, name_of};
use crate::state::{Battle, NO_WINNER};

/// Draws a battle; `seats` are the places of the seats' units.
#[must_use]
pub fn picture(battle: &Battle, seats: &[Option<usize>]) -> Json {
    let teams = 0..battle.spec.teams.len();
    let tracks = teams.clone().map(|team| (battle.spec.teams[team].team_id.clone(), team_tracks(battle, team as i64)));
    let filled = seats.iter().enumerate().filter_map(|(seat, &place)| place.map(|place| (seat, place)));
    let with_task = battle.units.iter().filter(|unit| unit.spec.objective.is_some());
    Json::object([
        ("tick", battle.tick.into()),
        ("seed", battle.seed.into()),
        ("headline", headline(battle, seats)),
        ("storms", storms(battle)),
        ("teams", Json::list(teams.map(|team| team_picture(battle, team)))),
        ("seats", Json::list(seats.iter().enumerate().map(|(seat, &place)| seat_picture(battle, seat, place)))),
        ("units", Json::list(battle.units.iter().map(|unit| unit_picture(battle, unit)))),
        ("munitions", Json::list(battle.munitions.iter().map(|munition| munition_picture(battle, munition)))),
        ("tracks", tracks.collect()),
        ("own", Json::list(filled.map(|(seat, place)| own_picture(battle, seat, place)))),
        ("objective", Json::list(with_task.map(|unit| objective_picture(battle, unit)))),
        ("fields", field_pictures(battle)),
        ("outcome", outcome(battle)),
    ])
}

/// A number as the state words know it: without a negative zero.
fn real(value: f64) -> Json {
    Json::Real(value + 0.0)
}

fn count(value: usize) -> Json {
    Json::Whole(value as i128)
}

fn headline(battle: &Battle, seats: &[Option<usize>]) -> Json {
    let metrics = unit_metrics(battle, seats.iter().flatten().next().copied().unwrap_or(0));
    Json::object([("win", real(metrics[0])), ("cost_margin", real(metrics[2]))])
}

fn storms(battle: &Battle) -> Json {
    let living = battle.storms.iter().filter(|storm| storm.ends_at_tick > battle.tick);
    Json::list(living.map(|storm| {
        Json::object([
            ("x", real(storm.x)),
            ("y", real(storm.y)),
            ("radius", real(storm.radius)),
            ("intensity", real(storm.intensity)),
            ("profile", name_of(&STORM_PROFILE_NAMES, storm.profile)),
            ("vx", real(storm.vx)),
            ("vy", real(storm.vy)),
        ])
    }))
}

fn team_picture(battle: &Battle, place: usize) -> Json {
    let team = &battle.spec.teams[place];
    let index = place as i64;
    let members = || battle.units[..battle.starting_units()].iter().filter(|unit| unit.team() == index);
    Json::object([
        ("team_id", team.team_id.as_str().into()),
        ("name", team.name.as_str().into()),
        ("enemies", Json::list(team.enemies.iter().map(|&enemy| battle.spec.teams[enemy as usize].team_id.as_str()))),
        ("cost_share", real(remaining_share(battle, index))),
        ("units", count(members().count())),
        ("effective", count(members().filter(|unit| unit.is_effective()).count())),
    ])
}

fn seat_picture(battle: &Battle, seat: usize, place: Option<usize>) -> Json {
    let unit = place.map(|place| &battle.units[place]);
    Json::object([
        ("seat", count(seat)),
        ("unit", unit.map_or(0, |unit| unit.id()).into()),
        ("ship_id", unit.map(|unit| unit.spec.ship_id.as_str()).into()),
        ("team", unit.map(|unit| battle.spec.teams[unit.team() as usize].team_id.as_str()).into()),
        ("alive", (unit.is_some_and(|unit| unit.is_effective()) && !battle.outcome.is_over()).into()),
    ])
}

fn outcome(battle: &Battle) -> Json {
    if !battle.outcome.is_over() {
        return Json::Null;
    }
    let winner = battle.outcome.winner;
    let winner = (winner != NO_WINNER).then(|| battle.spec.teams[winner as usize].team_id.as_str());
    Json::object([("end_reason", name_of(&END_REASON_NAMES, battle.outcome.end_reason)), ("winner", winner.into())])
}
