//! The canonical state as words: what the state hash covers and a snapshot holds.

mod read;
mod write;
