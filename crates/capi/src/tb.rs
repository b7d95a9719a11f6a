//! The C interface of `tidebreak`: `include/diorama_tidebreak.h` in Rust.
//!
//! A batch is a handle; what it writes goes into arrays that the caller registers once. Every call answers a code and
//! leaves a line about a failure with the thread. A battle that panics is poisoned until it is reset.

pub mod batch;
pub mod batch_calls;
pub mod buffers;
pub mod code;
pub mod columns;
pub mod config;
pub mod environment;
pub mod environment_calls;
pub mod event;
pub mod fieldspace_calls;
mod guard;
pub mod last_error;
mod memory;
mod share;
pub mod simulate;
pub mod template;
pub mod trace;

/// Version of this interface; it changes whenever the header's structures, numbers or meanings do.
pub const TB_ABI_VERSION: u32 = 1;
