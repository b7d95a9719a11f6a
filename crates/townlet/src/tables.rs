//! Everything about a town that does not change while it runs, as the readable tier compiled it.

pub mod affordances;
pub mod paths;
pub mod places;
pub mod rows;
pub mod town_tables;
