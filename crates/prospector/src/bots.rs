//! The scripted pilots that policies learn from; the readable tier has all of them.

mod chart;
mod explorer;
mod moves;
mod prudent_hauler;
mod refiner;
mod view;

pub use explorer::Explorer;
pub use prudent_hauler::PrudentHauler;
pub use refiner::Refiner;
