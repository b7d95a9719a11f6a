//! The C interfaces of `prospector` and, in `tb`, of `tidebreak`: the headers of `include/` in Rust.
//!
//! Handles own everything; there is no global state. Every call checks its pointers for NULL, keeps panics on this side
//! and answers with a status. Unsafe code is confined to this crate, and in it to turning pointers into references.

#![deny(unsafe_op_in_unsafe_fn)]

pub mod config;
mod config_json;
pub mod core;
pub mod core_calls;
mod guard;
mod pointers;
pub mod runner;
pub mod snapshot_calls;
pub mod status;
pub mod tb;
pub mod trace;
pub mod vec_calls;
pub mod vector;
