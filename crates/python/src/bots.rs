//! The scripted players of a batch as a Python object.

use kernel::bots::AnyBots;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::learn::{not_contiguous, table, table_mut};

/// One scripted player per row; `diorama.native.NativeBotRows` is its Python face.
#[pyclass(module = "diorama._native")]
pub struct NativeBots {
    bots: Box<dyn AnyBots>,
}

impl NativeBots {
    /// Wraps players.
    pub fn new(bots: impl AnyBots + 'static) -> Self {
        Self { bots: Box::new(bots) }
    }
}

#[pymethods]
impl NativeBots {
    #[getter]
    fn rows(&self) -> usize {
        self.bots.rows()
    }

    #[getter]
    fn heads(&self) -> usize {
        self.bots.heads()
    }

    #[pyo3(signature = (rows, seeds))]
    fn reset(&mut self, rows: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        let known = self.bots.rows();
        for (row, seed) in rows.into_iter().zip(seeds) {
            if row >= known {
                return Err(PyIndexError::new_err(format!("no row {row} among {known}")));
            }
            self.bots.reset(row, seed);
        }
        Ok(())
    }

    #[pyo3(signature = (obs, masks, actions))]
    fn act(
        &mut self,
        py: Python<'_>,
        obs: PyReadonlyArray2<'_, f32>,
        masks: PyReadonlyArray2<'_, u8>,
        mut actions: PyReadwriteArray2<'_, i32>,
    ) -> PyResult<()> {
        let (obs, masks) = (table("obs", &obs)?, table("masks", &masks)?);
        let actions = table_mut("actions", &mut actions)?;
        py.detach(|| self.bots.act(obs, masks, actions)).map_err(PyValueError::new_err)
    }

    fn memories<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let mut words = vec![0; self.bots.rows() * self.bots.memory_words()];
        self.bots.write_memories(&mut words);
        PyArray1::from_vec(py, words)
    }

    #[pyo3(signature = (words))]
    fn load_memories(&mut self, words: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let words = words.as_slice().map_err(|_| not_contiguous("words"))?;
        self.bots.read_memories(words).map_err(PyValueError::new_err)
    }
}
