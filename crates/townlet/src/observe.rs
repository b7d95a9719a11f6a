//! What citizens see: a window of the map, and 128 features.

pub mod features;
pub mod landmarks;
pub mod layers;
pub mod layout;
pub mod maps;
pub mod moment;
pub mod observer;
pub mod social;
pub mod usability;

pub use observer::Observer;
