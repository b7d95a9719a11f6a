//! Activations of a forward pass, kept for the backward pass.

use crate::dense::Dense;
use crate::entities::EntityTrace;
use crate::network::Network;
use crate::panels::{BLOCK, TILE_ROWS};
use crate::scratch::ScratchBuffer;

/// Outputs of a layer and, for a backward pass, the slopes of its activation.
#[derive(Debug, Default)]
pub struct Trace {
    /// Rows × stride.
    pub outputs: ScratchBuffer,
    /// Likewise; empty without a backward pass.
    pub slopes: ScratchBuffer,
}

/// Activations of a MinGRU.
#[derive(Debug, Default)]
pub struct MemoryTrace {
    /// Update gate, rows × stride.
    pub update: ScratchBuffer,
    /// Candidate state.
    pub candidate: ScratchBuffer,
    /// Hidden state after each step.
    pub hidden: ScratchBuffer,
    /// Hidden state plus features.
    pub joined: ScratchBuffer,
}

/// Activations of all layers.
#[derive(Debug, Default)]
pub struct Tape {
    rows: usize,
    /// Inputs of the first layer, of one block.
    pub input: ScratchBuffer,
    /// Floats outside of the tables of entities, of one block.
    pub context: ScratchBuffer,
    /// One per table of entities, of one block.
    pub entities: Vec<EntityTrace>,
    /// One per layer of the encoder.
    pub encoder: Vec<Trace>,
    /// Gates of one block.
    pub gates: Trace,
    /// Activations of the memory.
    pub memory: MemoryTrace,
    /// Logits of one block.
    pub actor: Trace,
    /// The same without padding between rows.
    pub logits: Vec<f32>,
    /// One per layer of the critic.
    pub critic: Vec<Trace>,
}

impl Tape {
    /// Allocates memory for this many rows unless it is there.
    pub fn reserve(&mut self, network: &Network, rows: usize, with_slopes: bool) {
        let rows = rows.max(BLOCK) + TILE_ROWS;
        if self.rows >= rows && self.encoder.first().is_some_and(|trace| trace.slopes.is_empty() != with_slopes) {
            return;
        }
        let of_layer = |layer: &Dense, rows: usize, with_slopes: bool| Trace {
            outputs: ScratchBuffer::of_rows(rows, layer.shape.outputs),
            slopes: if with_slopes {
                ScratchBuffer::of_rows(rows, layer.shape.outputs)
            } else {
                ScratchBuffer::default()
            },
        };
        let block = BLOCK + TILE_ROWS;
        let memory = || ScratchBuffer::of_rows(if network.gates.is_some() { rows } else { 0 }, network.memory_width());
        *self = Self {
            rows,
            input: ScratchBuffer::of_rows(block, network.input_width()),
            context: ScratchBuffer::of_rows(block, network.context_width()),
            entities: network.entities.iter().map(|entities| entities.trace(with_slopes)).collect(),
            encoder: network.encoder.iter().map(|layer| of_layer(layer, rows, with_slopes)).collect(),
            gates: network.gates.as_ref().map(|layer| of_layer(layer, block, false)).unwrap_or_default(),
            memory: MemoryTrace { update: memory(), candidate: memory(), hidden: memory(), joined: memory() },
            actor: of_layer(&network.actor, block, false),
            logits: vec![0.0; BLOCK * network.actor.shape.outputs],
            critic: network.critic.iter().map(|layer| of_layer(layer, rows, with_slopes)).collect(),
        };
    }
}
