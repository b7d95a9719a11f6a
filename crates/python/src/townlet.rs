//! Makes batches of `townlet` from the documents that `worlds/townlet/core_documents.py` writes.

use std::sync::Arc;

use ::townlet::codes::{OPTIONS, PRIMITIVES};
use ::townlet::config::SimulationConfig;
use ::townlet::events::EVENT_NAMES;
use ::townlet::metrics::METRICS;
use ::townlet::setup::Setup;
use ::townlet::simulation::{Shared, Townlet};
use ::townlet::tables::town_tables::TablesDocument;
use kernel::batch::Batch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::NativeBatch;

#[pyfunction]
fn townlet_batch(
    header: &str,
    config: &str,
    tables: &str,
    copies: usize,
    seed: u64,
    threads: usize,
) -> PyResult<NativeBatch> {
    let batch = Batch::new(Townlet::new(shared_of(config, tables)?), copies, seed, threads, header.as_bytes());
    Ok(NativeBatch::new(batch.map_err(PyValueError::new_err)?))
}

/// Has the towns of a batch go on under other documents from the next step on.
#[pyfunction]
fn townlet_reload(mut batch: PyRefMut<'_, NativeBatch>, header: &str, config: &str, tables: &str) -> PyResult<()> {
    batch.stage_reload(&shared_of(config, tables)?, header)
}

#[pyfunction]
fn townlet_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let shown = PyDict::new(py);
    shown.set_item("events", EVENT_NAMES.to_vec())?;
    shown.set_item("actions", (OPTIONS, PRIMITIVES))?;
    shown.set_item("metrics", METRICS)?;
    Ok(shown)
}

fn shared_of(config: &str, tables: &str) -> PyResult<Arc<Shared>> {
    let config: SimulationConfig = read(config)?;
    let tables: TablesDocument = read(tables)?;
    Ok(Arc::new(Shared::new(Setup { tables: tables.into(), config })))
}

fn read<'a, T: serde::Deserialize<'a>>(document: &'a str) -> PyResult<T> {
    serde_json::from_str(document).map_err(|error| PyValueError::new_err(format!("not a document of a town: {error}")))
}

/// Adds the functions of this world to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(townlet_batch, module)?)?;
    module.add_function(wrap_pyfunction!(townlet_reload, module)?)?;
    module.add_function(wrap_pyfunction!(townlet_tables, module)?)?;
    Ok(())
}
