//! Scripted controllers: each turns a unit's own tracks and state into an order, once per tick.

pub mod aggressor;
pub mod ambusher;
pub mod auto;
pub mod boarder;
pub mod course;
pub mod drifter;
pub mod escort;
pub mod evader;
pub mod idle;
pub mod kiter;
pub mod registry;
pub mod targeting;

pub use registry::{Script, agent, controller_named};
