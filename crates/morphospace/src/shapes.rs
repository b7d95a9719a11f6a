//! The shapes of stamps, and how far cell centers lie from them.

use kernel::numerics::{clamp, hyp};

use crate::constants::BRICK_SIDE;
use crate::domain::{Domain, check_length};
use crate::mods::Row;

/// What a stamp covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Every point within a radius of the center.
    Circle {
        /// Center.
        center: [f64; 2],
        /// Above 0.
        radius_m: f64,
    },
    /// Every point between two corners, edges included; it has no falloff.
    Box {
        /// Southwest corner.
        min: [f64; 2],
        /// Northeast corner.
        max: [f64; 2],
    },
    /// Every point within a radius of the segment between two points.
    Capsule {
        /// One end.
        from: [f64; 2],
        /// The other end.
        to: [f64; 2],
        /// Above 0.
        radius_m: f64,
    },
}

impl Shape {
    /// Refuses what is no shape.
    ///
    /// # Errors
    /// When a number is not finite or huge, a radius is not above 0 or corners are swapped.
    pub fn validate(&self) -> Result<(), String> {
        let (points, radius_m) = match *self {
            Self::Circle { center, radius_m } => ([center, center], radius_m),
            Self::Box { min, max } => ([min, max], 1.0),
            Self::Capsule { from, to, radius_m } => ([from, to], radius_m),
        };
        for value in points.into_iter().flatten().chain([radius_m]) {
            check_length("the shape", value)?;
        }
        if let Self::Box { min, max } = *self
            && (min[0] > max[0] || min[1] > max[1])
        {
            return Err("the box has its corners swapped; the minimum comes first".to_owned());
        }
        if radius_m > 0.0 { Ok(()) } else { Err(format!("the radius is {radius_m} m; it must be above 0")) }
    }

    pub(crate) fn center(&self) -> [f64; 2] {
        match *self {
            Self::Circle { center, .. } => center,
            Self::Box { min: a, max: b } | Self::Capsule { from: a, to: b, .. } => {
                [(a[0] + b[0]) * 0.5, (a[1] + b[1]) * 0.5]
            }
        }
    }

    /// The smallest rectangle around the shape: west, south, east, north.
    pub(crate) fn extent(&self) -> [f64; 4] {
        match *self {
            Self::Circle { center: [x, y], radius_m: r } => [x - r, y - r, x + r, y + r],
            Self::Box { min, max } => [min[0], min[1], max[0], max[1]],
            Self::Capsule { from, to, radius_m: r } => {
                let ordered = |a: f64, b: f64| if b < a { (b, a) } else { (a, b) };
                let ((west, east), (south, north)) = (ordered(from[0], to[0]), ordered(from[1], to[1]));
                [west - r, south - r, east + r, north + r]
            }
        }
    }

    /// For the cells of a row of a brick, 1 - distance / radius at their centers, or 1 in a box; below 0 outside.
    #[inline]
    pub(crate) fn weights(&self, domain: &Domain, row: usize, first_column: usize) -> Row {
        let y = domain.y_at(row as f64 + 0.5);
        let centers: [f64; BRICK_SIDE] =
            std::array::from_fn(|lane| domain.x_at(f64::from((first_column + lane) as u32) + 0.5));
        match *self {
            Self::Circle { center, radius_m } => {
                centers.map(|x| falloff(hyp(x - center[0], y - center[1]), radius_m) as f32)
            }
            Self::Box { min, max } => {
                let is_in_rows = y >= min[1] && y <= max[1];
                centers.map(|x| if is_in_rows & (x >= min[0]) & (x <= max[0]) { 1.0 } else { -1.0 })
            }
            Self::Capsule { from, to, radius_m } => {
                let (along_x, along_y) = (to[0] - from[0], to[1] - from[1]);
                let squared = along_x * along_x + along_y * along_y;
                let length = if squared > 0.0 { squared } else { 1.0 };
                centers.map(|x| {
                    let share = clamp(((x - from[0]) * along_x + (y - from[1]) * along_y) / length, 0.0, 1.0);
                    let (dx, dy) = (x - (from[0] + share * along_x), y - (from[1] + share * along_y));
                    falloff(hyp(dx, dy), radius_m) as f32
                })
            }
        }
    }
}

#[inline]
fn falloff(distance_m: f64, radius_m: f64) -> f64 {
    // Decided by distance, so that rounding in the division cannot move a cell across the edge.
    if distance_m <= radius_m { 1.0 - distance_m / radius_m } else { -1.0 }
}
