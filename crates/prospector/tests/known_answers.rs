//! The known-answer vectors of section 19 of the world's spec.

mod anatomy;

use anatomy::Anatomy;
use kernel::pcg32::Pcg32;
use kernel::simulation::Simulation;
use prospector::{Config, Outcome, Prospector, events_of};
use sha2::{Digest, Sha256};

const STREAM: u64 = 54;

fn opened(seed: u64) -> Prospector {
    let mut world = Prospector::new(Config::default());
    world.reset(seed);
    world
}

fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what} is {found}; it must be {expected}");
}

#[test]
fn the_generator_gives_the_listed_numbers() {
    let expected: [(u64, [u32; 6]); 3] = [
        (0, [0x47c2_8b93, 0xb98f_6a27, 0x7d3d_cb1e, 0xf076_1116, 0x9cc3_3f5b, 0xbe0e_744d]),
        (1, [0x9b6b_dda9, 0x0c31_fc48, 0xce97_f8ef, 0x822c_03d4, 0x943e_8cf2, 0x1b75_dde3]),
        (42, [0xa15c_02b7, 0x7b47_f409, 0xba1d_3330, 0x83d2_f293, 0xbfa4_784b, 0xcbed_606e]),
    ];
    for (seed, values) in expected {
        let mut rng = Pcg32::from_seed(seed, STREAM);
        assert_eq!(values.map(|_| rng.next_u32()), values, "seed {seed}");
    }
}

#[test]
fn derived_draws_give_the_listed_numbers() {
    let fresh = || Pcg32::from_seed(42, STREAM);

    let mut rng = fresh();
    assert_eq!([rng.f64(), rng.f64(), rng.f64()], [0.6303102204110473, 0.4815666696522385, 0.7270080558955669]);
    let mut rng = fresh();
    for expected in [-0.954336976917, -0.795006343094, 0.219600537638] {
        assert_near(rng.normal(0.0, 1.0), expected, 1e-12, "normal");
    }
    let shares = [0.171466395625, 0.271463908024, 0.118442930698, 0.246572601791, 0.107568286849, 0.084485877012];
    for (found, expected) in fresh().dirichlet6().into_iter().zip(shares) {
        assert_near(found, expected, 1e-12, "dirichlet6");
    }
    assert_near(fresh().beta32(), 0.613178126095, 1e-12, "beta32");
}

#[test]
fn worlds_at_reset_are_the_listed_ones() {
    let expected = [
        (0, 13, 4, "011111111", 85, 1835, 2, "d7a303243967e22d"),
        (1, 16, 5, "0211111121", 94, 2034, 3, "67f08612590f98e3"),
        (7, 18, 6, "01112121211", 92, 2009, 2, "9ecf983b0d4ffd00"),
        (9, 39, 6, "01111111111112111112111", 262, 5577, 3, "03d1c1911b12adbf"),
        (42, 29, 5, "0111221111121111", 130, 2848, 3, "bfca5b8bf883a7b2"),
        (123_456_789_012_345, 28, 1, "01121121111112122", 171, 3671, 4, "af081b571eb727f7"),
        ((1 << 63) + 5, 35, 4, "01221111221121111211", 199, 4280, 3, "7939189504bd233d"),
    ];
    for (seed, edges, degree, kinds, asteroids, draws, farthest, hash) in expected {
        let world = opened(seed);

        let parts = Anatomy::of(&world);
        assert_eq!(parts.kinds.iter().map(i64::to_string).collect::<String>(), kinds, "seed {seed}");
        assert_eq!(parts.edges.iter().flatten().count(), 2 * edges, "seed {seed}");
        assert_eq!(parts.edges[0].len(), degree, "seed {seed}");
        assert_eq!(parts.makeup.iter().flatten().count(), asteroids, "seed {seed}");
        assert_eq!(parts.hops.iter().max(), Some(&farthest), "seed {seed}");
        assert_eq!(world.draws(), draws, "seed {seed}");
        assert_eq!(observation_hash(&world), hash, "seed {seed}");
    }
}

fn observation_hash(world: &Prospector) -> String {
    let bytes: Vec<u8> = world.observation().iter().flat_map(|entry| entry.to_le_bytes()).collect();
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn seed_42_opens_as_listed() {
    let world = opened(42);

    let parts = Anatomy::of(&world);
    let ways_out: Vec<_> = parts.edges[0].iter().map(|edge| (edge.neighbor, edge.ticks)).collect();
    assert_eq!(ways_out, [(1, 4), (2, 3), (7, 1), (13, 7), (6, 1)]);
    assert_near(parts.hazard[1], 0.268102, 5e-7, "hazard");
    assert_near(parts.pirate[1], 0.178734, 5e-7, "pirate");
    let makeup = [0.005372, 0.006268, 0.072582, 0.374493, 0.086752, 0.454534, 1.706574, 0.099935, 0.080633];
    for (found, expected) in parts.makeup[1][0].into_iter().zip(makeup) {
        assert_near(found, expected, 5e-7, "makeup");
    }
    let estimate = [0.279697, 0.213434, 0.073085, 0.190486, 0.129346, 0.113952];
    for (found, expected) in parts.beliefs[1][0].into_iter().zip(estimate) {
        assert_near(found, expected, 5e-7, "comp_est");
    }
    let price = [37.328822, 57.463716, 76.439675, 143.890978, 196.488309, 108.463754];
    for (found, expected) in parts.price.into_iter().zip(price) {
        assert_near(found, expected, 5e-7, "price");
    }
    let mut mask = [0; 69];
    world.mask(&mut mask);
    let valid: Vec<usize> = (0..69).filter(|&action| mask[action] == 1).collect();
    assert_eq!(valid, [0, 1, 2, 3, 4, 6, 7, 11, 33, 42, 68]);
}

#[test]
fn one_hundred_holds_end_as_listed() {
    let mut world = opened(42);

    let total = (0..100).map(|_| world.step_one(6).unwrap().reward).sum::<f64>();

    let parts = Anatomy::of(&world);
    assert_near(total, -0.1, 1e-15, "return");
    assert_eq!(world.draws(), 4048);
    let price = [45.530433, 47.825828, 102.608545, 112.570872, 229.643088, 133.537561];
    for (found, expected) in parts.price.into_iter().zip(price) {
        assert_near(found, expected, 5e-7, "price");
    }
    let inventory = [47.405044, 51.364100, 48.283768, 58.934230, 48.895436, 57.533122];
    for (found, expected) in parts.inventory.into_iter().zip(inventory) {
        assert_near(found, expected, 5e-7, "inventory");
    }
}

/// A row of the script: what the step tells and what the ship has afterwards.
struct Row {
    action: i32,
    node: i64,
    dt: u16,
    is_invalid: bool,
    reward: f64,
    /// Fuel, hull, heat, tool, alert, units in the hold, credits.
    ship: [f64; 7],
    draws: u64,
    notable: &'static [&'static str],
}

macro_rules! row {
    ($action:literal, $node:literal, $dt:literal, $invalid:literal, $reward:literal, [$($ship:literal),*], $draws:literal,
     $notable:expr) => {
        Row {
            action: $action,
            node: $node,
            dt: $dt,
            is_invalid: $invalid,
            reward: $reward,
            ship: [$($ship as f64),*],
            draws: $draws,
            notable: &$notable,
        }
    };
}

#[rustfmt::skip]
fn script() -> Vec<Row> {
    vec![
        row!(0, 1, 4, false, -0.195404388, [953.006681, 98.555889, 0.536205, 100, 1.683999, 0, 0], 2864, ["travel"]),
        row!(8, 1, 3, false, -0.064175299, [948.006681, 98.044136, 0.402154, 100, 6.327445, 0, 0], 2962, ["scan"]),
        row!(12, 1, 1, false, -0.021609200, [948.006681, 97.838044, 0.134051, 100, 6.541927, 0, 0], 2976, ["select"]),
        row!(9, 1, 2, false, -0.043824575, [944.006681, 97.509799, 0.268102, 100, 9.970890, 0, 0], 3004, ["scan"]),
        row!(10, 1, 4, false, -0.099139841, [936.006681, 96.688400, 0.536205, 100, 16.828818, 0, 0], 3032, ["scan"]),
        row!(28, 1, 1, false, -0.020944953, [936.006681, 96.492698, 0.170256, 99.2, 18.243300, 1.483734, 0], 3049, ["mine"]),
        row!(28, 1, 1, false, -0.019587662, [936.006681, 96.313941, 0.134051, 98.4, 19.657782, 2.833406, 0], 3066, ["mine"]),
        row!(29, 1, 1, false, -1.082672002, [936.006681, 85.519462, 1.818102, 96.8, 22.152264, 5.023097, 0], 3084, ["mine", "fracture", "asteroid_depleted"]),
        row!(30, 1, 1, true, -0.255355621, [936.006681, 83.306803, 0.184051, 96.8, 27.446746, 4.840293, 0], 3101, ["invalid_action", "pirate_encounter"]),
        row!(33, 1, 2, false, -0.064753727, [934.006681, 82.693580, 0.368102, 96.8, 29.035710, 4.840293, 0], 3115, ["cooldown"]),
        row!(6, 1, 1, false, -0.031699205, [934.006681, 82.386588, 0.184051, 96.8, 26.330192, 4.840293, 0], 3129, []),
        row!(0, 0, 4, false, -0.115358326, [886.444708, 81.748624, 0, 96.8, 27.156263, 4.840293, 0], 3142, ["travel"]),
        row!(42, 0, 1, false, -0.000824838, [886.444708, 81.748624, 0, 96.8, 7.156263, 4.840293, 0], 3154, ["dock"]),
        row!(45, 0, 1, false, 0.000088045, [886.444708, 81.748624, 0, 96.8, 7.156263, 4.814292, 0.996402], 3166, ["sell"]),
        row!(48, 0, 1, false, 0.000509022, [886.444708, 81.748624, 0, 96.8, 7.156263, 4.783952, 2.505424], 3178, ["sell"]),
        row!(57, 0, 1, false, 0.085193054, [886.444708, 81.748624, 0, 96.8, 7.156263, 4.364048, 88.698478], 3190, ["sell"]),
        row!(54, 0, 1, false, 0.202635367, [886.444708, 81.748624, 0, 96.8, 7.156263, 2.551394, 292.333845], 3202, ["sell"]),
        row!(60, 0, 1, false, 0.246692753, [886.444708, 81.748624, 0, 96.8, 7.156263, 0.351317, 540.026598], 3214, ["sell"]),
        row!(51, 0, 1, false, 0.030552756, [886.444708, 81.748624, 0, 96.8, 7.156263, 0, 571.579355], 3226, ["sell"]),
        row!(61, 0, 1, false, -0.061, [1000, 81.748624, 0, 96.8, 7.156263, 0, 511.579355], 3238, ["buy"]),
        row!(67, 0, 3, false, -0.283, [1000, 100, 0, 100, 7.156263, 0, 231.579355], 3250, ["overhaul"]),
        row!(64, 0, 1, false, -0.151, [1000, 100, 0, 100, 7.156263, 0, 81.579355], 3262, ["buy"]),
        row!(66, 0, 1, true, -0.011, [1000, 100, 0, 100, 4.156263, 0, 81.579355], 3274, ["invalid_action"]),
        row!(68, 0, 1, false, -0.000836841, [1000, 100, 0, 100, 4.156263, 0, 81.579355], 3286, ["cash_out", "terminated"]),
    ]
}

#[test]
fn the_script_of_seed_42_runs_as_listed() {
    let mut world = opened(42);
    for (place, row) in script().iter().enumerate() {
        let Outcome { reward, dt, invalid_action, events, draws, .. } = world.step_one(row.action).unwrap();

        let parts = Anatomy::of(&world);
        let what = format!("step {place} (action {})", row.action);
        assert_eq!((parts.node, dt, invalid_action, draws), (row.node, row.dt, row.is_invalid, row.draws), "{what}");
        assert_eq!(events_of(u64::from(events)), row.notable, "{what}");
        assert_near(reward, row.reward, 5e-10, &what);
        let [fuel, hull, heat, tool, alert, credits] = parts.ship;
        let found = [fuel, hull, heat, tool, alert, parts.cargo.iter().sum(), credits];
        for (found, expected) in found.into_iter().zip(row.ship) {
            assert_near(found, expected, 5e-7, &what);
        }
    }
    assert!(world.is_over());
    assert!(world.step_one(6).is_err());
}
