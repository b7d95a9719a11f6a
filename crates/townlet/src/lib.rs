//! The fast tier of `townlet`; `src/diorama/worlds/townlet/reference` is the readable one, and tells what things mean.
//!
//! Files, functions, records and fields have the names of the readable tier, and compute the same numbers in the same
//! order. The conventions of a system:
//!
//! - `fn keep_queues(town: &mut Town, setup: &Setup)`: the town that changes first, then what never does, then the rest.
//! - A citizen is passed as its seat, `seat: usize`, and read by `town.citizen(seat)` or `town.citizen_mut(seat)`; an
//!   object as its index, `object: usize`. Fields of records keep the readable tier's numbers: `i64`, -1 for none.
//! - Loops over citizens go over `town.living()` (ascending) or `town.in_turn()` (rotating), lists of seats that are
//!   copies and do not borrow the town.
//! - Events are noted by `town.record(EventKind::JobLate, &[...])`, all values as `f64`.
//! - Sums keep the written order, draws come from `town.streams`, and nothing iterates over a hash map.

pub mod codes;
pub mod config;
pub mod curiosity;
pub mod decisions;
pub mod events;
pub mod metrics;
pub mod observe;
pub mod opening;
pub mod reloading;
pub mod resolving;
pub mod reward;
pub mod setup;
pub mod simulation;
pub mod state;
pub mod streams;
pub mod systems;
pub mod tables;
pub mod tick;
pub mod words;
