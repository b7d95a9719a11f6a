//! What points, circles and observers read.

mod sea;

use morphospace::constants::{
    CURRENT_X, DEPTH, FIRST_DYNAMIC, GRID_CELLS, N_DYNAMIC, NOISE, OCCUPANCY, SALINITY, TEMPERATURE,
};
use morphospace::{DEFAULT_SHELLS, FieldSpace, Observer, Op, Settings, VolumeQuery};
use proptest::prelude::*;
use sea::{cells, dab, opened};

fn stirred() -> FieldSpace {
    let mut space = opened(&Settings::default());
    dab(&mut space, 1, [-300.0, 250.0], 700.0, (TEMPERATURE, Op::Add, 30.0));
    dab(&mut space, 3, [900.0, -1200.0], 500.0, (NOISE, Op::Max, 80.0));
    space.propagate([4.0, -2.0]).expect("a wind");
    space.refresh();
    space
}

#[test]
fn an_absent_brick_reads_as_its_defaults() {
    let space = opened(&Settings { temperature: [21.5, 11.25, 3.0], ..Settings::default() });

    for (layer, temperature) in [21.5, 11.25, 3.0].into_iter().enumerate() {
        for level in 0..=5 {
            let point = space.point(layer, 777.0, -3000.0, level).expect("a point");
            assert_eq!(point, [0.0, 0.0, 35.0, 0.0, 0.0, temperature, 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
    }
}

#[test]
fn beyond_the_domain_everything_is_occupied_and_at_its_default() {
    let mut space = stirred();
    space.reset();
    space.set_static(SALINITY, 0, &vec![30.0; GRID_CELLS * GRID_CELLS]).expect("salt");

    let inside = space.point(0, 4096.0, -4096.0, 0).expect("the last corner");
    let outside = space.point(0, 4096.1, 0.0, 0).expect("a point");

    assert_eq!((inside[OCCUPANCY], inside[SALINITY]), (0.0, 30.0));
    assert_eq!(outside, [0.0, 1.0, 35.0, 0.0, 0.0, 18.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn levels_are_means_of_the_blocks_around_a_cell() {
    let mut space = opened(&Settings::default());
    let ramp: Vec<f32> = (0..GRID_CELLS * GRID_CELLS).map(|place| (place % GRID_CELLS) as f32).collect();
    space.set_static(DEPTH, 1, &ramp).expect("a ramp");
    space.set_static(CURRENT_X, 1, &ramp).expect("a ramp");

    let levels: Vec<f32> = (0..=5).map(|level| space.point(1, 10.0, 10.0, level).expect("a point")[DEPTH]).collect();

    assert_eq!(levels, [64.0, 64.5, 65.5, 67.5, 71.5, 79.5]);
}

#[test]
fn every_summary_equals_brute_force() {
    let space = stirred();
    for field in FIRST_DYNAMIC..FIRST_DYNAMIC + N_DYNAMIC {
        let layers = [0, 1, 2].map(|layer| cells(&space, field, layer));
        for depth in 0..=4 {
            let side = GRID_CELLS >> depth;
            let spans: &[&[usize]] = match depth {
                0 => &[&[0, 1, 2]],
                1 => &[&[0, 1], &[2]],
                _ => &[&[0], &[1], &[2]],
            };
            for (iz, span) in spans.iter().enumerate() {
                for (ix, iy) in (0..1 << depth).flat_map(|iy| (0..1 << depth).map(move |ix| (ix, iy))) {
                    let inside = |place: usize| place % GRID_CELLS / side == ix && place / GRID_CELLS / side == iy;
                    let chosen: Vec<f64> = span
                        .iter()
                        .flat_map(|&layer| layers[layer].iter().enumerate().filter(|(place, _)| inside(*place)))
                        .map(|(_, &cell)| f64::from(cell))
                        .collect();
                    let found = space.summary(depth, ix, iy, iz).expect("a node")[field - FIRST_DYNAMIC];
                    let mean = chosen.iter().sum::<f64>() / chosen.len() as f64;
                    let square = chosen.iter().map(|cell| cell * cell).sum::<f64>() / chosen.len() as f64;
                    assert!((f64::from(found.mean) - mean).abs() <= 1e-5 * mean.abs().max(1.0));
                    assert!((f64::from(found.mean_square) - square).abs() <= 1e-5 * square.max(1.0));
                    assert_eq!(f64::from(found.min), chosen.iter().copied().fold(f64::INFINITY, f64::min));
                    assert_eq!(f64::from(found.max), chosen.iter().copied().fold(f64::NEG_INFINITY, f64::max));
                    assert!(found.variance() >= 0.0);
                }
            }
        }
    }
}

#[test]
fn a_circle_in_which_nothing_counts_reads_the_cell_it_is_centered_in() {
    let space = stirred();

    let reading = space.volume(&VolumeQuery::new(0, -310.0, 240.0, 1.0, 3).expect("a query"));

    assert_eq!((reading.count, reading.nodes), (1, 1));
    assert_eq!(reading.mean[0], f64::from(space.value(TEMPERATURE, 0, -310.0, 240.0)));
    assert_eq!(reading.variance[1], 0.0);
}

#[test]
fn an_observer_sees_what_lies_ahead_in_its_first_sector() {
    let mut space = opened(&Settings::default());
    dab(&mut space, 1, [0.0, 700.0], 300.0, (NOISE, Op::Max, 90.0));
    space.refresh();
    let observer = Observer { layer: 0, at: [0.0, 0.0], heading: std::f64::consts::FRAC_PI_2 };
    let mut seen = [0.0; 28];

    space.foveated(&observer, &DEFAULT_SHELLS, &[NOISE], &mut seen);

    assert!(seen[0] > 10.0);
    assert_eq!(seen[8], 0.0);
    let loudest = seen.iter().copied().fold(0.0, f32::max);
    assert_eq!(loudest, seen[0]);
}

proptest! {
    #[test]
    fn a_circle_at_full_detail_equals_brute_force(
        x in -5000.0..5000.0, y in -5000.0..5000.0, radius_m in 40.0..3000.0, layer in 0_usize..3
    ) {
        let space = stirred();
        let centers: Vec<usize> = (0..GRID_CELLS * GRID_CELLS)
            .filter(|place| {
                let at = |cell: usize| -4096.0 + (cell as f64 + 0.5) * 64.0;
                let (dx, dy) = (at(place % GRID_CELLS) - x, at(place / GRID_CELLS) - y);
                dx * dx + dy * dy <= radius_m * radius_m
            })
            .collect();
        prop_assume!(!centers.is_empty());

        let reading = space.volume(&VolumeQuery::new(layer, x, y, radius_m, 0).expect("a query"));

        prop_assert_eq!(reading.count, centers.len());
        prop_assert!(reading.nodes as f64 <= 48.0 + 8.0 * (2.0 * radius_m / 64.0));
        for field in 0..N_DYNAMIC {
            let grid = cells(&space, FIRST_DYNAMIC + field, layer);
            let chosen: Vec<f64> = centers.iter().map(|&place| f64::from(grid[place])).collect();
            let mean = chosen.iter().sum::<f64>() / chosen.len() as f64;
            let square = chosen.iter().map(|cell| cell * cell).sum::<f64>() / chosen.len() as f64;
            prop_assert!((reading.mean[field] - mean).abs() <= 1e-5 * mean.abs().max(1.0));
            prop_assert!((reading.variance[field] - (square - mean * mean)).abs() <= 1e-5 * square.max(1.0));
            prop_assert_eq!(f64::from(reading.min[field]), chosen.iter().copied().fold(f64::INFINITY, f64::min));
            prop_assert_eq!(f64::from(reading.max[field]), chosen.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }

    #[test]
    fn a_coarser_circle_reads_fewer_nodes_within_the_bound(
        x in -4000.0..4000.0, y in -4000.0..4000.0, radius_m in 100.0..4000.0, level in 0_usize..=5
    ) {
        let space = stirred();

        let reading = space.volume(&VolumeQuery::new(0, x, y, radius_m, level).expect("a query"));

        let node_m = f64::from(64_u32 << level);
        prop_assert!(reading.nodes as f64 <= 48.0 + 8.0 * (2.0 * radius_m / node_m));
        prop_assert!(reading.count >= reading.nodes);
    }
}
