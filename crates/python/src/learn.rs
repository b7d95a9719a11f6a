//! The trainer's inner loops over numpy arrays; `diorama.learn` presents them to torch.

use learn::advantages::{Correction, Decay, Rollout, advantages};
use learn::heads::Heads;
use learn::sample::{DrawKey, sample};
use learn::scan::{linear_scan, linear_scan_backward};
use learn::score::{ScoreGradient, Scores, score, score_backward};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use policy::processor::{Simd, Work, vectorized};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Adds these to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<HeadKernel>()?;
    module.add_function(wrap_pyfunction!(rollout_advantages, module)?)?;
    module.add_function(wrap_pyfunction!(scan_forward, module)?)?;
    module.add_function(wrap_pyfunction!(scan_backward, module)?)
}

/// Masked choices over a fixed layout of heads.
#[pyclass(frozen, module = "diorama._native")]
pub struct HeadKernel {
    pub(crate) heads: Heads,
}

#[pymethods]
impl HeadKernel {
    #[new]
    fn new(sizes: Vec<usize>, noops: Vec<i32>, exploration: Vec<f32>) -> PyResult<Self> {
        Ok(Self { heads: Heads::new(sizes, noops, exploration).map_err(PyValueError::new_err)? })
    }

    #[pyo3(signature = (logits, masks, key, actions, log_probs))]
    fn sample(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        masks: Option<PyReadonlyArray2<'_, u8>>,
        key: Option<(u64, u64, u64, u64, u64)>,
        mut actions: PyReadwriteArray2<'_, i32>,
        mut log_probs: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<usize> {
        let logits = table("logits", &logits)?;
        let masks = masks.as_ref().map(|masks| table("masks", masks)).transpose()?;
        let key = key.map(|(seed, update, step, row, head)| DrawKey { seed, update, step, row, head });
        let actions = table_mut("actions", &mut actions)?;
        let log_probs = table_mut("log_probs", &mut log_probs)?;
        py.detach(|| vectorized(Sampling { heads: &self.heads, logits, masks, key, actions, log_probs }))
            .map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (logits, masks, actions, log_probs, entropies, choices, log_sums, probabilities))]
    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn score(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        masks: Option<PyReadonlyArray2<'_, u8>>,
        actions: PyReadonlyArray2<'_, i32>,
        mut log_probs: PyReadwriteArray2<'_, f32>,
        mut entropies: PyReadwriteArray2<'_, f32>,
        mut choices: PyReadwriteArray2<'_, f32>,
        mut log_sums: PyReadwriteArray2<'_, f32>,
        mut probabilities: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        let logits = table("logits", &logits)?;
        let masks = masks.as_ref().map(|masks| table("masks", masks)).transpose()?;
        let actions = table("actions", &actions)?;
        let out = Scores {
            log_probs: table_mut("log_probs", &mut log_probs)?,
            entropies: table_mut("entropies", &mut entropies)?,
            choices: table_mut("choices", &mut choices)?,
            log_sums: table_mut("log_sums", &mut log_sums)?,
            probabilities: table_mut("probabilities", &mut probabilities)?,
        };
        py.detach(|| vectorized(Scoring { heads: &self.heads, logits, masks, actions, out }))
            .map_err(PyValueError::new_err)
    }

    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn score_backward(
        &self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        actions: PyReadonlyArray2<'_, i32>,
        probabilities: PyReadonlyArray2<'_, f32>,
        entropies: PyReadonlyArray2<'_, f32>,
        choices: PyReadonlyArray2<'_, f32>,
        log_sums: PyReadonlyArray2<'_, f32>,
        of_log_probs: PyReadonlyArray2<'_, f32>,
        of_entropies: PyReadonlyArray2<'_, f32>,
        mut of_logits: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        let given = ScoreGradient {
            logits: table("logits", &logits)?,
            actions: table("actions", &actions)?,
            probabilities: table("probabilities", &probabilities)?,
            entropies: table("entropies", &entropies)?,
            choices: table("choices", &choices)?,
            log_sums: table("log_sums", &log_sums)?,
            of_log_probs: table("of_log_probs", &of_log_probs)?,
            of_entropies: table("of_entropies", &of_entropies)?,
        };
        let of_logits = table_mut("of_logits", &mut of_logits)?;
        py.detach(|| vectorized(ScoringBackward { heads: &self.heads, given, of_logits }))
            .map_err(PyValueError::new_err)
    }
}

struct Sampling<'a> {
    heads: &'a Heads,
    logits: &'a [f32],
    masks: Option<&'a [u8]>,
    key: Option<DrawKey>,
    actions: &'a mut [i32],
    log_probs: &'a mut [f32],
}

impl Work for Sampling<'_> {
    type Output = Result<usize, String>;

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) -> Self::Output {
        sample(self.heads, self.logits, self.masks, self.key, self.actions, self.log_probs)
    }
}

struct Scoring<'a> {
    heads: &'a Heads,
    logits: &'a [f32],
    masks: Option<&'a [u8]>,
    actions: &'a [i32],
    out: Scores<'a>,
}

impl Work for Scoring<'_> {
    type Output = Result<(), String>;

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) -> Self::Output {
        score(self.heads, self.logits, self.masks, self.actions, self.out)
    }
}

struct ScoringBackward<'a> {
    heads: &'a Heads,
    given: ScoreGradient<'a>,
    of_logits: &'a mut [f32],
}

impl Work for ScoringBackward<'_> {
    type Output = Result<(), String>;

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) -> Self::Output {
        score_backward(self.heads, &self.given, self.of_logits)
    }
}

#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
fn rollout_advantages(
    py: Python<'_>,
    rewards: PyReadonlyArray2<'_, f32>,
    values: PyReadonlyArray2<'_, f32>,
    terminated: PyReadonlyArray2<'_, u8>,
    truncated: PyReadonlyArray2<'_, u8>,
    bootstrap: PyReadonlyArray2<'_, f32>,
    discounts: Option<PyReadonlyArray2<'_, f32>>,
    decay: (f32, f32),
    correction: Option<(PyReadonlyArray2<'_, f32>, f32, f32)>,
    mut out: PyReadwriteArray2<'_, f32>,
) -> PyResult<()> {
    let rows = out.as_array().ncols();
    let rollout = Rollout {
        rewards: table("rewards", &rewards)?,
        values: table("values", &values)?,
        terminated: table("terminated", &terminated)?,
        truncated: table("truncated", &truncated)?,
        bootstrap: table("bootstrap", &bootstrap)?,
        discounts: discounts.as_ref().map(|discounts| table("discounts", discounts)).transpose()?,
    };
    let decay = Decay { gamma: decay.0, lambda: decay.1 };
    let correction = match &correction {
        Some((ratios, rho_clip, c_clip)) => {
            Some(Correction { ratios: table("ratios", ratios)?, rho_clip: *rho_clip, c_clip: *c_clip })
        }
        None => None,
    };
    let out = table_mut("out", &mut out)?;
    py.detach(|| advantages(&rollout, rows, decay, correction, out)).map_err(PyValueError::new_err)
}

#[pyfunction]
fn scan_forward(
    py: Python<'_>,
    a: PyReadonlyArray2<'_, f32>,
    b: PyReadonlyArray2<'_, f32>,
    first: PyReadonlyArray1<'_, f32>,
    mut h: PyReadwriteArray2<'_, f32>,
) -> PyResult<()> {
    let (a, b) = (table("a", &a)?, table("b", &b)?);
    let first = first.as_slice().map_err(|_| not_contiguous("first"))?;
    let h = table_mut("h", &mut h)?;
    py.detach(|| linear_scan(a, b, first, h)).map_err(PyValueError::new_err)
}

#[pyfunction]
fn scan_backward(
    py: Python<'_>,
    a: PyReadonlyArray2<'_, f32>,
    of_h: PyReadonlyArray2<'_, f32>,
    mut of_first: PyReadwriteArray1<'_, f32>,
    mut g: PyReadwriteArray2<'_, f32>,
) -> PyResult<()> {
    let (a, of_h) = (table("a", &a)?, table("of_h", &of_h)?);
    let of_first = of_first.as_slice_mut().map_err(|_| not_contiguous("of_first"))?;
    let g = table_mut("g", &mut g)?;
    py.detach(|| linear_scan_backward(a, of_h, of_first, g)).map_err(PyValueError::new_err)
}

pub(crate) fn table<'a, T: Element>(name: &str, array: &'a PyReadonlyArray2<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| not_contiguous(name))
}

pub(crate) fn table_mut<'a, T: Element>(name: &str, array: &'a mut PyReadwriteArray2<'_, T>) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| not_contiguous(name))
}

pub(crate) fn not_contiguous(name: &str) -> PyErr {
    PyValueError::new_err(format!("array '{name}' must be C-contiguous"))
}
