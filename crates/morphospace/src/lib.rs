//! MorphoSpace: what is spread through water and air, in bricks under a tree of summaries.
//!
//! The readable twin is `worlds/tidebreak/reference/fields`; the two agree bit for bit. Cells are float32, places are
//! float64, and every sum is taken in the order the twin writes down.

#![forbid(unsafe_code)]

mod brick_map;
mod bricks;
mod buffer;
pub mod constants;
mod domain;
mod effects;
mod foveated;
mod growth;
mod mods;
mod propagation;
mod sampling;
mod settings;
mod shapes;
mod space;
mod stamps;
mod statics;
mod stencil;
mod summaries;
mod volume;
mod words;

pub use domain::{Domain, check_length};
pub use effects::{Effect, blast_intensity};
pub use foveated::{DEFAULT_SHELLS, Observer, Shell};
pub use mods::{Mod, Op};
pub use settings::Settings;
pub use shapes::Shape;
pub use space::FieldSpace;
pub use stamps::Stamp;
pub use summaries::Statistics;
pub use volume::{VolumeQuery, VolumeReading};
