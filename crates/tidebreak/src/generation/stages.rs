//! The stages of the curriculum, as far as their battles depend on them.

use kernel::keyed::{draw, pick, u01};

use crate::generation::draws::{Purpose, SCENARIO_STREAM};

/// How many stages there are; they are numbered from 1.
pub const STAGE_COUNT: i64 = 12;

const EARLIER_STAGE_SHARE: f64 = 0.2;
const TIME_LIMITS_TICKS: [i64; STAGE_COUNT as usize] =
    [300, 600, 1200, 900, 900, 900, 900, 1500, 1200, 1500, 2400, 1500];

/// Ticks after which a battle of the stage ends undecided.
#[must_use]
pub fn time_limit_ticks(stage: i64) -> i64 {
    TIME_LIMITS_TICKS[stage as usize - 1]
}

/// The stage an episode is drawn from: the current one, or in a fifth of the episodes an earlier one.
#[must_use]
pub fn episode_stage(current: i64, seed: u64) -> i64 {
    let bits = |purpose: Purpose| draw(seed, SCENARIO_STREAM, 0, current as u64, 0, purpose as u64);
    if current == 1 || u01(bits(Purpose::Repeat)) >= EARLIER_STAGE_SHARE {
        return current;
    }
    1 + pick(bits(Purpose::Stage), current as u64 - 1) as i64
}

/// Controller of the opponents that the stage ends with, of those that are scripts.
#[must_use]
pub const fn hardest_script(stage: i64) -> &'static str {
    match stage {
        1 => "script:drifter@0.5",
        2 => "script:aggressor",
        _ => "script:auto",
    }
}
