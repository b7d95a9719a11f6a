//! A single battle as a Python object; the twin with docstrings is `worlds/tidebreak/reference/arena.py`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use kernel::snapshot;
use kernel::state_hash::{WordReader, WordWriter};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use tidebreak::arena::Arena;
use tidebreak::contract::N_OPTIONS;
use tidebreak::decisions::{Decision, check_decision};
use tidebreak::events::{Event, Keeping};
use tidebreak::layout::OBS_WIDTH;
use tidebreak::metrics::unit_metrics;
use tidebreak::observe::row::observe_unit;
use tidebreak::orders::Controller;
use tidebreak::result::battle_result;
use tidebreak::reward::reward_components;
use tidebreak::scripts::controller_named;
use tidebreak::tick::PARTS;
use tidebreak::words::state_words;

use crate::tidebreak::read_battle;

mod errors {
    pyo3::import_exception!(diorama.contracts.errors, ConfigError);
    pyo3::import_exception!(diorama.contracts.errors, ContractError);
    pyo3::import_exception!(diorama.contracts.errors, SnapshotError);
}

use errors::{ConfigError, ContractError, SnapshotError};

const MAGIC: [u8; 4] = *b"TBSN";
const VERSION: u16 = 1;
const DEFAULT_CONTROLLER: &str = "script:auto";

type Observed<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<u8>>);
type Controllers = BTreeMap<String, String>;
type EventValues = (i64, i64, u8, i64, i64, i64, i64, f64, f64, i64);

/// Opening of a snapshot; the fields are in the order of sorted keys.
#[derive(Deserialize, Serialize)]
struct Header {
    content_hash: String,
    initial_state_hash: String,
    package_sha256: String,
}

/// One battle and who commands its units.
#[pyclass(module = "diorama._native")]
pub struct TidebreakArena {
    arena: Arena,
    sha256: String,
    is_poisoned: bool,
}

#[pymethods]
impl TidebreakArena {
    #[new]
    #[pyo3(signature = (document, sha256, controllers, *, seed=None, is_collecting=false))]
    fn new(
        py: Python<'_>,
        document: &[u8],
        sha256: String,
        controllers: Controllers,
        seed: Option<u64>,
        is_collecting: bool,
    ) -> PyResult<Self> {
        let arena = py.detach(|| guarded(|| open_arena(document, &controllers, seed, is_collecting)))??;
        Ok(Self { arena, sha256, is_poisoned: false })
    }

    #[getter]
    fn tick(&self) -> i64 {
        self.arena.battle().tick
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.arena.battle().outcome.is_over()
    }

    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        let arena = &mut self.arena;
        let seed = seed.unwrap_or(arena.battle().spec.seed);
        self.is_poisoned = true;
        py.detach(|| guarded(|| arena.reset(seed)))?;
        self.is_poisoned = false;
        Ok(())
    }

    fn set_controller(&mut self, ship_id: &str, name: &str) -> PyResult<()> {
        let place = self.place_of(ship_id)?;
        self.arena.set_controller(place, controller_named(name).map_err(ConfigError::new_err)?);
        Ok(())
    }

    fn step(&mut self, py: Python<'_>, actions: BTreeMap<String, Vec<i32>>) -> PyResult<()> {
        self.check_usable()?;
        if self.is_over() {
            return Err(ContractError::new_err("the battle is over; reset it first"));
        }
        let decisions: Vec<(usize, Decision)> = actions
            .iter()
            .map(|(ship_id, options)| Ok((self.agent_place(ship_id)?, checked(options)?)))
            .collect::<PyResult<_>>()?;
        let arena = &mut self.arena;
        self.is_poisoned = true;
        py.detach(|| {
            guarded(|| {
                for (place, decision) in decisions {
                    arena.latch(place, &decision);
                }
                arena.step();
            })
        })?;
        self.is_poisoned = false;
        Ok(())
    }

    /// Steps without actions for so many ticks or to the end; seconds spent in each part of the tick, and in looking.
    fn profile(&mut self, py: Python<'_>, ticks: usize) -> PyResult<BTreeMap<&'static str, f64>> {
        self.check_usable()?;
        let arena = &mut self.arena;
        self.is_poisoned = true;
        let seconds = py.detach(|| guarded(|| profile(arena, ticks)))?;
        self.is_poisoned = false;
        Ok(seconds)
    }

    fn abort(&mut self) -> PyResult<()> {
        self.check_usable()?;
        self.arena.abort();
        Ok(())
    }

    fn result(&self) -> PyResult<String> {
        self.check_usable()?;
        battle_result(self.arena.battle()).map(|result| result.to_string()).map_err(ContractError::new_err)
    }

    fn events(&mut self) -> Vec<EventValues> {
        self.arena.events().iter().map(event_values).collect()
    }

    fn state_hash(&self) -> u64 {
        self.arena.state_hash()
    }

    fn state_words<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_vec(py, state_words(self.arena.battle()))
    }

    fn observe<'py>(&self, py: Python<'py>, ship_id: &str) -> PyResult<Observed<'py>> {
        let place = self.place_of(ship_id)?;
        let (mut row, mut mask) = (vec![0.0; OBS_WIDTH], vec![0; N_OPTIONS]);
        guarded(|| observe_unit(self.arena.battle(), place, false, &mut row, &mut mask))?;
        Ok((PyArray1::from_vec(py, row), PyArray1::from_vec(py, mask)))
    }

    fn reward_components(&self, ship_id: &str) -> PyResult<Vec<f64>> {
        Ok(reward_components(self.arena.battle(), self.place_of(ship_id)?).to_vec())
    }

    fn metrics(&self, ship_id: &str) -> PyResult<Vec<f64>> {
        Ok(unit_metrics(self.arena.battle(), self.place_of(ship_id)?).to_vec())
    }

    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.check_usable()?;
        let battle = self.arena.battle();
        let header = Header {
            content_hash: battle.spec.content_hash.clone(),
            initial_state_hash: format!("{:016x}", battle.initial_hash),
            package_sha256: self.sha256.clone(),
        };
        let header = serde_json::to_vec(&header).map_err(|error| SnapshotError::new_err(error.to_string()))?;
        let mut words = WordWriter::new();
        self.arena.write_words(&mut words);
        Ok(PyBytes::new(py, &snapshot::pack(MAGIC, VERSION, &header, words.as_slice())))
    }

    fn restore(&mut self, data: &[u8]) -> PyResult<()> {
        let (header, words) = snapshot::unpack(data, MAGIC, VERSION).map_err(snapshot_error)?;
        let header: Header = serde_json::from_slice(&header).map_err(snapshot_error)?;
        if header.package_sha256 != self.sha256 {
            let reason = "C021 the snapshot is of another package; restore it into the battle it was taken from";
            return Err(SnapshotError::new_err(reason));
        }
        let initial_hash = u64::from_str_radix(&header.initial_state_hash, 16).map_err(snapshot_error)?;
        let mut arena = self.arena.clone();
        let mut reader = WordReader::new(&words);
        arena.read_words(initial_hash, &mut reader).map_err(snapshot_error)?;
        reader.finish().map_err(snapshot_error)?;
        self.arena = arena;
        self.is_poisoned = false;
        Ok(())
    }
}

impl TidebreakArena {
    fn check_usable(&self) -> PyResult<()> {
        if self.is_poisoned {
            return Err(ContractError::new_err("C900 the battle failed in a step and cannot go on; reset it"));
        }
        Ok(())
    }

    fn place_of(&self, ship_id: &str) -> PyResult<usize> {
        let units = &self.arena.battle().spec.units;
        let place = units.iter().position(|unit| unit.ship_id == ship_id);
        place.ok_or_else(|| unknown_ship(units.iter().map(|unit| unit.ship_id.as_str()), ship_id))
    }

    fn agent_place(&self, ship_id: &str) -> PyResult<usize> {
        let place = self.place_of(ship_id)?;
        let controller = &self.arena.battle().controllers[place];
        if controller.script.is_some() {
            let reason = format!("'{ship_id}' is under '{}'; only agents take actions", controller.name);
            return Err(ContractError::new_err(reason));
        }
        Ok(place)
    }
}

#[pyfunction]
fn tidebreak_simulate<'py>(
    py: Python<'py>,
    document: &[u8],
    controllers: Controllers,
) -> PyResult<Bound<'py, PyBytes>> {
    let result = py.detach(|| {
        guarded(|| {
            let mut arena = open_arena(document, &controllers, None, false)?;
            while !arena.battle().outcome.is_over() {
                arena.step();
            }
            battle_result(arena.battle()).map(|result| result.to_string()).map_err(ContractError::new_err)
        })
    })??;
    Ok(PyBytes::new(py, result.as_bytes()))
}

fn open_arena(document: &[u8], controllers: &Controllers, seed: Option<u64>, is_collecting: bool) -> PyResult<Arena> {
    let battle = read_battle(document).map_err(ContractError::new_err)?;
    let ships = || battle.units.iter().map(|unit| unit.ship_id.as_str());
    if let Some(ship_id) = controllers.keys().find(|ship_id| !ships().any(|known| known == ship_id.as_str())) {
        return Err(unknown_ship(ships(), ship_id));
    }
    let named = |ship_id: &str| controllers.get(ship_id).map_or(DEFAULT_CONTROLLER, String::as_str);
    let controllers: Vec<Controller> = ships()
        .map(|ship_id| controller_named(named(ship_id)).map_err(ConfigError::new_err))
        .collect::<PyResult<_>>()?;
    let keeping = if is_collecting { Keeping::Everything } else { Keeping::Nothing };
    let seed = seed.unwrap_or(battle.seed);
    Arena::new(Arc::new(battle), controllers, seed, keeping)
        .map_err(|reason| ContractError::new_err(format!("C001 not a resolved package: {reason}")))
}

fn profile(arena: &mut Arena, ticks: usize) -> BTreeMap<&'static str, f64> {
    let mut seconds = BTreeMap::new();
    let (mut row, mut mask) = ([0.0; OBS_WIDTH], [0; N_OPTIONS]);
    for _ in 0..ticks {
        if arena.battle().outcome.is_over() {
            break;
        }
        let mut last = Instant::now();
        let mut count = |part: &'static str| {
            let now = Instant::now();
            *seconds.entry(part).or_insert(0.0) += (now - last).as_secs_f64();
            last = now;
        };
        arena.step_watched(|part| count(PARTS[part]));
        for place in 0..arena.battle().starting_units() {
            observe_unit(arena.battle(), place, false, &mut row, &mut mask);
        }
        count("observe");
        arena.forget_events();
    }
    seconds
}

/// Keeps a panic from unwinding into Python.
fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| ContractError::new_err("C900 the battle failed in a step and cannot go on; reset it"))
}

fn checked(options: &[i32]) -> PyResult<Decision> {
    check_decision(options).map_err(ContractError::new_err)
}

fn unknown_ship<'a>(known: impl Iterator<Item = &'a str>, ship_id: &str) -> PyErr {
    let known: Vec<&str> = known.collect();
    ContractError::new_err(format!("there is no ship '{ship_id}'; there are: {}", known.join(", ")))
}

fn snapshot_error(error: impl ToString) -> PyErr {
    SnapshotError::new_err(error.to_string())
}

fn event_values(event: &Event) -> EventValues {
    let news = &event.news;
    let kind = news.kind as u8;
    (event.id, event.tick, kind, news.source, news.target, news.cause, event.trace, news.f0, news.f1, news.i0)
}

/// Adds the arena to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TidebreakArena>()?;
    module.add_function(wrap_pyfunction!(tidebreak_simulate, module)?)?;
    Ok(())
}
