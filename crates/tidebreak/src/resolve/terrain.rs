//! Depth at a point, and what it allows.

use kernel::numerics::{clamp, floor};

use crate::codes::terrain;
use crate::records::ResolvedDepth;

const SHALLOWS_TO_M: f64 = 25.0;
const SHELF_TO_M: f64 = 200.0;
const LAYERS_BY_TERRAIN: [i64; 4] = [0b000, 0b001, 0b011, 0b111];

/// Value between the nodes of a grid, which stand row by row, two or more of each.
///
/// `u` is the place along a row, in columns from the first, and `v` the place along a column; beyond the ends the last
/// cell is continued.
#[inline]
#[must_use]
pub fn bilinear(nodes: &[f64], rows: usize, columns: usize, u: f64, v: f64) -> f64 {
    let i = clamp(floor(u), 0.0, (columns - 2) as f64) as usize;
    let j = clamp(floor(v), 0.0, (rows - 2) as f64) as usize;
    let fu = u - i as f64;
    let fv = v - j as f64;
    let at = j * columns + i;
    let south = nodes[at] * (1.0 - fu) + nodes[at + 1] * fu;
    let north = nodes[at + columns] * (1.0 - fu) + nodes[at + columns + 1] * fu;
    south * (1.0 - fv) + north * fv
}

/// Depth in meters, positive down; `bounds` (min x, min y, max x, max y) is what the sea bed spans.
#[inline]
#[must_use]
pub fn depth_at(depth: &ResolvedDepth, bounds: [f64; 4], x: f64, y: f64) -> f64 {
    if let Some(uniform_m) = depth.uniform_m {
        return uniform_m;
    }
    let [min_x, min_y, max_x, max_y] = bounds;
    let u = (x - min_x) / (max_x - min_x) * (depth.columns - 1) as f64;
    let v = (y - min_y) / (max_y - min_y) * (depth.rows - 1) as f64;
    bilinear(&depth.nodes_m, depth.rows, depth.columns, u, v)
}

/// Puts a depth into words; a boundary belongs to the shallower side.
#[inline]
#[must_use]
pub fn terrain_of(depth_m: f64) -> i64 {
    if depth_m <= 0.0 {
        terrain::LAND
    } else if depth_m <= SHALLOWS_TO_M {
        terrain::SHALLOWS
    } else if depth_m <= SHELF_TO_M {
        terrain::SHELF
    } else {
        terrain::DEEP_OCEAN
    }
}

/// Mask of the layers water of this depth has.
#[inline]
#[must_use]
pub fn layers_at(depth_m: f64) -> i64 {
    LAYERS_BY_TERRAIN[terrain_of(depth_m) as usize]
}

/// Whether a unit may be in the layer over this depth.
#[inline]
#[must_use]
pub fn allows(depth_m: f64, layer: i64) -> bool {
    layers_at(depth_m) >> layer & 1 == 1
}
