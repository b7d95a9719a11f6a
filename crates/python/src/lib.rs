//! The compiled Python module: converts, checks and releases the interpreter lock, and nothing else.

mod batch;
mod bots;
mod buffers;
mod field_space;
mod gameboy;
mod gameboy_tables;
mod learn;
mod numerics;
mod policy;
mod prospector;
mod records;
mod tidebreak;
mod tidebreak_arena;
mod tidebreak_generation;
mod townlet;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<batch::NativeBatch>()?;
    module.add_class::<bots::NativeBots>()?;
    field_space::register(module)?;
    gameboy::register(module)?;
    gameboy_tables::register(module)?;
    learn::register(module)?;
    numerics::register(module)?;
    policy::register(module)?;
    prospector::register(module)?;
    tidebreak::register(module)?;
    tidebreak_arena::register(module)?;
    tidebreak_generation::register(module)?;
    townlet::register(module)?;
    Ok(())
}
