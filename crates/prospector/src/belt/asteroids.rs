//! One asteroid: what it is, what the pilot believes, and where in the stream both are drawn.

use kernel::pcg32::{Jump, Pcg32};

use crate::bounds::clamp;
use crate::constants::{
    MAX_ASTEROIDS, N_COMMODITIES, RICHNESS_MU, RICHNESS_RANGE, RICHNESS_SIGMA, SCAN_CONF_AT_START, SCAN_NOISE_RANGE,
    STABILITY_ESTIMATE_AT_START,
};

/// Draws that make one asteroid, in this order: composition, richness, stability, noise, and the pilot's first guess.
const COMP_DRAWS: u64 = 6;
const RICHNESS_DRAWS: u64 = 2;
const STABILITY_DRAWS: u64 = 5;
const NOISE_DRAWS: u64 = 1;
const GUESS_DRAWS: u64 = 6;
const MAKEUP_DRAWS: u64 = COMP_DRAWS + RICHNESS_DRAWS + STABILITY_DRAWS + NOISE_DRAWS;
const DRAWS: u64 = MAKEUP_DRAWS + GUESS_DRAWS;

const COMP: Jump = Jump::new(COMP_DRAWS);
const RICHNESS: Jump = Jump::new(RICHNESS_DRAWS);
const MAKEUP: Jump = Jump::new(MAKEUP_DRAWS);
/// Entry n skips n asteroids.
pub(super) const ASTEROIDS: [Jump; MAX_ASTEROIDS + 1] = {
    let mut jumps = [Jump::new(0); MAX_ASTEROIDS + 1];
    let mut count = 0;
    while count <= MAX_ASTEROIDS {
        jumps[count] = Jump::new(count as u64 * DRAWS);
        count += 1;
    }
    jumps
};

/// What an asteroid is; the pilot never sees it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Makeup {
    /// Share of each commodity.
    pub true_comp: [f64; N_COMMODITIES],
    /// 0 until it is drawn; only digging needs it.
    pub richness: f64,
    pub stability: f64,
    /// How much scans of it err.
    pub noise: f64,
}

/// What the pilot believes about an asteroid, and how much of it is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beliefs {
    pub comp_est: [f64; N_COMMODITIES],
    pub stability_est: f64,
    pub scan_conf: f64,
    pub depletion: f64,
}

impl Makeup {
    /// Draws what a scan sees of an asteroid whose draws begin here; the richness stays 0.
    pub fn draw(rng: &mut Pcg32) -> Self {
        let true_comp = rng.dirichlet6();
        rng.jump(&RICHNESS);
        Self {
            true_comp,
            richness: 0.0,
            stability: rng.beta32(),
            noise: rng.uniform(SCAN_NOISE_RANGE.0, SCAN_NOISE_RANGE.1),
        }
    }

    /// Draws the richness of an asteroid whose draws begin here.
    pub fn draw_richness(rng: &mut Pcg32) -> f64 {
        rng.jump(&COMP);
        clamp(rng.lognormal(RICHNESS_MU, RICHNESS_SIGMA), RICHNESS_RANGE.0, RICHNESS_RANGE.1)
    }
}

impl Beliefs {
    /// No opinion yet.
    pub const UNKNOWN: Self = Self {
        comp_est: [0.0; N_COMMODITIES],
        stability_est: STABILITY_ESTIMATE_AT_START,
        scan_conf: SCAN_CONF_AT_START,
        depletion: 0.0,
    };

    /// Draws the first guess about an asteroid whose draws begin here, passing over what it is.
    pub fn draw(rng: &mut Pcg32) -> Self {
        rng.jump(&MAKEUP);
        Self { comp_est: rng.dirichlet6(), ..Self::UNKNOWN }
    }
}
