//! Products have the same bits whatever the width of the processor's vectors.

use policy::outer::Sums;
use policy::panels::{Panels, TILE_ROWS};
use policy::processor::Simd;
use policy::scratch::{ScratchBuffer, row_stride};
use proptest::prelude::*;
use pulp::Scalar;

fn rows_of(rows: usize, width: usize, seed: usize) -> ScratchBuffer {
    let mut scratch = ScratchBuffer::of_rows(rows + TILE_ROWS, width);
    for row in 0..rows {
        for (index, entry) in scratch[row * row_stride(width)..][..width].iter_mut().enumerate() {
            *entry = ((row * 7919 + index * 104_729 + seed) % 2003) as f32 * 1.1e-3 - 1.0;
        }
    }
    scratch
}

/// Products with a matrix, and sums of outer products, both without padding.
fn computed<S: Simd>(simd: S, rows: usize, inputs: usize, outputs: usize) -> Vec<u32> {
    let (x, mut out) = (rows_of(rows, inputs, 1), rows_of(rows, outputs, 2));
    let weights: Vec<f32> = (0..inputs * outputs).map(|index| (index % 997) as f32 * 2e-3 - 1.0).collect();
    let mut panels = Panels::new(inputs, outputs, S::F32_LANES);
    panels.load(&weights, inputs, 1);
    panels.add_product(simd, rows, &x, &mut out);

    let mut sums = Sums::new(inputs, outputs);
    sums.add(simd, rows, &out, &x);
    let (mut matrix, mut bias) = (vec![0.0; inputs * outputs], vec![0.0; outputs]);
    sums.write(&mut matrix, &mut bias).unwrap();
    let products = (0..rows).flat_map(|row| &out[row * row_stride(outputs)..][..outputs]);
    products.chain(&matrix).chain(&bias).map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn of_every_width_there_is(rows in 1_usize..40, inputs in 1_usize..80, outputs in 1_usize..80) {
        let expected = computed(Scalar, rows, inputs, outputs);
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V3::try_new() {
                prop_assert_eq!(&computed(simd, rows, inputs, outputs), &expected);
            }
            if let Some(simd) = pulp::x86::V4::try_new() {
                prop_assert_eq!(&computed(simd, rows, inputs, outputs), &expected);
            }
        }
        prop_assert_eq!(computed(Scalar, rows, inputs, outputs).len(), expected.len());
    }
}
