//! Battles of the curriculum, drawn without Python, and who commands in them.
//!
//! `generator` is the twin of the scenario generator together with what resolving does to a generated package;
//! `episodes` turns an episode's seed into its battle, its seats and its controllers.

pub mod catalogue;
pub mod currents;
pub mod depths;
pub mod draws;
pub mod episodes;
pub mod forces;
pub mod generator;
pub mod lineup;
pub mod seats;
pub mod seeds;
pub mod stages;
pub mod tasks;
pub mod units;
pub mod waters;
