//! The words of a town, and a town from its words.

use std::collections::BTreeMap;

use kernel::bounds::read_bounded;
use kernel::pcg32::Pcg32;
use kernel::snapshot::SnapshotError;
use kernel::state_hash::{WordReader, WordWriter};
use kernel::words::{Words, read_count};

use super::lengths::{check_complete, check_fit};
use super::references::{check_doings, check_references};
use crate::curiosity::{Visits, read_visits, write_visits};
use crate::events::EventLog;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::kpis::TickReport;
use crate::state::objects::ObjectState;
use crate::state::town::{CustomName, Town};
use crate::streams::Streams;

/// Appends the canonical state: streams, seed, tick, next number, citizens by seat, objects by index, ledgers.
pub fn write_state(town: &Town, words: &mut WordWriter) {
    let streams = &town.streams;
    for stream in [&streams.world, &streams.events, &streams.policy] {
        words.unsigneds(&[stream.state(), stream.inc(), stream.draws()]);
    }
    words.unsigned(town.seed);
    words.signeds(&[town.tick, town.next_number, town.citizens().count() as i64]);
    town.citizens().for_each(|citizen| citizen.write(words));
    town.objects.write(words);
    town.economy.write(words);
    town.rules.write(words);
    town.employment.write(words);
    town.lifecycle.write(words);
    town.embedding.write(words);
    town.perturbations.write(words);
    town.queues.write(words);
    town.social.write(words);
    town.kpis.write(words);
}

/// Appends the canonical state, then what the ledgers keep for the record, then names that were given, then visits.
pub fn write_snapshot(town: &Town, words: &mut WordWriter) {
    write_state(town, words);
    town.lifecycle.departures.write(words);
    town.social.notes.write(words);
    town.social.conflicts.write(words);
    town.social.churn.write(words);
    town.kpis.rows.write(words);
    words.signed(town.custom_names.len() as i64);
    for (&number, name) in &town.custom_names {
        words.signed(number);
        for text in [&name.agent_id, &name.display_name] {
            words.signed(text.len() as i64);
            words.bytes(text.as_bytes());
        }
    }
    write_visits(&town.visits, words);
}

/// A town as it was; its events and its report are empty.
///
/// # Errors
/// When the words do not describe a town of this setup.
pub fn read_town(words: &mut WordReader<'_>, setup: &Setup) -> Result<Town, SnapshotError> {
    let streams = Streams { world: read_stream(words)?, events: read_stream(words)?, policy: read_stream(words)? };
    let (seed, tick, next_number) = (words.unsigned()?, read_bounded(words)?, read_bounded(words)?);
    let citizens: Vec<Citizen> = read_bounded(words)?;
    let objects: Vec<ObjectState> = read_bounded(words)?;
    check_fit(&citizens, &objects, setup)?;
    let seats = setup.config.world.seats;
    let mut town = Town {
        seed,
        streams,
        tick,
        next_number,
        seats: vec![None; seats],
        objects,
        economy: read_bounded(words)?,
        rules: read_bounded(words)?,
        employment: read_bounded(words)?,
        lifecycle: read_bounded(words)?,
        embedding: read_bounded(words)?,
        perturbations: read_bounded(words)?,
        queues: read_bounded(words)?,
        social: read_bounded(words)?,
        kpis: read_bounded(words)?,
        occupancy: vec![0; setup.tables.map.walkable.len()],
        events: EventLog::default(),
        custom_names: BTreeMap::new(),
        report: TickReport::of_seats(seats),
        intrinsic: vec![0.0; seats],
        visits: Visits::new(),
        ticks_per_day: setup.config.world.ticks_per_day,
    };
    town.lifecycle.departures = read_bounded(words)?;
    town.social.notes = read_bounded(words)?;
    town.social.conflicts = read_bounded(words)?;
    town.social.churn = read_bounded(words)?;
    town.kpis.rows = read_bounded(words)?;
    for _ in 0..read_count(words)? {
        let number = read_bounded(words)?;
        town.custom_names.insert(number, CustomName { agent_id: read_text(words)?, display_name: read_text(words)? });
    }
    town.visits = read_visits(words, setup)?;
    for citizen in citizens {
        town.occupancy[citizen.at()] += 1;
        let seat = citizen.seat as usize;
        town.seats[seat] = Some(Box::new(citizen));
    }
    check_complete(&town, setup)?;
    check_references(&town, setup)?;
    check_doings(&town)?;
    Ok(town)
}

fn read_stream(words: &mut WordReader<'_>) -> Result<Pcg32, SnapshotError> {
    Ok(Pcg32::from_parts(words.unsigned()?, words.unsigned()?, words.unsigned()?))
}

fn read_text(words: &mut WordReader<'_>) -> Result<String, SnapshotError> {
    let length = read_count(words)?;
    Ok(String::from_utf8_lossy(&words.bytes(length)?).into_owned())
}
