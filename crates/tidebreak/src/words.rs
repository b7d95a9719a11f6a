//! A battle as words: first the canonical state, which is hashed, then what else a restored battle needs.

mod battle;
mod checks;
mod layouts;

pub use battle::{read_battle, state_hash, state_words, write_service, write_state};
