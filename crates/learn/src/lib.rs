//! The trainer's inner loops on the CPU: masked choices and their gradient, advantages, linear scans.
//!
//! Every function works on the rows it is given, on the calling thread and in one fixed order of operations, so
//! that results do not depend on how rows are shared out among threads.

pub mod advantages;
pub mod heads;
pub mod sample;
pub mod scan;
pub mod score;
pub mod weights;
