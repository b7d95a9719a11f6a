//! What resolving a package and fighting it both ask of maps.

pub mod shapes;
pub mod terrain;
