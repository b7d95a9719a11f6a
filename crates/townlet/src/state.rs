//! The state of a town: records whose fields, in order, are the words of its hash.
//!
//! Names are those of the readable tier, `src/diorama/worlds/townlet/reference/state`; what a field means is told there.

pub mod citizen;
pub mod employment;
pub mod facts;
pub mod kpis;
pub mod ledgers;
pub mod objects;
pub mod perturbations;
pub mod ties;
pub mod town;
