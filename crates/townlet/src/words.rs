//! A town as words: first the canonical state, which is hashed, then what else a restored town needs.

mod layouts;
mod lengths;
mod references;
mod town;

pub use town::{read_town, write_snapshot, write_state};
