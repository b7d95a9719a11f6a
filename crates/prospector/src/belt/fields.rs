//! The asteroids of a node: counted at the start, drawn when a pilot first arrives, made up when first touched.
//!
//! The generator can jump, so at the start only the counts are drawn and each field remembers where its own draws
//! begin. What is drawn later is exactly what would have been drawn then.

use std::ops::Range;

use kernel::pcg32::Pcg32;

use super::asteroids::ASTEROIDS;
use super::{Beliefs, Belt, Makeup};
use crate::constants::{ASTEROIDS_MIN, MAX_ASTEROIDS};

/// The asteroids of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// State of the generator before the first asteroid.
    rng_state: u64,
    /// Place of the first asteroid in the belt's lists, once visited.
    first: u16,
    /// Bit a: the makeup of asteroid a has been drawn.
    made_up: u16,
    pub asteroid_count: u8,
    is_visited: bool,
}

impl Field {
    /// The station's: empty, and nothing is left to draw.
    pub const NONE: Self = Self { rng_state: 0, first: 0, made_up: 0, asteroid_count: 0, is_visited: true };

    /// Where its asteroids are in the belt's lists, once visited.
    #[inline]
    fn places(&self) -> Range<usize> {
        let first = usize::from(self.first);
        first..first + usize::from(self.asteroid_count)
    }

    fn rng(&self, inc: u64) -> Pcg32 {
        Pcg32::from_parts(self.rng_state, inc, 0)
    }

    /// The generator before the draws of the asteroid in `slot`.
    fn rng_at(&self, slot: usize, inc: u64) -> Pcg32 {
        let mut rng = self.rng(inc);
        rng.jump(&ASTEROIDS[slot]);
        rng
    }

    fn draw_guesses(&self, inc: u64) -> impl Iterator<Item = Beliefs> + use<> {
        let mut rng = self.rng(inc);
        (0..self.asteroid_count).map(move |_| Beliefs::draw(&mut rng))
    }
}

impl Belt {
    pub(super) fn scatter_fields(&mut self, rng: &mut Pcg32) {
        self.beliefs.clear();
        self.fields[0] = Field::NONE;
        for field in &mut self.fields[1..self.node_count] {
            let count = rng.randint_exclusive(ASTEROIDS_MIN as i64, MAX_ASTEROIDS as i64 + 1) as usize;
            *field = Field { rng_state: rng.state(), asteroid_count: count as u8, is_visited: false, ..Field::NONE };
            rng.jump(&ASTEROIDS[count]);
        }
    }

    /// Draws what a pilot arriving at the node sees, unless it has been drawn.
    pub fn visit(&mut self, node: usize, inc: u64) {
        let field = &mut self.fields[node];
        if !field.is_visited {
            field.is_visited = true;
            field.first = self.beliefs.len() as u16;
            self.beliefs.extend(field.draw_guesses(inc));
            if self.makeups.len() < self.beliefs.len() {
                self.makeups.resize(self.beliefs.len(), Makeup::default());
            }
        }
    }

    /// What is believed about the asteroids of a visited node.
    #[inline]
    pub fn beliefs_at(&self, node: usize) -> &[Beliefs] {
        &self.beliefs[self.fields[node].places()]
    }

    /// An asteroid of a visited node; its richness may not have been drawn.
    #[inline]
    pub fn asteroid(&mut self, node: usize, slot: usize, inc: u64) -> (&mut Makeup, &mut Beliefs) {
        let field = &mut self.fields[node];
        let place = usize::from(field.first) + slot;
        if field.made_up >> slot & 1 == 0 {
            field.made_up |= 1 << slot;
            self.makeups[place] = Makeup::draw(&mut field.rng_at(slot, inc));
        }
        (&mut self.makeups[place], &mut self.beliefs[place])
    }

    /// An asteroid of a visited node, its richness drawn.
    pub fn rich_asteroid(&mut self, node: usize, slot: usize, inc: u64) -> (&mut Makeup, &mut Beliefs) {
        let field = self.fields[node];
        let (makeup, beliefs) = self.asteroid(node, slot, inc);
        if makeup.richness == 0.0 {
            makeup.richness = Makeup::draw_richness(&mut field.rng_at(slot, inc));
        }
        (makeup, beliefs)
    }

    /// Every asteroid of a node, whether visited or not; the belt stays as it is.
    pub fn survey(&self, node: usize, inc: u64) -> (Vec<Makeup>, Vec<Beliefs>) {
        let field = &self.fields[node];
        let places = field.places();
        let makeup = |slot: usize| {
            let rng = || field.rng_at(slot, inc);
            let is_made_up = field.made_up >> slot & 1 == 1;
            let mut makeup = if is_made_up { self.makeups[places.start + slot] } else { Makeup::draw(&mut rng()) };
            if makeup.richness == 0.0 {
                makeup.richness = Makeup::draw_richness(&mut rng());
            }
            makeup
        };
        let makeups = (0..places.len()).map(makeup).collect();
        let beliefs =
            if field.is_visited { self.beliefs[places.clone()].to_vec() } else { field.draw_guesses(inc).collect() };
        (makeups, beliefs)
    }

    /// Takes over what the asteroids of a node are, in node order from an empty belt; beliefs are to follow.
    pub fn settle(&mut self, node: usize, makeups: &[Makeup]) {
        self.fields[node] = Field {
            rng_state: 0,
            first: self.makeups.len() as u16,
            made_up: u16::MAX,
            asteroid_count: makeups.len() as u8,
            is_visited: true,
        };
        self.makeups.extend_from_slice(makeups);
        self.beliefs.resize(self.makeups.len(), Beliefs::UNKNOWN);
    }
}
