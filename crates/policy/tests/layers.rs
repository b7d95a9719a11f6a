//! Layers give what their definition says, whatever their sizes and however many rows come together.

use learn::heads::Heads;
use learn::sample::DrawKey;
use policy::acting::{ActInput, ActOutput, SamplingParams};
use policy::activation::Activation;
use policy::dense::{Dense, DenseShape};
use policy::entities::EntityShape;
use policy::input::{Input, Observation};
use policy::network::{Network, Shape};
use policy::outer::Sums;
use policy::panels::TILE_ROWS;
use policy::processor::{Simd, Work, vectorized};
use policy::scratch::{ScratchBuffer, row_stride};
use policy::tape::{Tape, Trace};
use proptest::prelude::*;

const SIZES: [usize; 2] = [5, 3];

fn numbers(count: usize, seed: usize) -> Vec<f32> {
    (0..count).map(|index| ((index * 7919 + seed * 104_729) % 2001) as f32 * 1e-3 - 1.0).collect()
}

fn spread(values: &[f32], width: usize) -> ScratchBuffer {
    let rows = values.len() / width;
    let mut scratch = ScratchBuffer::of_rows(rows + TILE_ROWS, width);
    for (row, values) in values.chunks_exact(width).enumerate() {
        scratch[row * row_stride(width)..][..width].copy_from_slice(values);
    }
    scratch
}

fn close(found: f32, expected: f64) -> bool {
    (f64::from(found) - expected).abs() < 1e-5 * (1.0 + expected.abs())
}

struct Forward<'a> {
    layer: &'a Dense,
    rows: usize,
    x: &'a [f32],
    out: &'a mut Trace,
}

impl Work for Forward<'_> {
    type Output = ();

    fn run<S: Simd>(self, simd: S) {
        self.layer.forward(simd, self.rows, self.x, self.out, 0);
    }
}

struct Add<'a> {
    sums: &'a mut Sums,
    rows: usize,
    of_outputs: &'a [f32],
    x: &'a [f32],
}

impl Work for Add<'_> {
    type Output = ();

    fn run<S: Simd>(self, simd: S) {
        self.sums.add(simd, self.rows, self.of_outputs, self.x);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_layer_is_a_product_and_a_bias(rows in 1_usize..20, inputs in 1_usize..80, outputs in 1_usize..80) {
        let (x, weights, bias) = (numbers(rows * inputs, 1), numbers(outputs * inputs, 2), numbers(outputs, 3));
        let mut layer = Dense::new(DenseShape { inputs, outputs, activation: Activation::Linear });
        layer.load(&weights, &bias, true).unwrap();
        let mut out = Trace { outputs: ScratchBuffer::of_rows(rows + TILE_ROWS, outputs), slopes: ScratchBuffer::default() };

        vectorized(Forward { layer: &layer, rows, x: &spread(&x, inputs), out: &mut out });

        for row in 0..rows {
            for output in 0..outputs {
                let products = (0..inputs).map(|input| {
                    f64::from(x[row * inputs + input]) * f64::from(weights[output * inputs + input])
                });
                let expected = f64::from(bias[output]) + products.sum::<f64>();
                prop_assert!(close(out.outputs[row * row_stride(outputs) + output], expected));
            }
        }
    }

    #[test]
    fn gradients_of_weights_are_sums_over_rows(rows in 1_usize..20, inputs in 1_usize..80, outputs in 1_usize..80) {
        let (x, of_outputs) = (numbers(rows * inputs, 1), numbers(rows * outputs, 2));
        let mut sums = Sums::new(inputs, outputs);
        let (mut weights, mut bias) = (vec![0.0; inputs * outputs], vec![0.0; outputs]);

        vectorized(Add { sums: &mut sums, rows, of_outputs: &spread(&of_outputs, outputs), x: &spread(&x, inputs) });
        sums.write(&mut weights, &mut bias).unwrap();

        for output in 0..outputs {
            let of_row = |row: usize| f64::from(of_outputs[row * outputs + output]);
            prop_assert!(close(bias[output], (0..rows).map(of_row).sum()));
            for input in 0..inputs {
                let expected = (0..rows).map(|row| of_row(row) * f64::from(x[row * inputs + input])).sum();
                prop_assert!(close(weights[output * inputs + input], expected));
            }
        }
    }
}

#[test]
fn slopes_are_those_of_the_activations() {
    for activation in [Activation::Tanh, Activation::Gelu, Activation::Silu, Activation::Relu] {
        for index in -60..60 {
            let (x, step) = (index as f32 * 0.11 + 0.05, 1e-2_f32);
            let mut around = [x - step, x, x + step];
            let mut slopes = [0.0; 3];

            activation.apply_with_slopes(&mut around, &mut slopes);

            let rise = (around[2] - around[0]) / (2.0 * step);
            assert!((slopes[1] - rise).abs() < 2e-3, "{activation:?} at {x}: {} and {rise}", slopes[1]);
        }
    }
}

struct Decided {
    actions: Vec<i32>,
    numbers: Vec<f32>,
}

fn decide(network: &Network, rows: std::ops::Range<usize>) -> Decided {
    let (obs, width) = (numbers(150 * 7, 4), network.memory_width());
    let starts: Vec<u8> = (0..150).map(|row| u8::from(row % 5 == 0)).collect();
    let mut memory = numbers(150 * width, 5)[rows.start * width..rows.end * width].to_vec();
    let heads = Heads::new(SIZES.to_vec(), vec![0, 0], vec![0.0, 0.1]).unwrap();
    let count = rows.len();
    let (mut actions, mut log_probs, mut values) = (vec![0; 2 * count], vec![0.0; 2 * count], vec![0.0; 3 * count]);
    let observation = Observation { obs: &obs[rows.start * 7..rows.end * 7], bytes: &[] };
    let key = DrawKey { seed: 1, update: 2, step: 3, row: rows.start as u64, head: 0 };
    let not_finite = network.act(
        ActInput { observation, starts: &starts[rows] },
        SamplingParams { heads: &heads, masks: None, key: Some(key) },
        ActOutput { actions: &mut actions, log_probs: &mut log_probs, values: &mut values, memory: &mut memory },
        &mut Tape::default(),
    );
    assert_eq!(not_finite, Ok(0));
    Decided { actions, numbers: [log_probs, values, memory].concat() }
}

#[test]
fn what_is_decided_does_not_depend_on_the_rows_beside() {
    let input = Input { obs: 7, byte_low: Vec::new(), byte_scale: Vec::new(), scaling: None };
    let shape = Shape {
        entities: vec![EntityShape { first: 1, count: 2, features: 2, width: 5, first_option: Some(3) }],
        encoder: vec![20],
        activation: Activation::Gelu,
        has_memory: true,
        options: 8,
        critic: vec![(9, Activation::Relu)],
        critic_sees_input: false,
        values: 3,
    };
    let mut network = Network::new(input, &shape).unwrap();
    for (index, layer) in network.layers_mut().enumerate() {
        let DenseShape { inputs, outputs, .. } = layer.shape;
        layer.load(&numbers(inputs * outputs, index), &numbers(outputs, index + 9), false).unwrap();
    }

    let together = decide(&network, 0..150);

    for row in 0..150 {
        let alone = decide(&network, row..row + 1);
        assert_eq!(alone.actions, together.actions[2 * row..2 * row + 2]);
        let (log_probs, rest) = together.numbers.split_at(300);
        let (values, memory) = rest.split_at(450);
        let (of_actions, of_values) = (&log_probs[2 * row..2 * row + 2], &values[3 * row..3 * row + 3]);
        let expected = [of_actions, of_values, &memory[20 * row..20 * row + 20]].concat();
        assert_eq!(alone.numbers, expected);
    }
}
