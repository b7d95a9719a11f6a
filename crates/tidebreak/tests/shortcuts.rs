//! Shortcuts give the bits of the long way.

use kernel::numerics::{clamp, headings, log10, log10_bounds};
use proptest::prelude::*;
use tidebreak::observe::directions::Directions;

fn shown_the_long_way(x: f64, y: f64, heading: f64) -> [u32; 2] {
    let ([sine], [cosine]) = headings([y], [x], heading);
    [sine, cosine].map(|value| (clamp(value, -1.0, 1.0) as f32).to_bits())
}

fn shown(x: f64, y: f64, heading: f64) -> [u32; 2] {
    let (mut asked, mut row) = (Directions::NONE, [0.0; 2]);
    asked.ask(0, x, y);
    asked.show(heading, &mut row);
    row.map(f32::to_bits)
}

/// Lengths of every size, and often those that shortcuts must leave alone.
fn length() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -30_000.0..30_000.0,
        1 => (-300.0..8.0).prop_map(|exponent: f64| 10.0_f64.powf(exponent)),
        1 => Just(0.0),
        1 => Just(-0.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn a_direction_is_shown_as_its_angle_says(x in length(), y in length(), heading in -12.0..12.0) {
        prop_assert_eq!(shown(x, y, heading), shown_the_long_way(x, y, heading));
    }

    #[test]
    fn a_direction_along_the_head_or_across_it_is_shown_as_its_angle_says(
        heading in -3.2..3.2_f64,
        quarter in 0..4,
        length in 1.0..20_000.0,
    ) {
        let angle = heading + f64::from(quarter) * std::f64::consts::FRAC_PI_2;
        let (x, y) = (length * angle.cos(), length * angle.sin());
        prop_assert_eq!(shown(x, y, heading), shown_the_long_way(x, y, heading));
    }

    #[test]
    fn a_logarithm_lies_between_its_bounds(exponent in -300.0..300.0) {
        let x = 10.0_f64.powf(exponent);
        let (low, high) = log10_bounds(x);
        prop_assert!(low <= log10(x) && log10(x) <= high && high - low < 0.026);
    }
}
