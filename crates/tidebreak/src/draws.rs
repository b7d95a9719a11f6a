//! Keyed draws of a battle: ⟨stream; a, b, k⟩ with the battle's seed and, unless a rule fixes it, its tick.

#![expect(missing_docs, reason = "a stream is its name")]

use kernel::keyed;

use crate::state::Battle;

/// Which rule draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stream {
    Setup = 0,
    SensorExcess = 1,
    Measurement = 2,
    Dispersion = 3,
    Damage = 4,
    PointDefence = 5,
    LayerTransition = 6,
    Morale = 7,
    Boarding = 8,
    Weather = 9,
    Seeker = 10,
    Identification = 11,
    Scripts = 12,
    Scenario = 13,
    Squadrons = 14,
    Clutter = 15,
}

/// Draws of one stream in one tick that are about the same `a`: what they share is worked out once.
#[derive(Clone, Copy, Debug)]
pub struct Drawer(u64);

impl Drawer {
    /// Draws of a stream in this tick, before it is said whom they are about.
    #[inline]
    #[must_use]
    pub fn of_stream(battle: &Battle, stream: Stream) -> Self {
        Self(keyed::stem(battle.seed, stream as u64, battle.tick as u64))
    }

    /// The draws among them that are about `a`.
    #[inline]
    #[must_use]
    pub const fn about(self, a: i64) -> Self {
        Self(keyed::absorb(self.0, a as u64))
    }

    /// `n4`: mean 0, variance 1, range ±3.464.
    #[inline]
    #[must_use]
    pub const fn bell(self, b: i64, k: i64) -> f64 {
        keyed::n4(keyed::absorb(keyed::absorb(self.0, b as u64), k as u64))
    }
}

/// 64 random bits of this tick.
#[inline]
#[must_use]
pub fn draw(battle: &Battle, stream: Stream, a: i64, b: i64, k: i64) -> u64 {
    draw_at(battle, stream, battle.tick, a, b, k)
}

/// 64 random bits of a given tick, where the answer must never change for the pair.
#[inline]
#[must_use]
pub fn draw_at(battle: &Battle, stream: Stream, tick: i64, a: i64, b: i64, k: i64) -> u64 {
    keyed::draw(battle.seed, stream as u64, tick as u64, a as u64, b as u64, k as u64)
}

/// `u01`: a fraction in [0, 1).
#[inline]
#[must_use]
pub fn uniform(battle: &Battle, stream: Stream, a: i64, b: i64, k: i64) -> f64 {
    keyed::u01(draw(battle, stream, a, b, k))
}

/// `u01` of a given tick.
#[inline]
#[must_use]
pub fn uniform_at(battle: &Battle, stream: Stream, tick: i64, a: i64, b: i64, k: i64) -> f64 {
    keyed::u01(draw_at(battle, stream, tick, a, b, k))
}

/// `n4`: mean 0, variance 1, range ±3.464.
#[inline]
#[must_use]
pub fn bell(battle: &Battle, stream: Stream, a: i64, b: i64, k: i64) -> f64 {
    keyed::n4(draw(battle, stream, a, b, k))
}

/// `pick`: an index in 0..n-1.
#[inline]
#[must_use]
pub fn choice(battle: &Battle, stream: Stream, a: i64, b: i64, k: i64, n: u64) -> usize {
    keyed::pick(draw(battle, stream, a, b, k), n) as usize
}
