//! What every native world shares: deterministic maths, random numbers, state hash, batches of copies.

pub mod batch;
pub mod bots;
pub mod bounds;
pub mod keyed;
pub mod memory;
pub mod numerics;
pub mod pcg32;
pub mod pool;
pub mod record;
pub mod rows;
pub mod seeds;
pub mod simulation;
pub mod snapshot;
pub mod state_hash;
pub mod words;
