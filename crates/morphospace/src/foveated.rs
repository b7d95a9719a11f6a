//! What an observer senses around itself: fine nearby, coarse far away.

use kernel::numerics::{TWO_PI, sincos};

use crate::constants::{
    BRICK_LEVEL, BRICK_SIDE, COORDINATE_MAX_M, FIRST_DYNAMIC, LAYER_BRICKS, MAX_SECTORS, N_FIELDS, TOP_LEVEL,
};
use crate::domain::{check_length, node_number};
use crate::sampling::Probe;
use crate::space::FieldSpace;

/// Most bricks around an observer that are worth a look before its points are.
const BRICKS_AT_ONCE: usize = 64;
const FIELDS_AT_ONCE: usize = N_FIELDS;

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

/// Sine and cosine of the two directions of each sector in which its points lie, a quarter of its width from its
/// right and left rims.
#[inline]
fn directions(heading: f64, sectors: usize) -> [[(f64, f64); 2]; MAX_SECTORS] {
    let count = sectors as f64;
    let offset = 0.25 * (TWO_PI / count);
    let mut directions = [[(0.0, 0.0); 2]; MAX_SECTORS];
    for (sector, sides) in directions[..sectors].iter_mut().enumerate() {
        let center = heading + TWO_PI * sector as f64 / count;
        *sides = [sincos(center - offset), sincos(center + offset)];
    }
    directions
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
            if !self.show_even_shell(observer, shell, fields, values) {
                // A level that is known when this is compiled leaves no choice to every sample.
                match shell.level {
                    0 => self.show_shell::<0>(observer, shell, fields, values),
                    1 => self.show_shell::<1>(observer, shell, fields, values),
                    2 => self.show_shell::<2>(observer, shell, fields, values),
                    3 => self.show_shell::<3>(observer, shell, fields, values),
                    4 => self.show_shell::<4>(observer, shell, fields, values),
                    _ => self.show_shell::<TOP_LEVEL>(observer, shell, fields, values),
                }
            }
            rest = after;
        }
    }

    fn show_shell<const LEVEL: usize>(&self, observer: &Observer, shell: &Shell, fields: &[usize], out: &mut [f32]) {
        let ([x, y], layer) = (observer.at, observer.layer);
        let width_m = shell.outer_m - shell.inner_m;
        let (near, far) = (shell.inner_m + 0.25 * width_m, shell.inner_m + 0.75 * width_m);
        let directions = directions(observer.heading, shell.sectors);
        for (values, [right, left]) in out.chunks_exact_mut(fields.len()).zip(directions) {
            let at =
                |radius: f64, (sine, cosine): (f64, f64)| self.probe(layer, x + radius * cosine, y + radius * sine);
            let points = [at(near, right), at(near, left), at(far, right), at(far, left)];
            let active = if LEVEL > BRICK_LEVEL { u8::MAX } else { self.active_around(&points) };
            for (value, &field) in values.iter_mut().zip(fields) {
                *value = self.sector_value::<LEVEL>(layer, field, active, &points);
            }
        }
    }

    /// Mean of a field over the points of a sector; `active` has the bits of fields that differ from their default.
    #[inline(always)]
    fn sector_value<const LEVEL: usize>(
        &self,
        layer: usize,
        field: usize,
        active: u8,
        points: &[Option<Probe>; 4],
    ) -> f32 {
        if field >= FIRST_DYNAMIC && active >> (field - FIRST_DYNAMIC) & 1 == 0 {
            // The mean of four times the same value is that value exactly.
            return self.bricks.defaults(layer)[field - FIRST_DYNAMIC];
        }
        if let (true, [Some(a), Some(b), Some(c), Some(d)]) = (field < FIRST_DYNAMIC && LEVEL <= BRICK_LEVEL, points) {
            let even = |probe: &Probe| self.statics.even_value(field, layer, probe.brick());
            if let (Some(value), Some(_), Some(_), Some(_)) = (even(a), even(b), even(c), even(d)) {
                return value;
            }
        }
        let read = |point: &Option<Probe>| self.sample_or_outside(field, layer, point.as_ref(), LEVEL);
        let [a, b, c, d] = points;
        ((read(a) + read(b)) + (read(c) + read(d))) * 0.25
    }

    /// Bits of the dynamic fields that differ from their default in the brick of one of these points.
    #[inline(always)]
    fn active_around(&self, [a, b, c, d]: &[Option<Probe>; 4]) -> u8 {
        let active = |point: &Option<Probe>| point.as_ref().map_or(0, |point| self.active_fields(point));
        active(a) | active(b) | active(c) | active(d)
    }

    /// Writes a shell without looking at its points, if every field is the same wherever they can lie.
    fn show_even_shell(&self, observer: &Observer, shell: &Shell, fields: &[usize], out: &mut [f32]) -> bool {
        let ([x, y], reach_m) = (observer.at, shell.outer_m);
        let (west, east, south, north) = (x - reach_m, x + reach_m, y - reach_m, y + reach_m);
        let is_inside = self.domain.contains(west, south) && self.domain.contains(east, north);
        if !is_inside || shell.level > BRICK_LEVEL || fields.len() > FIELDS_AT_ONCE {
            return false;
        }
        let columns = self.domain.column(west) / BRICK_SIDE..=self.domain.column(east) / BRICK_SIDE;
        let rows = self.domain.row(south) / BRICK_SIDE..=self.domain.row(north) / BRICK_SIDE;
        if columns.clone().count() * rows.clone().count() > BRICKS_AT_ONCE {
            return false;
        }
        let mut even = [0.0; FIELDS_AT_ONCE];
        let mut active = 0;
        for row in rows {
            for column in columns.clone() {
                let brick = node_number(column, row);
                let slot = self.bricks.slot(observer.layer * LAYER_BRICKS + brick);
                active |= slot.map_or(0, |slot| self.bricks.front.active[slot]);
                for (value, &field) in even.iter_mut().zip(fields).filter(|(_, field)| **field < FIRST_DYNAMIC) {
                    match self.statics.even_value(field, observer.layer, brick) {
                        Some(same) => *value = same,
                        None => return false,
                    }
                }
            }
        }
        for (value, &field) in even.iter_mut().zip(fields).filter(|(_, field)| **field >= FIRST_DYNAMIC) {
            if active >> (field - FIRST_DYNAMIC) & 1 == 1 {
                return false;
            }
            *value = self.bricks.defaults(observer.layer)[field - FIRST_DYNAMIC];
        }
        for values in out.chunks_exact_mut(fields.len()) {
            values.copy_from_slice(&even[..fields.len()]);
        }
        true
    }
}
