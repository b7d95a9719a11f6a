//! The fast tier of `tidebreak`: naval battles in three layers of water, fought tick by tick.
//!
//! The rules are those of the readable tier, with the same draws and the same order of operations; the two agree bit
//! for bit. A battle starts from a `ResolvedBattle`; `tick` shows the pipeline, `arena` what can be done with a battle.

pub mod arena;
pub mod bots;
pub mod checks;
pub mod city_reports;
pub mod codes;
pub mod components;
pub mod contacts;
pub mod contract;
pub mod decisions;
pub mod draws;
pub mod events;
pub mod fates;
pub mod generation;
pub mod judge;
pub mod layout;
pub mod limits;
pub mod masks;
pub mod metrics;
pub mod observe;
pub mod opening;
pub mod orders;
pub mod outputs;
pub mod records;
pub mod render;
pub mod resolve;
pub mod result;
pub mod reward;
pub mod scripts;
pub mod sensing;
pub mod shown;
pub mod simulation;
pub mod state;
pub mod static_fields;
pub mod systems;
pub mod team_outcomes;
pub mod tick;
pub mod words;
