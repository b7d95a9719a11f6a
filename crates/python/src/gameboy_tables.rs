//! Layout of the console's state, and single instructions on plain memory, for Python.

use std::collections::BTreeMap;

use gameboy::canonical::{ABI_VERSION, FIELDS};
use gameboy::cpu::{Cpu, reg};
use gameboy::flat::{FlatBus, Slot};
use gameboy::trace::TRACE_COLUMNS;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

const REGISTERS: [(&str, usize); 8] = [
    ("a", reg::A),
    ("f", reg::F),
    ("b", reg::B),
    ("c", reg::C),
    ("d", reg::D),
    ("e", reg::E),
    ("h", reg::H),
    ("l", reg::L),
];

type RegisterValues = BTreeMap<&'static str, u16>;
/// Address, value and what happened.
type SlotValues = (u16, u8, &'static str);

#[pyfunction]
fn gameboy_tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let fields: Vec<(&str, &str, i64, i64)> =
        FIELDS.iter().map(|field| (field.name, dtype(field.bytes), field.low, field.high)).collect();
    let tables = PyDict::new(py);
    tables.set_item("abi_version", ABI_VERSION)?;
    tables.set_item("fields", fields)?;
    tables.set_item("trace_columns", TRACE_COLUMNS.to_vec())?;
    Ok(tables)
}

const fn dtype(bytes: usize) -> &'static str {
    if bytes == 8 { "int64" } else { "int32" }
}

#[pyfunction]
fn gameboy_flat_step(
    registers: BTreeMap<String, u16>,
    memory: Vec<(u16, u8)>,
) -> PyResult<(RegisterValues, Vec<SlotValues>)> {
    let value = |name: &str| registers.get(name).copied().ok_or_else(|| missing(name));
    let mut cpu = Cpu { pc: value("pc")?, sp: value("sp")?, ime: value("ime")? != 0, ..Cpu::default() };
    for (name, place) in REGISTERS {
        cpu.r.set(place, value(name)? as u8);
    }
    let mut bus = FlatBus::new(&memory);
    bus.execute(&mut cpu);
    let mut after: RegisterValues =
        REGISTERS.iter().map(|&(name, place)| (name, u16::from(cpu.r.get(place)))).collect();
    after.insert("pc", cpu.pc);
    after.insert("sp", cpu.sp);
    after.insert("ime", u16::from(cpu.ime));
    after.insert("ei_delay", u16::from(cpu.ei_delay));
    after.insert("halted", u16::from(cpu.halted));
    after.insert("trap_kind", u16::from(cpu.trap.kind));
    let slots = bus.slots().iter().map(|&slot| match slot {
        Slot::Read(address, value) => (address, value, "read"),
        Slot::Write(address, value) => (address, value, "write"),
        Slot::Idle => (0, 0, "idle"),
    });
    Ok((after, slots.collect()))
}

fn missing(name: &str) -> PyErr {
    PyValueError::new_err(format!("the registers lack '{name}'"))
}

/// Adds these to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(gameboy_tables, module)?)?;
    module.add_function(wrap_pyfunction!(gameboy_flat_step, module)?)
}
