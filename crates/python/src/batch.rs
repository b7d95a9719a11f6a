//! A batch of any native world as a Python object.

use std::any::Any;

use kernel::batch::{AnyBatch, NewConfig, StepError};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::buffers::{BorrowedBuffers, KnownBuffers};
use crate::records;

mod errors {
    pyo3::import_exception!(diorama.contracts.errors, UnknownOption);
}

use errors::UnknownOption;

/// Copies of one world; `diorama.native.NativeCore` is its Python face.
#[pyclass(module = "diorama._native")]
pub struct NativeBatch {
    batch: Box<dyn AnyBatch>,
    /// What the last step wrote into.
    known: Option<KnownBuffers>,
}

impl NativeBatch {
    /// Wraps a batch.
    pub fn new(batch: impl AnyBatch + 'static) -> Self {
        Self { batch: Box::new(batch), known: None }
    }

    /// Has every copy go on under another configuration from the next step on.
    pub fn stage_reload(&mut self, reload: &dyn Any, header: &str) -> PyResult<()> {
        self.batch.stage_reload(reload, header.as_bytes()).map_err(PyValueError::new_err)
    }

    fn checked(&self, copy: usize) -> PyResult<usize> {
        let copies = self.batch.copies();
        if copy < copies { Ok(copy) } else { Err(PyIndexError::new_err(format!("no copy {copy} among {copies}"))) }
    }
}

#[pymethods]
impl NativeBatch {
    #[getter]
    fn copies(&self) -> usize {
        self.batch.copies()
    }

    #[pyo3(signature = (copies, seeds, buffers))]
    fn reset(
        &mut self,
        py: Python<'_>,
        copies: Vec<usize>,
        seeds: Option<Vec<u64>>,
        mut buffers: BorrowedBuffers<'_>,
    ) -> PyResult<()> {
        let rows = buffers.rows()?;
        let batch = &mut self.batch;
        py.detach(|| batch.reset(&copies, seeds.as_deref(), rows)).map_err(PyValueError::new_err)
    }

    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray2<'_, i32>, buffers: Bound<'_, PyAny>) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|_| PyValueError::new_err("actions must be C-contiguous"))?;
        let known = match self.known.take().filter(|known| known.is_of(&buffers)) {
            Some(known) => known,
            None => KnownBuffers::of(&buffers)?,
        };
        let batch = &mut self.batch;
        let mut borrowed = self.known.insert(known).borrow(py)?;
        let rows = borrowed.rows()?;
        py.detach(|| batch.step(actions, rows)).map_err(step_error)
    }

    fn episode_seed(&self, copy: usize) -> PyResult<u64> {
        Ok(self.batch.episode_seed(self.checked(copy)?))
    }

    fn step_record<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, PyDict>> {
        records::to_python(py, &self.batch.step_record(self.checked(copy)?))
    }

    fn opening_record<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, PyDict>> {
        records::to_python(py, &self.batch.opening_record(self.checked(copy)?))
    }

    fn picture(&self, copy: usize) -> PyResult<String> {
        Ok(self.batch.picture(self.checked(copy)?))
    }

    fn reward_parts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_vec(py, self.batch.reward_parts())
    }

    fn expert_actions(&self, mut actions: PyReadwriteArray2<'_, i32>) -> PyResult<()> {
        let actions = actions.as_slice_mut().map_err(|_| PyValueError::new_err("actions must be C-contiguous"))?;
        self.batch.expert_actions(actions).map_err(PyValueError::new_err)
    }

    fn snapshot<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.batch.snapshot(self.checked(copy)?)))
    }

    fn restore(&mut self, copy: usize, data: &[u8], mut buffers: BorrowedBuffers<'_>) -> PyResult<()> {
        let copy = self.checked(copy)?;
        self.batch.restore(copy, data, buffers.rows()?).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn start_from(
        &mut self,
        copy: usize,
        data: &[u8],
        seed: Option<u64>,
        mut buffers: BorrowedBuffers<'_>,
    ) -> PyResult<()> {
        let copy = self.checked(copy)?;
        let rows = buffers.rows()?;
        self.batch.start_from(copy, data, seed, rows).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn reconfigure(
        &mut self,
        py: Python<'_>,
        copies: Vec<usize>,
        prototypes: Vec<PyRef<'_, NativeBatch>>,
        seeds: Vec<u64>,
        mut buffers: BorrowedBuffers<'_>,
    ) -> PyResult<()> {
        let changes: Vec<NewConfig<'_>> = copies
            .iter()
            .zip(&prototypes)
            .zip(&seeds)
            .map(|((&copy, prototype), &seed)| NewConfig { copy, prototype: &*prototype.batch, seed })
            .collect();
        if changes.len() != copies.len() {
            return Err(PyValueError::new_err("every copy needs a native batch as its prototype, and a seed"));
        }
        let rows = buffers.rows()?;
        let batch = &mut self.batch;
        py.detach(|| batch.reconfigure(&changes, rows)).map_err(PyValueError::new_err)
    }

    fn state_words<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_vec(py, self.batch.state_words(self.checked(copy)?)))
    }

    fn state_hash(&self, copy: usize) -> PyResult<u64> {
        Ok(self.batch.state_hash(self.checked(copy)?))
    }

    fn carried<'py>(&self, py: Python<'py>, copy: usize) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_vec(py, self.batch.carried(self.checked(copy)?)))
    }

    fn carry(&mut self, copy: usize, words: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let copy = self.checked(copy)?;
        let words = words.as_slice().map_err(|_| PyValueError::new_err("words must be C-contiguous"))?;
        self.batch.carry(copy, words).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn stay_awake(&self, py: Python<'_>) {
        let batch = &self.batch;
        py.detach(|| batch.stay_awake());
    }

    fn rest(&self) {
        self.batch.rest();
    }

    fn split(&mut self, sizes: Vec<usize>) -> PyResult<Vec<NativeBatch>> {
        let parts = self.batch.split(&sizes).map_err(PyValueError::new_err)?;
        Ok(parts.into_iter().map(|batch| NativeBatch { batch, known: None }).collect())
    }
}

fn step_error(error: StepError) -> PyErr {
    match error {
        StepError::Failed(reason) => PyValueError::new_err(reason),
        StepError::UnknownOption(reason) => UnknownOption::new_err(reason),
    }
}
