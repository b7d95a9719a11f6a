//! Makes batches of `prospector` and shows the core's tables to the contract tests.

use kernel::batch::Batch;
use kernel::bots::Bots;
use prospector::bots::{Explorer, PrudentHauler, Refiner};
use prospector::tables;
use prospector::{Config, Prospector, RewardProfile};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;

use crate::batch::NativeBatch;
use crate::bots::NativeBots;

/// The configuration as it crosses from Python, already validated there.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigJson {
    time_max: f64,
    reward_profile: String,
    invalid_action_pen: f64,
    pirates: bool,
    hazards: bool,
    fractures: bool,
    price_impact: bool,
    market_noise: bool,
    scan_noise: bool,
}

impl ConfigJson {
    fn parse(text: &str) -> Result<Config, String> {
        let json: Self = serde_json::from_str(text).map_err(|error| format!("prospector configuration: {error}"))?;
        let reward_profile = match json.reward_profile.as_str() {
            "v1" => RewardProfile::V1,
            "v2" => RewardProfile::V2,
            other => return Err(format!("reward profile '{other}' does not exist; use 'v1' or 'v2'")),
        };
        let config = Config {
            time_max: json.time_max,
            reward_profile,
            invalid_action_pen: json.invalid_action_pen,
            pirates: json.pirates,
            hazards: json.hazards,
            fractures: json.fractures,
            price_impact: json.price_impact,
            market_noise: json.market_noise,
            scan_noise: json.scan_noise,
        };
        config.validate()?;
        Ok(config)
    }
}

#[pyfunction]
fn prospector_batch(config_json: &str, copies: usize, seed: u64, threads: usize) -> PyResult<NativeBatch> {
    let config = ConfigJson::parse(config_json).map_err(PyValueError::new_err)?;
    let batch = Batch::new(Prospector::new(config), copies, seed, threads, config_json.as_bytes());
    Ok(NativeBatch::new(batch.map_err(PyValueError::new_err)?))
}

/// Scripted pilots for so many rows.
#[pyfunction]
fn prospector_bots(name: &str, rows: usize) -> PyResult<NativeBots> {
    match name {
        "prudent_hauler" => Ok(NativeBots::new(Bots::new(PrudentHauler, rows))),
        "refiner" => Ok(NativeBots::new(Bots::new(Refiner, rows))),
        "explorer" => Ok(NativeBots::new(Bots::new(Explorer, rows))),
        other => Err(PyValueError::new_err(format!(
            "pilot '{other}' does not exist here; use 'prudent_hauler', 'refiner' or 'explorer'"
        ))),
    }
}

#[pyfunction]
fn prospector_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("observation", tables::OBSERVATION_FIELDS.to_vec())?;
    shown.set_item("actions", tables::ACTION_NAMES.to_vec())?;
    shown.set_item("metrics", tables::METRIC_NAMES.to_vec())?;
    shown.set_item("events", tables::EVENT_NAMES.to_vec())?;
    Ok(shown)
}

/// Adds the functions of this world to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(prospector_batch, module)?)?;
    module.add_function(wrap_pyfunction!(prospector_bots, module)?)?;
    module.add_function(wrap_pyfunction!(prospector_tables, module)?)?;
    Ok(())
}
