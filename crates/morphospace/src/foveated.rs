//! What an observer senses around itself: fine nearby, coarse far away.

use kernel::numerics::{TWO_PI, sincos};

use crate::brick_map::BrickRect;
use crate::constants::{BRICK_LEVEL, BRICK_SIDE, COORDINATE_MAX_M, FIRST_DYNAMIC, MAX_SECTORS, TOP_LEVEL};
use crate::domain::check_length;
use crate::space::FieldSpace;

/// A ring around the observer, cut into sectors; sector 0 is centered ahead and they run counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    /// Radius where it begins.
    pub inner_m: f64,
    /// Radius where it ends.
    pub outer_m: f64,
    /// Into how many sectors it is cut.
    pub sectors: usize,
    /// Level of detail.
    pub level: usize,
}

/// The shells of an observation: 28 sectors.
pub const DEFAULT_SHELLS: [Shell; 3] = [
    Shell { inner_m: 0.0, outer_m: 1_000.0, sectors: 16, level: 0 },
    Shell { inner_m: 1_000.0, outer_m: 3_000.0, sectors: 8, level: 1 },
    Shell { inner_m: 3_000.0, outer_m: 8_000.0, sectors: 4, level: 3 },
];

impl Shell {
    /// Refuses what is no ring.
    ///
    /// # Errors
    /// With the value that is wrong.
    pub fn validate(&self) -> Result<(), String> {
        let (inner, outer) = (self.inner_m, self.outer_m);
        if !(0.0 <= inner && inner < outer && outer <= COORDINATE_MAX_M) {
            return Err(format!("a shell from {inner} to {outer} m is no ring; it must widen from 0 or more"));
        }
        if !(1..=MAX_SECTORS).contains(&self.sectors) {
            return Err(format!("a shell has {} sectors; it must have 1 to {MAX_SECTORS}", self.sectors));
        }
        FieldSpace::check_level(self.level)
    }
}

/// Who looks, and where to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observer {
    /// Layer, 0 to 2.
    pub layer: usize,
    /// Place.
    pub at: [f64; 2],
    /// Where sector 0 is centered, radians counter-clockwise from east.
    pub heading: f64,
}

impl Observer {
    /// Refuses an observer that is nowhere.
    ///
    /// # Errors
    /// With the value that is wrong.
    pub fn validate(&self) -> Result<(), String> {
        FieldSpace::check_layer(self.layer)?;
        for value in [self.at[0], self.at[1], self.heading] {
            check_length("the observer", value)?;
        }
        Ok(())
    }
}

/// Sectors whose points are found together, as vectors.
const SECTORS_AT_ONCE: usize = 4;
/// Two directions in each.
const LANES: usize = 2 * SECTORS_AT_ONCE;

/// Where the points of a few sectors lie: two directions in each, a quarter of its width from its right and left rims.
struct Directions {
    sines: [f64; LANES],
    cosines: [f64; LANES],
}

impl Directions {
    /// Of the sectors of a shell from this one on; beyond the last they mean nothing.
    #[inline]
    fn of(heading: f64, sectors: usize, first: usize) -> Self {
        let count = sectors as f64;
        let offset = 0.25 * (TWO_PI / count);
        let (mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let center = heading + TWO_PI * (first + lane / 2) as f64 / count;
            let to_rim = if lane % 2 == 0 { -offset } else { offset };
            (sines[lane], cosines[lane]) = sincos(center + to_rim);
        }
        Self { sines, cosines }
    }

    #[inline]
    fn along_x(&self, x: f64, radius_m: f64) -> [f64; LANES] {
        self.cosines.map(|cosine| x + radius_m * cosine)
    }

    #[inline]
    fn along_y(&self, y: f64, radius_m: f64) -> [f64; LANES] {
        self.sines.map(|sine| y + radius_m * sine)
    }
}

impl FieldSpace {
    /// Writes fields around an observer: by shell, then sector, then field; from level 4 on, as of the last refresh.
    ///
    /// A sector's value is the mean of four points in it, two near and two far, each a quarter of the way from its rims.
    ///
    /// # Panics
    /// When `out` is shorter than the sectors of all shells times the number of fields.
    pub fn foveated(&self, observer: &Observer, shells: &[Shell], fields: &[usize], out: &mut [f32]) {
        let mut rest = out;
        for shell in shells {
            let (values, after) = rest.split_at_mut(shell.sectors * fields.len());
            let (varied, is_inside) = self.show_even_fields(observer, shell, fields, values);
            if varied != 0 {
                // A level that is known when this is compiled leaves no choice to every sample.
                match shell.level {
                    0 => self.show_varied_fields::<0>(observer, shell, fields, varied, is_inside, values),
                    1 => self.show_varied_fields::<1>(observer, shell, fields, varied, is_inside, values),
                    2 => self.show_varied_fields::<2>(observer, shell, fields, varied, is_inside, values),
                    3 => self.show_varied_fields::<3>(observer, shell, fields, varied, is_inside, values),
                    4 => self.show_varied_fields::<4>(observer, shell, fields, varied, is_inside, values),
                    _ => self.show_varied_fields::<TOP_LEVEL>(observer, shell, fields, varied, is_inside, values),
                }
            }
            rest = after;
        }
    }

    /// Writes the fields that are the same wherever the points of a shell can lie; returns the bits of the others, and
    /// whether the whole shell lies in the domain.
    fn show_even_fields(&self, observer: &Observer, shell: &Shell, fields: &[usize], out: &mut [f32]) -> (u16, bool) {
        let ([x, y], reach_m, domain) = (observer.at, shell.outer_m, &self.domain);
        let (west, east, south, north) = (x - reach_m, x + reach_m, y - reach_m, y + reach_m);
        let is_inside = domain.contains(west, south) && domain.contains(east, north);
        let columns = [west, east].map(|x| domain.column(x) / BRICK_SIDE);
        let rows = [south, north].map(|y| domain.row(y) / BRICK_SIDE);
        let rect = BrickRect::new(columns, rows);
        let mut varied = 0;
        for (place, &field) in fields.iter().enumerate() {
            match self.even_value(field, observer.layer, &rect, is_inside).filter(|_| shell.level <= BRICK_LEVEL) {
                Some(value) => out.iter_mut().skip(place).step_by(fields.len()).for_each(|shown| *shown = value),
                None => varied |= 1 << field,
            }
        }
        (varied, is_inside)
    }

    /// The value that a field has at every cell of a rectangle, if that is known without a look at them; the rectangle
    /// may have been cut at the edge of the domain.
    #[inline]
    fn even_value(&self, field: usize, layer: usize, rect: &BrickRect, is_inside: bool) -> Option<f32> {
        if field < FIRST_DYNAMIC {
            return self.statics.even_value(field, layer, rect).filter(|_| is_inside);
        }
        let field = field - FIRST_DYNAMIC;
        (!self.bricks.active[layer][field].meets(rect)).then_some(self.bricks.defaults(layer)[field])
    }

    fn show_varied_fields<const LEVEL: usize>(
        &self,
        observer: &Observer,
        shell: &Shell,
        fields: &[usize],
        varied: u16,
        is_inside: bool,
        out: &mut [f32],
    ) {
        let ([x, y], layer) = (observer.at, observer.layer);
        let width_m = shell.outer_m - shell.inner_m;
        let (near_m, far_m) = (shell.inner_m + 0.25 * width_m, shell.inner_m + 0.75 * width_m);
        for (chunk, out) in out.chunks_mut(SECTORS_AT_ONCE * fields.len()).enumerate() {
            let directions = Directions::of(observer.heading, shell.sectors, chunk * SECTORS_AT_ONCE);
            let near = self.probes(layer, directions.along_x(x, near_m), directions.along_y(y, near_m), is_inside);
            let far = self.probes(layer, directions.along_x(x, far_m), directions.along_y(y, far_m), is_inside);
            for (place, &field) in fields.iter().enumerate().filter(|(_, field)| varied >> **field & 1 == 1) {
                for (sector, values) in out.chunks_exact_mut(fields.len()).enumerate() {
                    let (right, left) = (2 * sector, 2 * sector + 1);
                    let a = self.sample(field, layer, &near[right], LEVEL);
                    let b = self.sample(field, layer, &near[left], LEVEL);
                    let c = self.sample(field, layer, &far[right], LEVEL);
                    let d = self.sample(field, layer, &far[left], LEVEL);
                    values[place] = ((a + b) + (c + d)) * 0.25;
                }
            }
        }
    }
}
