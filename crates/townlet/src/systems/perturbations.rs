//! The perturbation scheduler: what befalls the town by chance, or because it was planned.

pub mod effects;
pub mod participants;
pub mod scheduler;
