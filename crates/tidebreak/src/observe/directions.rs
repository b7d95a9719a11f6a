//! Directions that a row shows, relative to the ship's head: asked for one by one, worked out together.

use kernel::numerics::{headings, hyp, sincos};

use super::scaling::clip;
use crate::layout::CONTACT_ROWS;

/// Two of every contact: where it bears and where it goes.
const ASKED_MAX: usize = 2 * CONTACT_ROWS;
/// As many as are worked out together, as vectors.
const LANES: usize = 4;
/// Vectors shorter than this have no direction worth a shortcut.
const SHORTEST: f64 = 1e-6;
/// Beyond this sines are less exact.
const LARGEST_HEADING: f64 = 10.0;
/// Far more than a shortcut can differ from the long way.
const SLACK: f64 = 1e-12;

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
    ///
    /// A row shows the sine and cosine of an angle, rounded to half their digits. Nearly always that comes out the same
    /// for everything within `SLACK` of a rotated vector, and then the angle itself is not needed.
    pub fn show(&self, heading: f64, obs: &mut [f32]) {
        let (head, has_shortcut) = (sincos(heading), heading.abs() < LARGEST_HEADING);
        let (xs, _) = self.x.as_chunks::<LANES>();
        let (ys, _) = self.y.as_chunks::<LANES>();
        let places = self.places[..self.count].chunks(LANES);
        for ((x, y), places) in xs.iter().zip(ys).zip(places) {
            let turned = rotated(x, y, head);
            let is_sure = has_shortcut && (0..places.len()).all(|lane| turned.is_sure(lane));
            let (sines, cosines) = if is_sure { (turned.sines, turned.cosines) } else { headings(*y, *x, heading) };
            for ((&place, sine), cosine) in places.iter().zip(sines).zip(cosines) {
                let place = usize::from(place);
                (obs[place], obs[place + 1]) = (clip(sine), clip(cosine));
            }
        }
    }
}

/// Directions of a few vectors, found without an angle.
struct Rotated {
    sines: [f64; LANES],
    cosines: [f64; LANES],
    lengths: [f64; LANES],
}

impl Rotated {
    /// Whether both numbers round to what the long way would round to.
    #[inline(always)]
    fn is_sure(&self, lane: usize) -> bool {
        let rounds_one_way = |value: f64| clip(value - SLACK) == clip(value + SLACK);
        self.lengths[lane] > SHORTEST && rounds_one_way(self.sines[lane]) && rounds_one_way(self.cosines[lane])
    }
}

#[inline(always)]
fn rotated(x: &[f64; LANES], y: &[f64; LANES], (head_sine, head_cosine): (f64, f64)) -> Rotated {
    let (mut sines, mut cosines, mut lengths) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let length = hyp(x[lane], y[lane]);
        sines[lane] = (y[lane] * head_cosine - x[lane] * head_sine) / length;
        cosines[lane] = (x[lane] * head_cosine + y[lane] * head_sine) / length;
        lengths[lane] = length;
    }
    Rotated { sines, cosines, lengths }
}
