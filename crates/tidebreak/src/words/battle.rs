//! The whole battle, part by part.

use std::sync::Arc;

use kernel::bounds::read_bounded;
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter, hash_words};
use kernel::words::{Words, read_count};

use super::checks::check_battle;
use crate::codes::weapon_group;
use crate::components::{Identity, Scratch, Tracks};
use crate::state::{Battle, Unit};
use crate::systems::squadron_spec::squadron_spec;

/// The canonical state.
#[must_use]
pub fn state_words(battle: &Battle) -> Vec<u64> {
    let mut words = WordWriter::new();
    write_state(battle, &mut words);
    words.into_words()
}

/// Hash of the canonical state.
#[must_use]
pub fn state_hash(battle: &Battle) -> u64 {
    hash_words(&state_words(battle))
}

/// Appends the canonical state.
pub fn write_state(battle: &Battle, words: &mut WordWriter) {
    battle.tick.write(words);
    words.unsigned(battle.seed);
    battle.next_entity_id.write(words);
    battle.log.next_event_id.write(words);
    words.signed(battle.units.len() as i64);
    for unit in &battle.units {
        write_unit(unit, words);
    }
    battle.munitions.write(words);
    battle.storms.write(words);
    battle.fields.write_words(words);
}

/// Appends what a restored battle needs besides the canonical state.
pub fn write_service(battle: &Battle, words: &mut WordWriter) {
    battle.outcome.write(words);
    for unit in &battle.units {
        unit.memory.write(words);
    }
    for munition in &battle.munitions {
        munition.fired_event.write(words);
    }
}

/// Makes a newly opened battle of the same package the one whose state and service words these are.
///
/// # Errors
/// When the words make no sense; the battle is of no use then.
pub fn read_battle(battle: &mut Battle, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
    read_state(battle, words)?;
    battle.outcome = read_bounded(words)?;
    for unit in &mut battle.units {
        unit.memory = read_bounded(words)?;
    }
    for munition in &mut battle.munitions {
        munition.fired_event = read_bounded(words)?;
    }
    check_battle(battle)
}

fn read_state(battle: &mut Battle, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
    battle.tick = read_bounded(words)?;
    battle.seed = words.unsigned()?;
    battle.next_entity_id = read_bounded(words)?;
    battle.log.next_event_id = read_bounded(words)?;
    let (count, right) = (read_count(words)?, battle.starting_units());
    let has_squadrons = battle.spec.weapons.iter().any(|weapon| weapon.group == weapon_group::AIR);
    if count < right || count > right && !has_squadrons {
        return Err(SnapshotError::Invalid(format!("there are {count} units; the package has {right}")));
    }
    battle.units = (0..count).map(|place| read_unit(battle, place, words)).collect::<Result<_, _>>()?;
    battle.munitions = read_bounded(words)?;
    battle.storms = read_bounded(words)?;
    battle.fields.read_words(words)
}

fn write_unit(unit: &Unit, words: &mut WordWriter) {
    unit.identity.write(words);
    unit.transform.write(words);
    unit.motion.write(words);
    unit.layer.write(words);
    unit.posture.write(words);
    unit.hull.write(words);
    unit.crew.write(words);
    unit.morale.write(words);
    unit.stores.write(words);
    unit.mounts.write(words);
    unit.compartments.write(words);
    unit.contact_memory.write(words);
    unit.boarding.write(words);
    unit.objective.write(words);
    unit.tally.write(words);
    words.signed(unit.tracks.tracks.len() as i64);
    unit.tracks.next_track_id.write(words);
    unit.tracks.tracks.iter().for_each(|track| track.write(words));
}

fn read_unit(battle: &Battle, place: usize, words: &mut WordReader<'_>) -> Result<Unit, SnapshotError> {
    let identity: Identity = read_bounded(words)?;
    let spec = match battle.spec.units.get(place) {
        Some(spec) => Arc::clone(spec),
        None => Arc::new(squadron_spec(&battle.spec, identity.id, identity.team)),
    };
    Ok(Unit {
        spec,
        identity,
        transform: read_bounded(words)?,
        motion: read_bounded(words)?,
        layer: read_bounded(words)?,
        posture: read_bounded(words)?,
        hull: read_bounded(words)?,
        crew: read_bounded(words)?,
        morale: read_bounded(words)?,
        stores: read_bounded(words)?,
        mounts: read_bounded(words)?,
        compartments: read_bounded(words)?,
        contact_memory: read_bounded(words)?,
        boarding: read_bounded(words)?,
        objective: read_bounded(words)?,
        tally: read_bounded(words)?,
        tracks: read_tracks(words)?,
        memory: Default::default(),
        scratch: Scratch::default(),
    })
}

fn read_tracks(words: &mut WordReader<'_>) -> Result<Tracks, SnapshotError> {
    let count = read_count(words)?;
    let next_track_id = read_bounded(words)?;
    let tracks = (0..count).map(|_| read_bounded(words)).collect::<Result<_, _>>()?;
    Ok(Tracks { next_track_id, tracks })
}
