//! Entities: rows of a table inside the observation, which share one encoder and may be pointed at.
//!
//! A row of zeros is no entity: it is left out, embeds as zeros and is not pointed at.

use crate::activation::Activation;
use crate::dense::{Dense, DenseShape};
use crate::outer::Sums;
use crate::panels::{BLOCK, TILE_ROWS, tiled};
use crate::processor::Simd;
use crate::scratch::{LINE, ScratchBuffer, row_stride};
use crate::tape::Trace;

/// A table inside the observation.
#[derive(Clone, Copy, Debug)]
pub struct EntityShape {
    /// Index of its first number among the float entries.
    pub first: usize,
    /// Number of entities.
    pub count: usize,
    /// Numbers of an entity.
    pub features: usize,
    /// Width of an entity's embedding.
    pub width: usize,
    /// Logit that points at the first entity; None if none does.
    pub first_option: Option<usize>,
}

impl EntityShape {
    /// Index after its last number.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.first + self.count * self.features
    }
}

/// The encoder of a table.
#[derive(Debug)]
pub struct Entities {
    /// Place and sizes of the table.
    pub shape: EntityShape,
    /// First column of the pooled embeddings among the inputs of the policy's first layer.
    pooled_at: usize,
    /// From an entity's own numbers to the sums of its hidden layer.
    own: Dense,
    /// From the floats outside of all tables to the same sums.
    context: Dense,
    /// From the hidden layer to the embedding.
    embed: Dense,
    /// From features to what is looked for among the entities.
    query: Option<Dense>,
}

/// Activations of one block of rows.
#[derive(Debug, Default)]
pub struct EntityTrace {
    inputs: ScratchBuffer,
    context: Trace,
    hidden: Trace,
    embedded: Trace,
    query: Trace,
    /// Index within its table of every entity there is, row after row.
    slots: Vec<usize>,
    /// Where the entities of every row begin among them, and the end.
    begins: Vec<usize>,
    /// Entity that has the maximum, rows × width; `NONE` where no embedding is above zero.
    chosen: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Gradients of one block of rows.
#[derive(Debug, Default)]
pub struct EntityGradients {
    of_embedded: ScratchBuffer,
    of_hidden: ScratchBuffer,
    of_context: ScratchBuffer,
    of_query: ScratchBuffer,
}

impl Entities {
    /// Returns an encoder with zero weights.
    #[must_use]
    pub fn new(shape: EntityShape, context: usize, features: usize, pooled_at: usize) -> Self {
        let layer = |inputs, activation| Dense::new(DenseShape { inputs, outputs: shape.width, activation });
        Self {
            pooled_at,
            own: layer(shape.features, Activation::Linear),
            context: layer(context, Activation::Linear),
            embed: layer(shape.width, Activation::Relu),
            query: shape.first_option.map(|_| layer(features, Activation::Linear)),
            shape,
        }
    }

    /// Its layers in the order in which their weights are given.
    pub fn layers(&self) -> impl Iterator<Item = &Dense> {
        [&self.own, &self.context, &self.embed].into_iter().chain(&self.query)
    }

    /// The same layers, mutable.
    pub fn layers_mut(&mut self) -> impl Iterator<Item = &mut Dense> {
        [&mut self.own, &mut self.context, &mut self.embed].into_iter().chain(&mut self.query)
    }

    /// Allocates memory for a block.
    #[must_use]
    pub fn trace(&self, with_slopes: bool) -> EntityTrace {
        let (block, many) = (BLOCK + TILE_ROWS, BLOCK * self.shape.count + TILE_ROWS);
        let of_rows = |rows, has_slopes: bool| Trace {
            outputs: ScratchBuffer::of_rows(rows, self.shape.width),
            slopes: if has_slopes { ScratchBuffer::of_rows(rows, self.shape.width) } else { ScratchBuffer::default() },
        };
        EntityTrace {
            inputs: ScratchBuffer::of_rows(many, self.shape.features),
            context: of_rows(block, false),
            hidden: of_rows(many, with_slopes),
            embedded: of_rows(many, with_slopes),
            query: of_rows(if self.query.is_some() { block } else { 0 }, false),
            slots: Vec::with_capacity(BLOCK * self.shape.count),
            begins: Vec::with_capacity(BLOCK + 1),
            chosen: vec![NONE; BLOCK * self.shape.width],
        }
    }

    /// Allocates memory for the gradients of a block.
    #[must_use]
    pub fn gradients(&self) -> EntityGradients {
        let (block, many) = (BLOCK + TILE_ROWS, BLOCK * self.shape.count + TILE_ROWS);
        EntityGradients {
            of_embedded: ScratchBuffer::of_rows(many, self.shape.width),
            of_hidden: ScratchBuffer::of_rows(many, self.shape.width),
            of_context: ScratchBuffer::of_rows(block, self.shape.width),
            of_query: ScratchBuffer::of_rows(block, self.shape.width),
        }
    }

    /// Embeds the entities of some rows and writes the maximum over them behind the observation.
    ///
    /// `inputs` holds rows of the policy's first layer, `stride` apart, and `context` the floats outside of all tables.
    #[inline(always)]
    pub fn embed<S: Simd>(
        &self,
        simd: S,
        rows: usize,
        inputs: &mut [f32],
        stride: usize,
        context: &[f32],
        trace: &mut EntityTrace,
    ) {
        let EntityShape { first, count, features, width, .. } = self.shape;
        let own_stride = row_stride(features);
        trace.slots.clear();
        trace.begins.clear();
        for row in inputs.chunks_exact(stride).take(rows) {
            trace.begins.push(trace.slots.len());
            for (slot, numbers) in row[first..][..count * features].chunks_exact(features).enumerate() {
                if numbers.iter().any(|number| *number != 0.0) {
                    trace.inputs[trace.slots.len() * own_stride..][..features].copy_from_slice(numbers);
                    trace.slots.push(slot);
                }
            }
        }
        let many = trace.slots.len();
        trace.begins.push(many);
        self.context.forward(simd, rows, context, &mut trace.context, 0);
        self.own.forward(simd, many, &trace.inputs, &mut trace.hidden, 0);
        self.add_context(rows, trace);
        self.embed.forward(simd, many, &trace.hidden.outputs, &mut trace.embedded, 0);
        let embedding = row_stride(width);
        for row in 0..rows {
            let pooled = &mut inputs[row * stride + self.pooled_at..][..width];
            let chosen = &mut trace.chosen[row * width..][..width];
            pooled.fill(0.0);
            chosen.fill(NONE);
            for number in trace.begins[row]..trace.begins[row + 1] {
                let entity = &trace.embedded.outputs[number * embedding..][..width];
                for ((best, chosen), entry) in pooled.iter_mut().zip(&mut *chosen).zip(entity) {
                    // What is no number stays none.
                    let is_better = *entry > *best || entry.is_nan();
                    *best = if is_better { *entry } else { *best };
                    *chosen = if is_better { number as u32 } else { *chosen };
                }
            }
        }
    }

    /// Adds what the context says to the hidden sums of every entity, and applies the activation.
    #[inline(always)]
    fn add_context(&self, rows: usize, trace: &mut EntityTrace) {
        let stride = row_stride(self.shape.width);
        let EntityTrace { context, hidden, begins, .. } = trace;
        for (context, entities) in context.outputs.chunks_exact(stride).take(rows).zip(begins.windows(2)) {
            for entity in entities[0]..entities[1] {
                let sums = &mut hidden.outputs[entity * stride..][..stride];
                for (sum, context) in sums.iter_mut().zip(context) {
                    *sum += context;
                }
                match hidden.slopes.get_mut(entity * stride..(entity + 1) * stride) {
                    Some(slopes) => Activation::Relu.apply_with_slopes(sums, slopes),
                    None => Activation::Relu.apply(sums),
                }
            }
        }
    }

    /// Computes what some rows look for among their entities.
    #[inline(always)]
    pub fn find<S: Simd>(&self, simd: S, rows: usize, features: &[f32], trace: &mut EntityTrace) {
        if let Some(query) = &self.query {
            query.forward(simd, rows, features, &mut trace.query, 0);
        }
    }

    /// Adds to the logits that point at the entities of some rows; `features` are those of the actor.
    #[inline(always)]
    pub fn point<S: Simd>(
        &self,
        simd: S,
        rows: usize,
        features: &[f32],
        trace: &mut EntityTrace,
        (logits, logit_stride): (&mut [f32], usize),
    ) {
        let Some(option) = self.shape.first_option else {
            return;
        };
        let EntityShape { count, width, .. } = self.shape;
        let stride = row_stride(width);
        self.find(simd, rows, features, trace);
        for row in 0..rows {
            let wanted = &trace.query.outputs[row * stride..][..width];
            let logits = &mut logits[row * logit_stride + option..][..count];
            for entity in trace.begins[row]..trace.begins[row + 1] {
                logits[trace.slots[entity]] += product(wanted, &trace.embedded.outputs[entity * stride..][..width]);
            }
        }
    }

    /// Computes the gradients of queries and embeddings from those of the logits, and adds that of the features.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "arrays of a block, and where they are summed")]
    pub fn point_backward<S: Simd>(
        &self,
        simd: S,
        rows: usize,
        trace: &EntityTrace,
        (of_logits, logit_stride): (&[f32], usize),
        features: &[f32],
        gradients: &mut EntityGradients,
        sums: &mut [Sums],
        of_features: &mut [f32],
    ) {
        gradients.of_embedded[..tiled(trace.slots.len()) * row_stride(self.shape.width)].fill(0.0);
        let (Some(query), Some(option)) = (&self.query, self.shape.first_option) else {
            return;
        };
        let EntityShape { count, width, .. } = self.shape;
        let stride = row_stride(width);
        gradients.of_query.fill(0.0);
        for row in 0..rows {
            let wanted = &trace.query.outputs[row * stride..][..width];
            let of_wanted = &mut gradients.of_query[row * stride..][..width];
            let of_logits = &of_logits[row * logit_stride + option..][..count];
            for entity in trace.begins[row]..trace.begins[row + 1] {
                let of_logit = of_logits[trace.slots[entity]];
                // Masked options have none.
                if of_logit == 0.0 {
                    continue;
                }
                let entity = entity * stride;
                let embedded = &trace.embedded.outputs[entity..][..width];
                let of_embedded = &mut gradients.of_embedded[entity..][..width];
                for (of_wanted, embedded) in of_wanted.iter_mut().zip(embedded) {
                    *of_wanted = of_logit.mul_add(*embedded, *of_wanted);
                }
                for (of_embedded, wanted) in of_embedded.iter_mut().zip(wanted) {
                    *of_embedded = of_logit * wanted;
                }
            }
        }
        sums[3].add(simd, rows, &gradients.of_query, features);
        query.add_of_inputs(simd, rows, &gradients.of_query, of_features);
    }

    /// Computes the gradients of the encoder from those of the embeddings and of the pooled columns.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "arrays of a block, and where they are summed")]
    pub fn embed_backward<S: Simd>(
        &self,
        simd: S,
        rows: usize,
        trace: &EntityTrace,
        context: &[f32],
        (of_pooled, pooled_stride): (&[f32], usize),
        gradients: &mut EntityGradients,
        sums: &mut [Sums],
    ) {
        let EntityShape { features, width, .. } = self.shape;
        let stride = row_stride(width);
        let EntityGradients { of_embedded, of_hidden, of_context, .. } = gradients;
        for row in 0..rows {
            let of_pooled = &of_pooled[row * pooled_stride..][..width];
            let chosen = &trace.chosen[row * width..][..width];
            for (column, (of_pooled, chosen)) in of_pooled.iter().zip(chosen).enumerate() {
                if *chosen != NONE {
                    of_embedded[*chosen as usize * stride + column] += of_pooled;
                }
            }
        }
        let many = trace.slots.len();
        scale(&mut of_embedded[..many * stride], &trace.embedded.slopes);
        of_hidden[..tiled(many) * stride].fill(0.0);
        self.embed.add_of_inputs(simd, many, of_embedded, of_hidden);
        scale(&mut of_hidden[..many * stride], &trace.hidden.slopes);
        of_context.fill(0.0);
        for (of_context, entities) in of_context.chunks_exact_mut(stride).take(rows).zip(trace.begins.windows(2)) {
            for of_entity in of_hidden[entities[0] * stride..entities[1] * stride].chunks_exact(stride) {
                for (sum, entry) in of_context.iter_mut().zip(of_entity) {
                    *sum += entry;
                }
            }
        }
        sums[1].add(simd, rows, of_context, context);
        let own_stride = row_stride(features);
        for first in (0..many).step_by(BLOCK) {
            let rows = BLOCK.min(many - first);
            sums[0].add(simd, rows, &of_hidden[first * stride..], &trace.inputs[first * own_stride..]);
            let hidden = &trace.hidden.outputs[first * stride..];
            sums[2].add(simd, rows, &of_embedded[first * stride..], hidden);
        }
    }
}

/// Returns the sum of products, added up in an order that does not depend on the processor.
#[inline(always)]
fn product(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LINE];
    for (left, right) in left.chunks(LINE).zip(right.chunks(LINE)) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum = left.mul_add(*right, *sum);
        }
    }
    let mut half = LINE / 2;
    while half > 0 {
        for index in 0..half {
            sums[index] += sums[index + half];
        }
        half /= 2;
    }
    sums[0]
}

#[inline(always)]
fn scale(values: &mut [f32], factors: &[f32]) {
    for (value, factor) in values.iter_mut().zip(factors) {
        *value *= factor;
    }
}
