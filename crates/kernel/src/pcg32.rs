//! PCG32 (XSH-RR, 64-bit state, 32-bit output) with the derived draws of the specs, counted u32 by u32.

use std::fmt::Display;

use sha2::{Digest, Sha256};

use crate::numerics::{TWO_PI, cos, exp, ln, ln_array};

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const PER_U32: f64 = 1.0 / 4_294_967_296.0;
const SMALLEST_UNIT: f64 = 1e-8; // draws that go into a logarithm are raised to this
const LANES: usize = 4;

/// One random stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg32 {
    state: u64,
    inc: u64,
    draws: u64,
}

/// A number of draws to skip at once; worth keeping where the same skip recurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    mult: u64,
    plus: u64,
    draws: u64,
}

impl Jump {
    /// A skip of `n` draws.
    #[must_use]
    pub const fn new(n: u64) -> Self {
        let (mut mult, mut plus) = (1_u64, 0_u64);
        let (mut step_mult, mut step_plus) = (MULTIPLIER, 1_u64);
        let mut remaining = n;
        while remaining > 0 {
            if remaining & 1 == 1 {
                mult = mult.wrapping_mul(step_mult);
                plus = plus.wrapping_mul(step_mult).wrapping_add(step_plus);
            }
            step_plus = step_mult.wrapping_add(1).wrapping_mul(step_plus);
            step_mult = step_mult.wrapping_mul(step_mult);
            remaining >>= 1;
        }
        Self { mult, plus, draws: n }
    }

    #[inline]
    const fn apply(&self, state: u64, inc: u64) -> u64 {
        state.wrapping_mul(self.mult).wrapping_add(inc.wrapping_mul(self.plus))
    }
}

impl Pcg32 {
    /// Continues a stream from the three numbers of a snapshot.
    #[inline]
    #[must_use]
    pub const fn from_parts(state: u64, inc: u64, draws: u64) -> Self {
        Self { state, inc, draws }
    }

    /// Begins a stream from two integers.
    #[inline]
    #[must_use]
    pub const fn from_seed(seed: u64, stream: u64) -> Self {
        let inc = stream << 1 | 1;
        let state = inc.wrapping_add(seed).wrapping_mul(MULTIPLIER).wrapping_add(inc);
        Self { state, inc, draws: 0 }
    }

    /// Begins a stream from a run's seed and a name, through SHA-256 of the text `<run_seed>:<stream_name>`.
    #[must_use]
    pub fn named(run_seed: impl Display, stream_name: &str) -> Self {
        let digest = Sha256::digest(format!("{run_seed}:{stream_name}"));
        let word = |from: usize| (0..8).fold(0, |word, byte| word | u64::from(digest[from + byte]) << (8 * byte));
        Self::from_seed(word(0), word(8))
    }

    /// Position in the stream.
    #[inline]
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// Odd number that tells streams apart.
    #[inline]
    #[must_use]
    pub const fn inc(&self) -> u64 {
        self.inc
    }

    /// u32 consumed since seeding.
    #[inline]
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Draws 32 random bits.
    #[inline]
    pub const fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.inc);
        self.draws = self.draws.wrapping_add(1);
        output(old)
    }

    /// Fills the slice with successive draws, several at a time.
    #[inline]
    pub fn fill_u32(&mut self, values: &mut [u32]) {
        const STEP: Jump = Jump::new(1);
        const STRIDE: Jump = Jump::new(LANES as u64);
        let mut lanes = [self.state; LANES];
        for lane in 1..LANES {
            lanes[lane] = STEP.apply(lanes[lane - 1], self.inc);
        }
        let mut chunks = values.chunks_exact_mut(LANES);
        for chunk in &mut chunks {
            for (value, lane) in chunk.iter_mut().zip(&mut lanes) {
                *value = output(*lane);
                *lane = STRIDE.apply(*lane, self.inc);
            }
            self.draws = self.draws.wrapping_add(STRIDE.draws);
        }
        self.state = lanes[0];
        for value in chunks.into_remainder() {
            *value = self.next_u32();
        }
    }

    /// Skips the draws of a prepared jump; they count as drawn.
    #[inline]
    pub const fn jump(&mut self, jump: &Jump) {
        self.state = jump.apply(self.state, self.inc);
        self.draws = self.draws.wrapping_add(jump.draws);
    }

    /// Skips `n` draws in O(log n); they count as drawn.
    #[inline]
    pub const fn advance(&mut self, n: u64) {
        self.jump(&Jump::new(n));
    }

    /// Draws a fraction in [0, 1). One u32.
    #[inline]
    pub const fn f64(&mut self) -> f64 {
        self.next_u32() as f64 * PER_U32
    }

    /// Draws from [lo, hi). One u32.
    #[inline]
    pub const fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.f64()
    }

    /// Draws an integer in lo..hi-1 by remainder (prospector.md 4.2). One u32. An empty range gives `lo`.
    #[inline]
    pub const fn randint_exclusive(&mut self, lo: i64, hi: i64) -> i64 {
        let r = self.next_u32();
        let span = hi.wrapping_sub(lo) as u64;
        if hi <= lo {
            lo
        } else if span <= u32::MAX as u64 {
            lo.wrapping_add((r % span as u32) as i64)
        } else {
            lo.wrapping_add(r as i64)
        }
    }

    /// Draws an integer in lo..hi by rejection (townlet.md 4), without bias. One u32 or, rarely, more.
    ///
    /// A range that is empty or wider than 2^32 values gives `lo` and draws nothing.
    #[inline]
    pub const fn randint_inclusive(&mut self, lo: i64, hi: i64) -> i64 {
        let last = hi.wrapping_sub(lo) as u64;
        if hi < lo || last > u32::MAX as u64 {
            return lo;
        }
        let n = last + 1;
        let rejected_below = (1_u64 << 32) % n;
        loop {
            let r = self.next_u32() as u64;
            if r >= rejected_below {
                return lo.wrapping_add((r % n) as i64);
            }
        }
    }

    /// Draws from the exponential distribution with mean 1. One u32.
    #[inline]
    pub fn exp_unit(&mut self) -> f64 {
        -ln(at_least_smallest(self.f64()))
    }

    /// What `N` calls of `exp_unit` give, faster.
    #[inline]
    pub fn exp_units<const N: usize>(&mut self) -> [f64; N] {
        let mut units = [0.0; N];
        for unit in &mut units {
            *unit = at_least_smallest(self.f64());
        }
        ln_array(units).map(|logarithm| -logarithm)
    }

    /// Draws from the normal distribution. Two u32: the sine twin is thrown away.
    #[inline]
    pub fn normal(&mut self, mu: f64, sigma: f64) -> f64 {
        let u1 = at_least_smallest(self.f64());
        let u2 = self.f64();
        mu + sigma * ((-2.0 * ln(u1)).sqrt() * cos(TWO_PI * u2))
    }

    /// The standard normal numbers of `N` calls of `normal`, faster: `mu + sigma * z` is what the call would give.
    #[inline]
    pub fn standard_normals<const N: usize>(&mut self) -> [f64; N] {
        let (mut radii, mut turns) = ([0.0; N], [0.0; N]);
        // Written two at a time: a vector cannot be read back quickly from numbers written one by one.
        let (radius_pairs, last_radius) = radii.as_chunks_mut::<2>();
        let (turn_pairs, last_turn) = turns.as_chunks_mut::<2>();
        for (radii, turns) in radius_pairs.iter_mut().zip(turn_pairs) {
            let first = [self.f64(), self.f64()];
            let second = [self.f64(), self.f64()];
            *radii = [at_least_smallest(first[0]), at_least_smallest(second[0])];
            *turns = [TWO_PI * first[1], TWO_PI * second[1]];
        }
        for (radius, turn) in last_radius.iter_mut().zip(last_turn) {
            *radius = at_least_smallest(self.f64());
            *turn = TWO_PI * self.f64();
        }
        for radius in &mut radii {
            *radius = (-2.0 * ln(*radius)).sqrt();
        }
        for turn in &mut turns {
            *turn = cos(*turn);
        }
        for (turn, radius) in turns.iter_mut().zip(radii) {
            *turn *= radius;
        }
        turns
    }

    /// Draws a number whose logarithm is `normal(mu, sigma)`. Two u32.
    #[inline]
    pub fn lognormal(&mut self, mu: f64, sigma: f64) -> f64 {
        exp(self.normal(mu, sigma))
    }

    /// Draws six shares that sum to one, uniform over the simplex. Six u32.
    #[inline]
    pub fn dirichlet6(&mut self) -> [f64; 6] {
        let parts = self.exp_units::<6>();
        let total = parts.iter().fold(0.0, |sum, part| sum + part);
        if total > 0.0 { parts.map(|part| part / total) } else { [1.0 / 6.0; 6] }
    }

    /// Draws from the beta distribution with parameters 3 and 2. Five u32.
    #[inline]
    pub fn beta32(&mut self) -> f64 {
        let units = self.exp_units::<5>();
        let a = units[0] + units[1] + units[2];
        let total = a + (units[3] + units[4]);
        if total > 0.0 { a / total } else { 0.5 }
    }

    /// Reorders in place, Fisher-Yates from the last index down; one `randint_inclusive(0, i)` per index i >= 1.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.randint_inclusive(0, i as i64) as usize;
            items.swap(i, j);
        }
    }

    /// Draws an index with a chance in proportion to its weight. One u32.
    ///
    /// The weights come in the order of their sorted keys. Without a positive weight nothing is drawn.
    pub fn choice_weighted(&mut self, weights: &[f64]) -> Option<usize> {
        let total = weights.iter().fold(0.0, |sum, weight| sum + weight);
        if total.is_nan() || total <= 0.0 {
            return None;
        }
        let target = self.f64() * total;
        let mut chosen = 0;
        let mut reached = 0.0;
        for (index, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                chosen = index;
                reached += weight;
                if target < reached {
                    break;
                }
            }
        }
        Some(chosen)
    }
}

#[inline]
const fn output(old: u64) -> u32 {
    let x = (((old >> 18) ^ old) >> 27) as u32;
    x.rotate_right((old >> 59) as u32)
}

#[inline]
const fn at_least_smallest(u: f64) -> f64 {
    if u < SMALLEST_UNIT { SMALLEST_UNIT } else { u }
}
