//! How citizens decide: options, what they come to, and the scripted controller.

pub mod controller;
pub mod deciding;
pub mod expansion;
pub mod guards;
pub mod nearness;
pub mod options;
pub mod primitives;
pub mod targets;
