//! The whole battle, part by part.

use std::sync::Arc;

use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter, hash_words};
use kernel::words::{Words, read_count};

use crate::components::{Identity, Scratch, Track, Tracks};
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
    battle.outcome = Words::read(words)?;
    for unit in &mut battle.units {
        unit.memory = Words::read(words)?;
    }
    for munition in &mut battle.munitions {
        munition.fired_event = Words::read(words)?;
    }
    Ok(())
}

fn read_state(battle: &mut Battle, words: &mut WordReader<'_>) -> Result<(), SnapshotError> {
    battle.tick = Words::read(words)?;
    battle.seed = words.unsigned()?;
    battle.next_entity_id = Words::read(words)?;
    battle.log.next_event_id = Words::read(words)?;
    let count = read_count(words)?;
    if count < battle.starting_units() {
        let reason = format!("there are {count} units; the package has {}", battle.starting_units());
        return Err(SnapshotError::Invalid(reason));
    }
    battle.units = (0..count).map(|place| read_unit(battle, place, words)).collect::<Result<_, _>>()?;
    battle.munitions = Words::read(words)?;
    battle.storms = Words::read(words)?;
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
    let identity = Identity::read(words)?;
    let spec = match battle.spec.units.get(place) {
        Some(spec) => Arc::clone(spec),
        None => Arc::new(squadron_spec(&battle.spec, identity.id, identity.team)),
    };
    let unit = Unit {
        spec,
        identity,
        transform: Words::read(words)?,
        motion: Words::read(words)?,
        layer: Words::read(words)?,
        posture: Words::read(words)?,
        hull: Words::read(words)?,
        crew: Words::read(words)?,
        morale: Words::read(words)?,
        stores: Words::read(words)?,
        mounts: Words::read(words)?,
        compartments: Words::read(words)?,
        contact_memory: Words::read(words)?,
        boarding: Words::read(words)?,
        objective: Words::read(words)?,
        tally: Words::read(words)?,
        tracks: read_tracks(words)?,
        memory: Default::default(),
        scratch: Scratch::default(),
    };
    check_unit(&unit)?;
    Ok(unit)
}

fn read_tracks(words: &mut WordReader<'_>) -> Result<Tracks, SnapshotError> {
    let count = read_count(words)?;
    let next_track_id = Words::read(words)?;
    let tracks = (0..count).map(|_| Track::read(words)).collect::<Result<_, _>>()?;
    Ok(Tracks { next_track_id, tracks })
}

/// Refuses what would later be an index out of range.
fn check_unit(unit: &Unit) -> Result<(), SnapshotError> {
    let is_sound = unit.mounts.len() == unit.spec.mounts.len()
        && unit.compartments.len() == unit.spec.start.compartments.len()
        && (0..3).contains(&unit.layer.layer)
        && (0..=3).contains(&unit.layer.target_layer);
    if is_sound {
        return Ok(());
    }
    Err(SnapshotError::Invalid(format!("unit {} does not fit its package", unit.identity.id)))
}
