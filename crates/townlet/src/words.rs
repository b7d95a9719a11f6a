//! A town as words: first the canonical state, which is hashed, then what else a restored town needs.

mod bounds;
mod checks;
mod layouts;
mod town;

pub use bounds::LARGEST;
pub use town::{read_town, write_snapshot, write_state};
