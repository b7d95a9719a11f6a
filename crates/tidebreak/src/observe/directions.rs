//! Directions that a row shows, relative to the ship's head: asked for one by one, worked out together.

use kernel::numerics::headings;

use super::scaling::clip;
use crate::layout::CONTACT_ROWS;

/// Two of every contact: where it bears and where it goes.
const ASKED_MAX: usize = 2 * CONTACT_ROWS;
/// As many as are worked out together, as vectors.
const LANES: usize = 4;

/// Vectors whose directions are wanted, and the places for their sines; cosines stand behind sines.
pub struct Directions {
    x: [f64; ASKED_MAX],
    y: [f64; ASKED_MAX],
    places: [u16; ASKED_MAX],
    count: usize,
}

impl Directions {
    /// Nothing asked for.
    pub const NONE: Self = Self { x: [0.0; ASKED_MAX], y: [0.0; ASKED_MAX], places: [0; ASKED_MAX], count: 0 };

    /// Asks for the direction of a vector.
    #[inline]
    pub const fn ask(&mut self, place: usize, x: f64, y: f64) {
        (self.x[self.count], self.y[self.count], self.places[self.count]) = (x, y, place as u16);
        self.count += 1;
    }

    /// Writes what was asked for, for a ship with this heading.
    pub fn show(&self, heading: f64, obs: &mut [f32]) {
        let (xs, _) = self.x.as_chunks::<LANES>();
        let (ys, _) = self.y.as_chunks::<LANES>();
        let places = self.places[..self.count].chunks(LANES);
        for ((x, y), places) in xs.iter().zip(ys).zip(places) {
            let (sines, cosines) = headings(*y, *x, heading);
            for ((&place, sine), cosine) in places.iter().zip(sines).zip(cosines) {
                let place = usize::from(place);
                (obs[place], obs[place + 1]) = (clip(sine), clip(cosine));
            }
        }
    }
}
