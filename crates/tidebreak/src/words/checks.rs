//! What words must hold so that a battle can go on from them: codes that exist, ids that lead somewhere.

use kernel::bounds::{LARGEST, need, within};
use kernel::numerics::fmax;
use kernel::snapshot::SnapshotError;

use crate::city_reports::DISTRICT_NAMES;
use crate::codes::{
    ALL_LAYERS_MASK, MODALITIES, NO_LAYER, boarding_status, capture_method, connection_state, dc_focus, emissions,
    end_reason, iff, layer, munition_kind, objective_status, track_quality, unit_status, weapon_group,
};
use crate::components::{IN_TRANSIT, LayerState, Memory, Munition, NO_OBJECTIVE, POPPING_UP, STEADY, Track};
use crate::limits::{MUNITIONS_MAX, SQUADRONS_MAX};
use crate::records::ResolvedUnit;
use crate::sensing::tracking::GHOST;
use crate::state::{Battle, NO_WINNER, NOT_ENDED, Unit};
use crate::systems::layers::BOTCH_SHARE;
use crate::systems::support::NO_WEAPON;

/// More botches of a transit than the damage of one tick leads to.
const BOTCHES_AT_ONCE: i64 = 1 << 20;
/// What is known of a track's class at most.
const CLASS_KNOWN: i64 = 3;

/// Refuses a battle that could not go on; its numbers have been found to be bounded.
pub(super) fn check_battle(battle: &Battle) -> Result<(), SnapshotError> {
    let (units, teams) = (battle.starting_units() as i64, battle.spec.teams.len() as i64);
    let outcome = &battle.outcome;
    within(
        format_args!("the battle"),
        &[
            ("tick", battle.tick, 0, LARGEST),
            ("next_entity_id", battle.next_entity_id, units + 1, LARGEST),
            ("next_event_id", battle.log.next_event_id, 1, LARGEST),
            ("end_reason", outcome.end_reason, NOT_ENDED, end_reason::ABORTED),
            ("winner", outcome.winner, NO_WINNER, if outcome.is_over() { teams - 1 } else { NO_WINNER }),
        ],
    )?;
    for (place, unit) in battle.units.iter().enumerate() {
        check_identity(battle, place, unit)?;
        check_condition(unit)?;
        check_deeds(battle, unit)?;
        check_tracks(battle, unit)?;
        check_memory(battle, unit)?;
    }
    let squadrons = battle.units[battle.starting_units()..].iter().filter(|unit| unit.is_present()).count();
    need(squadrons <= SQUADRONS_MAX, || format!("{squadrons} squadrons are in the air; {SQUADRONS_MAX} can be"))?;
    check_munitions(battle)?;
    check_storms(battle)
}

/// Who a unit is never changes, and ids ascend.
fn check_identity(battle: &Battle, place: usize, unit: &Unit) -> Result<(), SnapshotError> {
    let (identity, spec, hull) = (&unit.identity, &unit.spec, &unit.spec.hull);
    let id = identity.id;
    let is_in_order = match place.checked_sub(1) {
        Some(before) if place >= battle.starting_units() => id > battle.units[before].id(),
        _ => id == spec.id,
    };
    let is_same = is_in_order
        && id < battle.next_entity_id
        && (0..battle.spec.teams.len() as i64).contains(&identity.team)
        && (identity.team, identity.kind) == (spec.team, hull.kind)
        && (identity.class_code, identity.size, identity.tier) == (hull.class_code, hull.size, hull.damage_tier)
        && unit.mounts.len() == spec.mounts.len()
        && unit.compartments.len() == spec.start.compartments.len();
    need(is_same, || format!("unit {id} does not fit its package"))
}

fn check_condition(unit: &Unit) -> Result<(), SnapshotError> {
    let (id, hull, state) = (unit.id(), &unit.spec.hull, &unit.layer);
    check_layers(id, state)?;
    within(
        format_args!("unit {id}"),
        &[
            ("status", unit.identity.status, 0, 2 * unit_status::DISABLED - 1),
            ("emissions", unit.posture.emissions, emissions::SILENT, emissions::ACTIVE),
            ("dc_focus", unit.posture.dc_focus, dc_focus::BALANCED, dc_focus::REPAIR),
        ],
    )?;
    within(
        format_args!("unit {id}"),
        &[
            ("hp", unit.hull.hp, 0.0, fmax(unit.spec.start.hp, hull.hp_max)),
            ("trans_damage", state.trans_damage, 0.0, most_damage(unit)),
        ],
    )?;
    let fractions = unit.hull.systems.iter().chain(&unit.hull.ceilings);
    fractions.copied().try_for_each(|share| within(format_args!("unit {id}"), &[("a system", share, 0.0, 1.0)]))
}

/// How much damage a transit can show; a wreck may have taken any, and nothing comes of it any more.
fn most_damage(unit: &Unit) -> f64 {
    if unit.is_present() {
        (unit.layer.botches + BOTCHES_AT_ONCE) as f64 * (BOTCH_SHARE * unit.spec.hull.hp_max)
    } else {
        f64::INFINITY
    }
}

fn check_layers(id: i64, state: &LayerState) -> Result<(), SnapshotError> {
    let deepest_goal = if state.mode == IN_TRANSIT { layer::ABYSSAL } else { NO_LAYER };
    within(
        format_args!("unit {id}"),
        &[
            ("layer", state.layer, layer::SURFACE, layer::ABYSSAL),
            ("mode", state.mode, STEADY, POPPING_UP),
            ("target_layer", state.target_layer, layer::SURFACE, deepest_goal),
            ("total", state.total, i64::from(state.mode != STEADY), LARGEST),
            ("botches", state.botches, 0, LARGEST),
        ],
    )
}

fn check_deeds(battle: &Battle, unit: &Unit) -> Result<(), SnapshotError> {
    let (id, boarding) = (unit.id(), &unit.boarding);
    within(
        format_args!("unit {id}"),
        &[
            ("boarding state", boarding.state, connection_state::NONE, connection_state::TRANSFERRING),
            ("boarding status", boarding.status, boarding_status::NONE, boarding_status::REPULSED),
            ("objective status", unit.objective.status, objective_status::ACTIVE, objective_status::SUPERSEDED),
        ],
    )?;
    let is_boarding = boarding.state != connection_state::NONE || boarding.status != boarding_status::NONE;
    let has_target = battle.find_unit(boarding.target_id).is_some() || !is_boarding && boarding.target_id == 0;
    need(has_target, || format!("unit {id} boards unit {}, which there is not", boarding.target_id))?;
    let task = unit.spec.objective.as_ref().map_or(NO_OBJECTIVE, |task| task.r#type);
    need(unit.objective.r#type == task, || format!("unit {id} has an objective that its package does not give it"))
}

fn check_tracks(battle: &Battle, unit: &Unit) -> Result<(), SnapshotError> {
    let (id, tracks) = (unit.id(), &unit.tracks.tracks);
    let most = unit.spec.sensors.tracks_max;
    need(tracks.len() as i64 <= most, || format!("unit {id} holds {} tracks; it can hold {most}", tracks.len()))?;
    let mut last = 0;
    for (place, track) in tracks.iter().enumerate() {
        check_track(battle, unit, track, last)?;
        last = track.track_id;
        let is_new = track.target_id == GHOST || tracks[..place].iter().all(|other| other.target_id != track.target_id);
        need(is_new, || format!("unit {id} holds two tracks of {}", track.target_id))?;
    }
    within(format_args!("unit {id}"), &[("next_track_id", unit.tracks.next_track_id, last + 1, LARGEST)])
}

fn check_track(battle: &Battle, unit: &Unit, track: &Track, last: i64) -> Result<(), SnapshotError> {
    let id = unit.id();
    within(
        format_args!("a track of unit {id}"),
        &[
            ("track_id", track.track_id, last + 1, LARGEST),
            ("target_id", track.target_id, GHOST, battle.next_entity_id - 1),
            ("quality", track.quality, track_quality::Q0, track_quality::Q3),
            ("age", track.age, 0, LARGEST),
            ("hits", track.hits, 0, LARGEST),
            ("layer_est", track.layer_est, layer::SURFACE, NO_LAYER),
            ("class_level", track.class_level, 0, CLASS_KNOWN),
            ("iff", track.iff, iff::UNKNOWN, iff::HOSTILE_DECLARED),
            ("modalities", track.modalities, 0, (1 << MODALITIES) - 1),
        ],
    )?;
    within(format_args!("a track of unit {id}"), &[("P", track.P, 0.0, LARGEST as f64)])
}

fn check_memory(battle: &Battle, unit: &Unit) -> Result<(), SnapshotError> {
    let (id, memory) = (unit.id(), &unit.memory);
    within(
        format_args!("unit {id}"),
        &[
            ("capture_method", memory.capture_method, capture_method::NONE, capture_method::SURRENDERED),
            ("captor_team", memory.captor_team, -1, battle.spec.teams.len() as i64 - 1),
            ("entry_district", memory.entry_district, -1, DISTRICT_NAMES.len() as i64 - 1),
        ],
    )?;
    let mut last = 0;
    for fix in &memory.mate_fixes {
        within(
            format_args!("unit {id}"),
            &[("unit_id", fix.unit_id, last + 1, LARGEST), ("layer", fix.layer, layer::SURFACE, layer::ABYSSAL)],
        )?;
        need(battle.find_unit(fix.unit_id).is_some(), || format!("unit {id} hears unit {}", fix.unit_id))?;
        last = fix.unit_id;
    }
    need(memory.raised_ids.is_sorted_by(|one, next| one < next), || format!("unit {id} has raised ids out of order"))?;
    let is_starting = id <= battle.starting_units() as i64;
    need(is_starting || has_carrier(battle, unit, memory), || format!("squadron {id} has no carrier"))
}

/// Whether a squadron came from an air wing of its own team.
fn has_carrier(battle: &Battle, squadron: &Unit, memory: &Memory) -> bool {
    let slot = usize::try_from(memory.carrier_slot).ok();
    let is_from = |carrier: &ResolvedUnit| {
        let mount = slot.and_then(|slot| carrier.mounts.get(slot));
        carrier.team == squadron.team()
            && mount.is_some_and(|mount| battle.spec.weapons[mount.weapon].group == weapon_group::AIR)
    };
    battle.find_unit(memory.carrier_id).is_some_and(|carrier| is_from(&carrier.spec))
}

fn check_munitions(battle: &Battle) -> Result<(), SnapshotError> {
    let count = battle.munitions.len();
    need(count <= MUNITIONS_MAX, || format!("{count} munitions are under way; {MUNITIONS_MAX} can be"))?;
    let mut last = battle.starting_units() as i64;
    for munition in &battle.munitions {
        within(
            format_args!("a munition"),
            &[
                ("id", munition.id, last + 1, battle.next_entity_id - 1),
                ("team", munition.team, 0, battle.spec.teams.len() as i64 - 1),
                ("launch_layer", munition.launch_layer, layer::SURFACE, layer::ABYSSAL),
                ("target_layers", munition.target_layers, 0, ALL_LAYERS_MASK),
            ],
        )?;
        last = munition.id;
        need(battle.find_unit(munition.owner_id).is_some(), || {
            format!("munition {last} is of unit {}, which there is not", munition.owner_id)
        })?;
        need(is_as_made(battle, munition), || format!("munition {last} is not what its weapon fires"))?;
    }
    Ok(())
}

/// Whether a munition has what its weapon gave it, which nothing changes.
fn is_as_made(battle: &Battle, munition: &Munition) -> bool {
    if munition.kind == munition_kind::DECOY {
        return munition.weapon_code == NO_WEAPON;
    }
    let code = usize::try_from(munition.weapon_code).ok();
    code.and_then(|code| battle.spec.weapons.get(code)).is_some_and(|weapon| {
        munition.kind == weapon.kind
            && munition.rounds == weapon.rounds
            && munition.speed == weapon.speed_ms
            && munition.damage == weapon.damage
    })
}

/// Storms move and fade; what else they are comes from the map.
fn check_storms(battle: &Battle) -> Result<(), SnapshotError> {
    let (found, right) = (battle.storms.len(), battle.map().storms.len());
    need(found == right, || format!("there are {found} storms; the package has {right}"))?;
    let is_same = battle.storms.iter().zip(&battle.map().storms).all(|(storm, spec)| {
        (storm.profile, storm.ends_at_tick) == (spec.profile, spec.ends_at_tick)
            && (storm.vx, storm.vy, storm.radius) == (spec.vx, spec.vy, spec.radius_m)
            && (0.0..=spec.intensity).contains(&storm.intensity)
    });
    need(is_same, || "a storm is not that of the package".to_owned())
}
