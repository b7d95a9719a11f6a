//! Small policies on the CPU: sampling, forward and backward passes.
//!
//! A policy has dense layers, an optional MinGRU, and one layer each for logits and values. Rows are computed in blocks
//! that stay in the cache. Every number comes from one fixed sequence of operations, fused multiply-adds included, so
//! results do not depend on threads, on which rows share a block, or on the width of the processor's vectors.

pub mod acting;
pub mod activation;
pub mod dense;
pub mod entities;
pub mod input;
pub mod learning;
pub mod memory;
pub mod network;
pub mod outer;
pub mod panels;
pub mod processor;
pub mod scratch;
pub mod tape;
