//! The asteroids of a node: counted at the start, drawn when a pilot first arrives, made up when first touched.
//!
//! The generator can jump, so at the start only the counts are drawn and each field remembers where its own draws
//! begin. What is drawn later is exactly what would have been drawn then.

use kernel::pcg32::Pcg32;

use super::asteroids::ASTEROIDS;
use super::{Asteroid, Belt, Beliefs, Makeup};
use crate::constants::{ASTEROIDS_MIN, MAX_ASTEROIDS};

/// The asteroids of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// State of the generator before the first asteroid.
    rng_state: u64,
    /// Place of the first asteroid in `Belt::asteroids`, once visited.
    first: u16,
    pub asteroid_count: u8,
    is_visited: bool,
    /// Bit a: the makeup of asteroid a has been drawn.
    made_up: u16,
}

impl Field {
    /// The station's: empty, and nothing is left to draw.
    pub const NONE: Self = Self { rng_state: 0, first: 0, asteroid_count: 0, is_visited: true, made_up: 0 };

    /// Slots of its asteroids in `Belt::asteroids`.
    fn slots(&self) -> std::ops::Range<usize> {
        let first = usize::from(self.first);
        first..first + usize::from(self.asteroid_count)
    }

    fn rng(&self, inc: u64) -> Pcg32 {
        Pcg32::from_parts(self.rng_state, inc, 0)
    }

    fn draw_makeup(&self, slot: usize, inc: u64) -> Makeup {
        let mut rng = self.rng(inc);
        rng.jump(&ASTEROIDS[slot]);
        Makeup::draw(&mut rng)
    }
}

impl Belt {
    pub(super) fn scatter_fields(&mut self, rng: &mut Pcg32) {
        self.asteroids.clear();
        self.fields[0] = Field::NONE;
        for field in &mut self.fields[1..self.node_count] {
            let count = rng.randint_exclusive(ASTEROIDS_MIN as i64, MAX_ASTEROIDS as i64 + 1) as usize;
            *field = Field {
                rng_state: rng.state(),
                first: 0,
                asteroid_count: count as u8,
                is_visited: false,
                made_up: 0,
            };
            rng.jump(&ASTEROIDS[count]);
        }
    }

    /// Draws what a pilot arriving at the node sees, unless it has been drawn.
    pub fn visit(&mut self, node: usize, inc: u64) {
        let field = &mut self.fields[node];
        if !field.is_visited {
            field.is_visited = true;
            field.first = self.asteroids.len() as u16;
            let mut rng = field.rng(inc);
            self.asteroids.extend(
                (0..field.asteroid_count)
                    .map(|_| Asteroid { beliefs: Beliefs::draw(&mut rng), makeup: Makeup::default() }),
            );
        }
    }

    /// The asteroids of a visited node.
    #[inline]
    pub fn asteroids_at(&self, node: usize) -> &[Asteroid] {
        &self.asteroids[self.fields[node].slots()]
    }

    /// An asteroid of a visited node, its makeup drawn.
    #[inline]
    pub fn asteroid(&mut self, node: usize, slot: usize, inc: u64) -> &mut Asteroid {
        let field = &mut self.fields[node];
        let asteroid = &mut self.asteroids[usize::from(field.first) + slot];
        if field.made_up >> slot & 1 == 0 {
            field.made_up |= 1 << slot;
            asteroid.makeup = field.draw_makeup(slot, inc);
        }
        asteroid
    }

    /// Every asteroid of a node complete, whether visited or not; the belt stays as it is.
    pub fn survey(&self, node: usize, inc: u64) -> Vec<Asteroid> {
        let field = &self.fields[node];
        let mut rng = field.rng(inc);
        (0..usize::from(field.asteroid_count))
            .map(|slot| {
                let known = field.is_visited.then(|| self.asteroids[usize::from(field.first) + slot]);
                let makeup = match known {
                    Some(asteroid) if field.made_up >> slot & 1 == 1 => asteroid.makeup,
                    _ => field.draw_makeup(slot, inc),
                };
                let beliefs = Beliefs::draw(&mut rng);
                Asteroid { beliefs: known.map_or(beliefs, |asteroid| asteroid.beliefs), makeup }
            })
            .collect()
    }

    /// Takes over the complete asteroids of a node, in node order from a belt without asteroids.
    pub fn settle(&mut self, node: usize, asteroids: &[Asteroid]) {
        self.fields[node] = Field {
            rng_state: 0,
            first: self.asteroids.len() as u16,
            asteroid_count: asteroids.len() as u8,
            is_visited: true,
            made_up: u16::MAX,
        };
        self.asteroids.extend_from_slice(asteroids);
    }
}
