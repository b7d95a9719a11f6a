//! What an observer senses around itself: fine nearby, coarse far away.

use kernel::numerics::{TWO_PI, sincos};

use crate::constants::{COORDINATE_MAX_M, MAX_SECTORS};
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

impl FieldSpace {
    /// Writes fields around an observer: by shell, then sector, then field; from level 3 on, as of the last refresh.
    ///
    /// A sector's value is the mean of four points in it, two near and two far, each a quarter of the way from its rims.
    ///
    /// # Panics
    /// When `out` is shorter than the sectors of all shells times the number of fields.
    pub fn foveated(&self, observer: &Observer, shells: &[Shell], fields: &[usize], out: &mut [f32]) {
        let [x, y] = observer.at;
        let mut sectors = out.chunks_exact_mut(fields.len());
        for shell in shells {
            let width_m = shell.outer_m - shell.inner_m;
            let (near, far) = (shell.inner_m + 0.25 * width_m, shell.inner_m + 0.75 * width_m);
            let count = shell.sectors as f64;
            let offset = 0.25 * (TWO_PI / count);
            for sector in 0..shell.sectors {
                let center = observer.heading + TWO_PI * sector as f64 / count;
                let (right, left) = (sincos(center - offset), sincos(center + offset));
                let points = [(near, right), (near, left), (far, right), (far, left)]
                    .map(|(radius, (sine, cosine))| self.probe(observer.layer, x + radius * cosine, y + radius * sine));
                let values = sectors.next().expect("room for every sector");
                for (value, &field) in values.iter_mut().zip(fields) {
                    let [a, b, c, d] =
                        points.map(|point| self.sample_or_outside(field, observer.layer, point.as_ref(), shell.level));
                    *value = ((a + b) + (c + d)) * 0.25;
                }
            }
        }
    }
}
