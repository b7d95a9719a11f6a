//! Shows generated battles of `tidebreak`, so that they can be held against the readable tier's.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tidebreak::generation::catalogue::ContentTables;
use tidebreak::generation::generator::Generator;
use tidebreak::generation::stages::{STAGE_COUNT, episode_stage};

/// Reads the content that native copies of a stage build their battles from.
///
/// # Errors
/// When the text is no catalogue, or lacks a class that scenarios draw.
pub fn read_generator(catalogue: &[u8]) -> Result<Generator, String> {
    let tables: ContentTables =
        serde_json::from_slice(catalogue).map_err(|error| format!("C001 not a class catalogue: {error}"))?;
    Generator::new(tables)
}

/// Draws battles of the curriculum.
#[pyclass(frozen, module = "diorama._native")]
struct TidebreakGenerator {
    generator: Generator,
}

#[pymethods]
impl TidebreakGenerator {
    #[new]
    fn new(catalogue: &[u8]) -> PyResult<Self> {
        Ok(Self { generator: read_generator(catalogue).map_err(PyValueError::new_err)? })
    }

    fn generate(&self, stage: i64, seed: u64) -> PyResult<(String, i64)> {
        check_stage(stage)?;
        let scenario = self.generator.generate(stage, seed);
        let text = serde_json::to_string(&scenario.battle).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((text, scenario.agent_team))
    }

    #[staticmethod]
    fn episode_stage(stage: i64, seed: u64) -> PyResult<i64> {
        check_stage(stage)?;
        Ok(episode_stage(stage, seed))
    }
}

fn check_stage(stage: i64) -> PyResult<()> {
    if (1..=STAGE_COUNT).contains(&stage) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("stage {stage} does not exist; stages are 1 to {STAGE_COUNT}")))
}

/// Adds the generator to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<TidebreakGenerator>()
}
