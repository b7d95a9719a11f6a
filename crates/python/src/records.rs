//! Turns a kernel step record into the keyword arguments of `diorama.contracts.records.StepRecord`.

use kernel::record::{Named, StepRecord, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Keyword arguments of the Python `StepRecord`.
pub fn to_python<'py>(py: Python<'py>, record: &StepRecord) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("received", decisions(py, &record.received)?)?;
    fields.set_item("effective", decisions(py, &record.effective)?)?;
    fields.set_item("rewards", PyTuple::new(py, &record.rewards)?)?;
    let terms: Vec<_> = record.reward_terms.iter().map(|terms| floats_by_name(py, terms)).collect::<PyResult<_>>()?;
    fields.set_item("reward_terms", PyTuple::new(py, terms)?)?;
    fields.set_item("terminated", PyTuple::new(py, &record.terminated)?)?;
    fields.set_item("truncated", PyTuple::new(py, &record.truncated)?)?;
    let metrics: Vec<_> = record.metrics.iter().map(|seat| PyTuple::new(py, seat)).collect::<PyResult<_>>()?;
    fields.set_item("metrics", PyTuple::new(py, metrics)?)?;
    fields.set_item("dt", record.dt)?;
    fields.set_item("events", PyTuple::new(py, &record.events)?)?;
    let payloads = PyDict::new(py);
    for (event, payload) in &record.event_data {
        payloads.set_item(event, values_by_name(py, payload)?)?;
    }
    fields.set_item("event_data", payloads)?;
    fields.set_item("info", values_by_name(py, &record.info)?)?;
    fields.set_item("draws", record.draws)?;
    Ok(fields)
}

fn decisions<'py>(py: Python<'py>, seats: &[Option<Vec<i32>>]) -> PyResult<Bound<'py, PyTuple>> {
    let seats: Vec<_> = seats
        .iter()
        .map(|seat| seat.as_ref().map(|options| PyTuple::new(py, options)).transpose())
        .collect::<PyResult<_>>()?;
    PyTuple::new(py, seats)
}

fn floats_by_name<'py>(py: Python<'py>, named: &Named<f64>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, value) in named {
        fields.set_item(name, value)?;
    }
    Ok(fields)
}

fn values_by_name<'py>(py: Python<'py>, named: &Named<Value>) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    for (name, value) in named {
        fields.set_item(name, value_to_python(py, value)?)?;
    }
    Ok(fields)
}

fn value_to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Flag(flag) => flag.into_bound_py_any(py),
        Value::Int(number) => number.into_bound_py_any(py),
        Value::Unsigned(number) => number.into_bound_py_any(py),
        Value::Float(number) => number.into_bound_py_any(py),
        Value::Text(text) => text.into_bound_py_any(py),
        Value::Floats(numbers) => numbers.into_bound_py_any(py),
        Value::Name(name) => name.into_bound_py_any(py),
        Value::List(values) => {
            let values: Vec<_> = values.iter().map(|value| value_to_python(py, value)).collect::<PyResult<_>>()?;
            values.into_bound_py_any(py)
        }
        Value::Document(text) => py.import("json")?.call_method1("loads", (text,)),
    }
}
