//! Two sides on an axis through the center, each in line abreast.

use kernel::numerics::{PI, TWO_PI, norm2pi, sincos};

use crate::codes::layer;
use crate::generation::catalogue::{Catalogue, ShipClass};
use crate::generation::draws::{Draws, Purpose};
use crate::generation::tasks::{Damage, Task};

/// Ids of the two sides; in byte order, as the ids of units rely on.
pub const TEAM_IDS: [&str; 2] = ["blue", "red"];
/// Names of the two sides.
pub const TEAM_NAMES: [&str; 2] = ["Blue", "Red"];

const ABREAST_M: f64 = 400.0;
const SEPARATION_M: (f64, f64) = (6000.0, 12000.0);
const HEADING_ERROR_RAD: (f64, f64) = (-0.5, 0.5);
const SKILL: (f64, f64) = (0.4, 0.6);
const UNITS_PER_SIDE: u64 = 64;

/// A ship of a generated battle, before its class is filled in.
#[derive(Clone, Debug)]
pub struct Ship {
    /// Index of its side.
    pub side: usize,
    /// Place in the line of its side.
    pub place: usize,
    /// Its class.
    pub class: ShipClass,
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// Counter-clockwise from east.
    pub heading: f64,
    /// In m/s.
    pub speed: f64,
    /// Depth.
    pub layer: i64,
    /// Skill at the guns.
    pub gunnery: f64,
    /// Skill below deck.
    pub engineering: f64,
    /// What it is told to do.
    pub task: Option<Task>,
    /// What it has suffered before.
    pub damage: Option<Damage>,
}

impl Ship {
    /// Name in the package; ascending by side and place.
    #[must_use]
    pub fn ship_id(&self) -> String {
        format!("{}-{:02}-{}", TEAM_IDS[self.side], self.place + 1, self.class.name())
    }
}

/// The line the sides meet on; side 0 starts against `direction_rad`, side 1 with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    direction_rad: f64,
    separation_m: f64,
}

impl Axis {
    /// Draws a direction and a distance.
    #[must_use]
    pub fn drawn(draws: &Draws) -> Self {
        Self {
            direction_rad: draws.between((0.0, TWO_PI), Purpose::Axis, 0),
            separation_m: draws.between(SEPARATION_M, Purpose::Separation, 0),
        }
    }

    /// Position so far along the axis from the center, and so far to the left of it.
    #[must_use]
    pub fn point(&self, along_m: f64, left_m: f64) -> (f64, f64) {
        let (sine, cosine) = sincos(self.direction_rad);
        (along_m * cosine - left_m * sine, along_m * sine + left_m * cosine)
    }
}

/// Places the ships of a side, pointed roughly at the other, at half speed; submarines start submerged.
#[must_use]
pub fn line_up(draws: &Draws, axis: &Axis, side: usize, classes: &[ShipClass], catalogue: &Catalogue) -> Vec<Ship> {
    let sign = if side == 0 { -1.0 } else { 1.0 };
    let facing = if side == 0 { axis.direction_rad } else { axis.direction_rad + PI };
    let middle = (classes.len() as f64 - 1.0) / 2.0;
    let ship = |(place, &class): (usize, &ShipClass)| {
        let key = side as u64 * UNITS_PER_SIDE + place as u64;
        let (x, y) = axis.point(sign * axis.separation_m / 2.0, (place as f64 - middle) * ABREAST_M);
        let heading = facing + draws.between(HEADING_ERROR_RAD, Purpose::Heading, key);
        let hull = &catalogue.unit(class).hull;
        let depth = if hull.is_submarine { layer::SUBMERGED } else { layer::SURFACE };
        Ship {
            side,
            place,
            class,
            x,
            y,
            heading: norm2pi(heading),
            speed: hull.speed_ms[depth as usize] * 0.5,
            layer: depth,
            gunnery: draws.between(SKILL, Purpose::Gunnery, key),
            engineering: draws.between(SKILL, Purpose::Engineering, key),
            task: None,
            damage: None,
        }
    };
    classes.iter().enumerate().map(ship).collect()
}
