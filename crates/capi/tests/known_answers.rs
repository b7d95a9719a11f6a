//! The known answers of the world's specification, through the C functions.

mod handles;

use handles::World;
use sha2::{Digest, Sha256};

/// Seed and the first 16 digits of the SHA-256 of the first observation.
const OPENINGS: [(u64, &str); 7] = [
    (0, "d7a303243967e22d"),
    (1, "67f08612590f98e3"),
    (7, "9ecf983b0d4ffd00"),
    (9, "03d1c1911b12adbf"),
    (42, "bfca5b8bf883a7b2"),
    (123_456_789_012_345, "af081b571eb727f7"),
    ((1 << 63) + 5, "7939189504bd233d"),
];

/// Action, ticks, flags, reward to nine digits, numbers drawn, of seed 42 in the default configuration.
const SCRIPT: [(i32, u16, u8, f64, u64); 24] = [
    (0, 4, 0, -0.195404388, 2864),
    (8, 3, 0, -0.064175299, 2962),
    (12, 1, 0, -0.021609200, 2976),
    (9, 2, 0, -0.043824575, 3004),
    (10, 4, 0, -0.099139841, 3032),
    (28, 1, 0, -0.020944953, 3049),
    (28, 1, 0, -0.019587662, 3066),
    (29, 1, 0, -1.082672002, 3084),
    (30, 1, 4, -0.255355621, 3101),
    (33, 2, 0, -0.064753727, 3115),
    (6, 1, 0, -0.031699205, 3129),
    (0, 4, 0, -0.115358326, 3142),
    (42, 1, 0, -0.000824838, 3154),
    (45, 1, 0, 0.000088045, 3166),
    (48, 1, 0, 0.000509022, 3178),
    (57, 1, 0, 0.085193054, 3190),
    (54, 1, 0, 0.202635367, 3202),
    (60, 1, 0, 0.246692753, 3214),
    (51, 1, 0, 0.030552756, 3226),
    (61, 1, 0, -0.061, 3238),
    (67, 3, 0, -0.283, 3250),
    (64, 1, 0, -0.151, 3262),
    (66, 1, 4, -0.011, 3274),
    (68, 1, 1, -0.000836841, 3286),
];

#[test]
fn openings_are_the_known_ones() {
    for (seed, expected) in OPENINGS {
        let bytes: Vec<u8> = World::new(seed).observe().iter().flat_map(|entry| entry.to_le_bytes()).collect();

        let digits: String = Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect();

        assert_eq!(digits, expected, "seed {seed}");
    }
}

#[test]
fn the_script_of_seed_42_gives_the_known_rewards_and_draws() {
    let mut world = World::new(42);
    for (action, dt, flags, reward, draws) in SCRIPT {
        let result = world.step(action);

        assert_eq!((result.dt, result.flags, result.rng_draws), (dt, flags, draws), "action {action}");
        assert!((result.reward - reward).abs() < 1e-9, "action {action}: {} instead of {reward}", result.reward);
    }
}
