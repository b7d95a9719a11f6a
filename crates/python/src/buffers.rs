//! Borrows the arrays of a Python `Buffers` object as rows the kernel writes into.

use kernel::rows::Rows;
use numpy::{Element, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The arrays of `diorama.contracts.buffers.Buffers`, borrowed for one call.
#[derive(FromPyObject)]
pub struct BorrowedBuffers<'py> {
    obs: PyReadwriteArray2<'py, f32>,
    obs_u8: PyReadwriteArray2<'py, u8>,
    masks: PyReadwriteArray2<'py, u8>,
    rewards: PyReadwriteArray1<'py, f32>,
    terminated: PyReadwriteArray1<'py, u8>,
    truncated: PyReadwriteArray1<'py, u8>,
    alive: PyReadwriteArray1<'py, u8>,
    episode_start: PyReadwriteArray1<'py, u8>,
    metrics: PyReadwriteArray2<'py, f32>,
    dt: PyReadwriteArray1<'py, u16>,
    events: PyReadwriteArray1<'py, u64>,
    final_obs: PyReadwriteArray2<'py, f32>,
    final_obs_u8: PyReadwriteArray2<'py, u8>,
}

impl BorrowedBuffers<'_> {
    /// The same arrays as slices.
    pub fn rows(&mut self) -> PyResult<Rows<'_>> {
        Ok(Rows {
            obs: table("obs", &mut self.obs)?,
            obs_u8: table("obs_u8", &mut self.obs_u8)?,
            masks: table("masks", &mut self.masks)?,
            rewards: column("rewards", &mut self.rewards)?,
            terminated: column("terminated", &mut self.terminated)?,
            truncated: column("truncated", &mut self.truncated)?,
            alive: column("alive", &mut self.alive)?,
            episode_start: column("episode_start", &mut self.episode_start)?,
            metrics: table("metrics", &mut self.metrics)?,
            dt: column("dt", &mut self.dt)?,
            events: column("events", &mut self.events)?,
            final_obs: table("final_obs", &mut self.final_obs)?,
            final_obs_u8: table("final_obs_u8", &mut self.final_obs_u8)?,
        })
    }
}

fn table<'a, T: Element>(name: &str, array: &'a mut PyReadwriteArray2<'_, T>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| not_contiguous(name))
}

fn column<'a, T: Element>(name: &str, array: &'a mut PyReadwriteArray1<'_, T>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| not_contiguous(name))
}

fn not_contiguous(name: &str) -> PyErr {
    PyValueError::new_err(format!("buffer '{name}' must be C-contiguous"))
}
