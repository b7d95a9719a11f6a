//! The kernel's numerics and draws over arrays, so that tests can hold them against their Python twins bit for bit.

use kernel::pcg32::Pcg32;
use kernel::{keyed, numerics, seeds, state_hash};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Floats<'py> = Bound<'py, PyArray1<f64>>;

const KEYS: usize = 6; // seed, stream, tick, a, b, k

/// Adds these functions to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(numerics_map, module)?)?;
    module.add_function(wrap_pyfunction!(numerics_map2, module)?)?;
    module.add_function(wrap_pyfunction!(pcg32_u32, module)?)?;
    module.add_function(wrap_pyfunction!(pcg32_named_u32, module)?)?;
    module.add_function(wrap_pyfunction!(pcg32_draws, module)?)?;
    module.add_function(wrap_pyfunction!(pcg32_shuffle, module)?)?;
    module.add_function(wrap_pyfunction!(pcg32_choices, module)?)?;
    module.add_function(wrap_pyfunction!(keyed_draws, module)?)?;
    module.add_function(wrap_pyfunction!(hash_words, module)?)?;
    module.add_function(wrap_pyfunction!(episode_seeds, module)?)
}

#[pyfunction]
fn numerics_map<'py>(py: Python<'py>, name: &str, x: PyReadonlyArray1<'py, f64>) -> PyResult<Floats<'py>> {
    let apply: fn(&mut [f64]) = match name {
        "ceil" => |values| map_each(values, numerics::ceil),
        "cos" => numerics::cos_each,
        "exp" => numerics::exp_each,
        "floor" => |values| map_each(values, numerics::floor),
        "ln" => numerics::ln_each,
        "log10" => |values| map_each(values, numerics::log10),
        "log1p" => |values| map_each(values, numerics::log1p),
        "norm2pi" => |values| map_each(values, numerics::norm2pi),
        "round_half_up" => |values| map_each(values, numerics::round_half_up),
        "sgn" => |values| map_each(values, numerics::sgn),
        "sigmoid" => |values| map_each(values, numerics::sigmoid),
        "sin" => numerics::sin_each,
        "wrap" => |values| map_each(values, numerics::wrap),
        _ => return Err(PyValueError::new_err(format!("no function of one number is called {name:?}"))),
    };
    let mut values = x.as_array().to_vec();
    apply(&mut values);
    Ok(PyArray1::from_vec(py, values))
}

#[inline(always)]
fn map_each(values: &mut [f64], function: impl Fn(f64) -> f64) {
    for value in values {
        *value = function(*value);
    }
}

#[pyfunction]
fn numerics_map2<'py>(
    py: Python<'py>,
    name: &str,
    a: PyReadonlyArray1<'py, f64>,
    b: PyReadonlyArray1<'py, f64>,
) -> PyResult<Floats<'py>> {
    let apply: fn(f64, f64) -> f64 = match name {
        "atan2" => numerics::atan2,
        "fmax" => numerics::fmax,
        "fmin" => numerics::fmin,
        "hyp" => numerics::hyp,
        _ => return Err(PyValueError::new_err(format!("no function of two numbers is called {name:?}"))),
    };
    let pairs = a.as_array().into_iter().zip(b.as_array());
    Ok(PyArray1::from_iter(py, pairs.map(|(&a, &b)| apply(a, b))))
}

#[pyfunction]
fn pcg32_u32(py: Python<'_>, seed: u64, stream: u64, n: usize) -> Bound<'_, PyArray1<u32>> {
    first_words(py, Pcg32::from_seed(seed, stream), n)
}

#[pyfunction]
fn pcg32_named_u32<'py>(py: Python<'py>, run_seed: &str, stream_name: &str, n: usize) -> Bound<'py, PyArray1<u32>> {
    first_words(py, Pcg32::named(run_seed, stream_name), n)
}

fn first_words(py: Python<'_>, mut rng: Pcg32, n: usize) -> Bound<'_, PyArray1<u32>> {
    let mut words = vec![0; n];
    rng.fill_u32(&mut words);
    PyArray1::from_vec(py, words)
}

#[pyfunction]
#[pyo3(signature = (seed, stream, kind, n, a = 0.0, b = 1.0))]
fn pcg32_draws<'py>(
    py: Python<'py>,
    seed: u64,
    stream: u64,
    kind: &str,
    n: usize,
    a: f64,
    b: f64,
) -> PyResult<Floats<'py>> {
    let mut rng = Pcg32::from_seed(seed, stream);
    let mut draw: Box<dyn FnMut() -> f64> = match kind {
        "beta32" => Box::new(move || rng.beta32()),
        "dirichlet6" => {
            let draws = (0..n.div_ceil(6)).flat_map(|_| rng.dirichlet6()).take(n);
            return Ok(PyArray1::from_iter(py, draws));
        }
        "exp_unit" => Box::new(move || rng.exp_unit()),
        "f64" => Box::new(move || rng.f64()),
        "lognormal" => Box::new(move || rng.lognormal(a, b)),
        "normal" => Box::new(move || rng.normal(a, b)),
        "randint_exclusive" => Box::new(move || rng.randint_exclusive(a as i64, b as i64) as f64),
        "randint_inclusive" => Box::new(move || rng.randint_inclusive(a as i64, b as i64) as f64),
        "uniform" => Box::new(move || rng.uniform(a, b)),
        _ => return Err(PyValueError::new_err(format!("no draw is called {kind:?}"))),
    };
    Ok(PyArray1::from_iter(py, (0..n).map(|_| draw())))
}

#[pyfunction]
fn pcg32_shuffle(py: Python<'_>, seed: u64, stream: u64, n: usize) -> Bound<'_, PyArray1<u64>> {
    let mut items: Vec<u64> = (0..n as u64).collect();
    Pcg32::from_seed(seed, stream).shuffle(&mut items);
    PyArray1::from_vec(py, items)
}

#[pyfunction]
fn pcg32_choices<'py>(
    py: Python<'py>,
    seed: u64,
    stream: u64,
    weights: Vec<f64>,
    n: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let mut rng = Pcg32::from_seed(seed, stream);
    let chosen: Option<Vec<u64>> = (0..n).map(|_| rng.choice_weighted(&weights).map(|index| index as u64)).collect();
    let chosen = chosen.ok_or_else(|| PyValueError::new_err(format!("no weight of {weights:?} is positive")))?;
    Ok(PyArray1::from_vec(py, chosen))
}

#[pyfunction]
fn keyed_draws<'py>(py: Python<'py>, keys: PyReadonlyArray2<'py, u64>) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let keys = keys.as_array();
    if keys.ncols() != KEYS {
        return Err(PyValueError::new_err(format!("a draw has {KEYS} keys, not {}", keys.ncols())));
    }
    let draws = keys.rows().into_iter().map(|row| keyed::draw(row[0], row[1], row[2], row[3], row[4], row[5]));
    Ok(PyArray1::from_iter(py, draws))
}

#[pyfunction]
fn hash_words(words: PyReadonlyArray1<'_, u64>) -> u64 {
    state_hash::hash_words(&words.as_array().to_vec())
}

#[pyfunction]
fn episode_seeds<'py>(
    py: Python<'py>,
    base: u64,
    index: u64,
    counts: PyReadonlyArray1<'py, u64>,
) -> Bound<'py, PyArray1<u64>> {
    let counts = counts.as_array();
    PyArray1::from_iter(py, counts.iter().map(|&count| seeds::episode_seed(base, index, count)))
}
