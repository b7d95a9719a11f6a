//! The fast tier of `prospector`: one pilot mines, trades and survives in an asteroid belt.
//!
//! The rules are those of the readable tier, with the same draws in the same order; the two agree bit for bit.

mod actions;
mod belt;
pub mod bots;
mod bounds;
mod config;
mod constants;
mod ending;
mod events;
mod market;
mod metrics;
mod record;
mod reward;
mod rules;
mod ship;
mod simulation;
mod state;
mod step;
mod systems;
pub mod tables;
mod view;
mod words;

pub use config::{Config, RewardProfile};
pub use events::events_of;
pub use simulation::{EpisodeOver, Outcome, Prospector};
