//! Borrows the arrays of a Python `Buffers` object as rows the kernel writes into.

use kernel::rows::Rows;
use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{Element, PyArray, PyArrayMethods, PyReadwriteArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The arrays of `diorama.contracts.buffers.Buffers`, borrowed for one call.
#[derive(FromPyObject)]
pub struct BorrowedBuffers<'py> {
    obs: Writable<'py, f32, Ix2>,
    obs_u8: Writable<'py, u8, Ix2>,
    masks: Writable<'py, u8, Ix2>,
    rewards: Writable<'py, f32, Ix1>,
    terminated: Writable<'py, u8, Ix1>,
    truncated: Writable<'py, u8, Ix1>,
    alive: Writable<'py, u8, Ix1>,
    episode_start: Writable<'py, u8, Ix1>,
    metrics: Writable<'py, f32, Ix2>,
    dt: Writable<'py, u16, Ix1>,
    events: Writable<'py, u64, Ix1>,
    final_obs: Writable<'py, f32, Ix2>,
    final_obs_u8: Writable<'py, u8, Ix2>,
}

impl BorrowedBuffers<'_> {
    /// The same arrays as slices.
    pub fn rows(&mut self) -> PyResult<Rows<'_>> {
        Ok(Rows {
            obs: self.obs.rows("obs")?,
            obs_u8: self.obs_u8.rows("obs_u8")?,
            masks: self.masks.rows("masks")?,
            rewards: self.rewards.rows("rewards")?,
            terminated: self.terminated.rows("terminated")?,
            truncated: self.truncated.rows("truncated")?,
            alive: self.alive.rows("alive")?,
            episode_start: self.episode_start.rows("episode_start")?,
            metrics: self.metrics.rows("metrics")?,
            dt: self.dt.rows("dt")?,
            events: self.events.rows("events")?,
            final_obs: self.final_obs.rows("final_obs")?,
            final_obs_u8: self.final_obs_u8.rows("final_obs_u8")?,
        })
    }
}

/// An array borrowed for writing; one without elements is not borrowed at all.
///
/// The parts of a split batch write into neighbouring views of the same arrays at the same time. Views without elements
/// all lie at the same address, and the borrow checker of `numpy` would take the second for the first.
struct Writable<'py, T: Element, D: Dimension>(Option<PyReadwriteArray<'py, T, D>>);

impl<'a, 'py, T: Element + 'a, D: Dimension + 'a> FromPyObject<'a, 'py> for Writable<'py, T, D> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = object.cast::<PyArray<T, D>>()?;
        if array.is_empty() { Ok(Self(None)) } else { Ok(Self(Some(array.try_readwrite()?))) }
    }
}

impl<T: Element, D: Dimension> Writable<'_, T, D> {
    fn rows(&mut self, name: &str) -> PyResult<&mut [T]> {
        match &mut self.0 {
            None => Ok(&mut []),
            Some(array) => {
                array.as_slice_mut().map_err(|_| PyValueError::new_err(format!("buffer '{name}' must be C-contiguous")))
            }
        }
    }
}
