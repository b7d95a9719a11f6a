//! Small policies on the CPU: what they decide, and the gradient of what they learn from.
//!
//! A policy is dense layers, a memory where it has one, and one layer each for decisions and values. Rows pass
//! through all of it in blocks that stay in the cache. Every number is computed by one fixed sequence of operations,
//! fused multiply-adds included, so that results depend neither on threads nor on which rows come together, nor on
//! the width of the processor's vectors.

pub mod acting;
pub mod activation;
pub mod dense;
pub mod input;
pub mod learning;
pub mod memory;
pub mod network;
pub mod outer;
pub mod panels;
pub mod processor;
pub mod room;
pub mod tape;
