//! What is kept of rows that passed through a policy.

use crate::dense::Dense;
use crate::network::Network;
use crate::panels::{BLOCK, TILE_ROWS};
use crate::room::Room;

/// Outputs of a layer, and where a gradient is asked for, the slopes of its activation.
#[derive(Debug, Default)]
pub struct Trace {
    /// Rows × stride.
    pub outputs: Room,
    /// Likewise, or nothing.
    pub slopes: Room,
}

/// What a memory did.
#[derive(Debug, Default)]
pub struct MemoryTrace {
    /// Share of the new, rows × stride.
    pub update: Room,
    /// The new.
    pub candidate: Room,
    /// What is remembered afterwards.
    pub remembered: Room,
    /// What was added to the features.
    pub joined: Room,
}

/// Everything that is kept.
#[derive(Debug, Default)]
pub struct Tape {
    rows: usize,
    /// A block of what enters the first layer.
    pub input: Room,
    /// Of every layer of the encoder.
    pub encoder: Vec<Trace>,
    /// Gates of a block.
    pub gates: Trace,
    /// Of the memory.
    pub memory: MemoryTrace,
    /// Logits of a block.
    pub actor: Trace,
    /// The same without gaps between the rows.
    pub logits: Vec<f32>,
    /// Of every layer of the critic.
    pub critic: Vec<Trace>,
}

impl Tape {
    /// Makes room for so many rows, where there is not enough.
    pub fn make_room(&mut self, network: &Network, rows: usize, with_slopes: bool) {
        let rows = rows.max(BLOCK) + TILE_ROWS;
        if self.rows >= rows && self.encoder.first().is_some_and(|trace| trace.slopes.is_empty() != with_slopes) {
            return;
        }
        let of_layer = |layer: &Dense, rows: usize, with_slopes: bool| Trace {
            outputs: Room::of_rows(rows, layer.shape.outputs),
            slopes: if with_slopes { Room::of_rows(rows, layer.shape.outputs) } else { Room::default() },
        };
        let block = BLOCK + TILE_ROWS;
        let remembered = || Room::of_rows(if network.gates.is_some() { rows } else { 0 }, network.memory_width());
        *self = Self {
            rows,
            input: Room::of_rows(block, network.input.width()),
            encoder: network.encoder.iter().map(|layer| of_layer(layer, rows, with_slopes)).collect(),
            gates: network.gates.as_ref().map(|layer| of_layer(layer, block, false)).unwrap_or_default(),
            memory: MemoryTrace {
                update: remembered(),
                candidate: remembered(),
                remembered: remembered(),
                joined: remembered(),
            },
            actor: of_layer(&network.actor, block, false),
            logits: vec![0.0; BLOCK * network.actor.shape.outputs],
            critic: network.critic.iter().map(|layer| of_layer(layer, rows, with_slopes)).collect(),
        };
    }
}
