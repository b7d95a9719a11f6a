//! One mechanism per file, as functions on a town; when each runs is told in `tick`.

pub mod affordances;
pub mod appointments;
pub mod collapse;
pub mod conditions;
pub mod conflicts;
pub mod departures;
pub mod embedding;
pub mod exit_queue;
pub mod fitness;
pub mod ghost_steps;
pub mod handover;
pub mod hiring;
pub mod hooks;
pub mod kpis;
pub mod lifecycle;
pub mod meals;
pub mod movement;
pub mod needs;
pub mod notes;
pub mod perturbations;
pub mod presence;
pub mod prices;
pub mod queues;
pub mod rollover;
pub mod shifts;
#[cfg(test)]
pub(crate) mod small_town;
pub mod spawning;
pub mod talking;
pub mod ties;
