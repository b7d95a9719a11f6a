//! Where cells, bricks and nodes lie. Rows of cells run from south to north, columns from west to east.

use crate::constants::{
    BOUNDS_SIDE_M, BRICK_SIDE, COORDINATE_MAX_M, DOMAIN_SIDES_M, GRID_BRICKS, GRID_CELLS, LAYER_BRICKS,
};

/// Interleaves the bits of two brick coordinates, x in the even ones.
const fn morton(ix: usize, iy: usize) -> usize {
    let mut number = 0;
    let mut bit = 0;
    while bit < GRID_BRICKS.trailing_zeros() {
        number |= ((ix >> bit & 1) | (iy >> bit & 1) << 1) << (2 * bit);
        bit += 1;
    }
    number
}

/// Morton number of each brick of a layer, row by row; the children of node m are 4m to 4m + 3.
const MORTON: [u8; LAYER_BRICKS] = {
    let mut table = [0; LAYER_BRICKS];
    let mut place = 0;
    while place < LAYER_BRICKS {
        table[place] = morton(place % GRID_BRICKS, place / GRID_BRICKS) as u8;
        place += 1;
    }
    table
};

/// Place (row · 16 + column) of each brick of a layer, by Morton number.
const PLACES: [u8; LAYER_BRICKS] = {
    let mut table = [0; LAYER_BRICKS];
    let mut place = 0;
    while place < LAYER_BRICKS {
        table[MORTON[place] as usize] = place as u8;
        place += 1;
    }
    table
};

/// Number of a node of any depth among those of its layer.
#[inline]
pub(crate) const fn node_number(ix: usize, iy: usize) -> usize {
    MORTON[iy * GRID_BRICKS + ix] as usize
}

/// Column and row of a brick by its number among those of its layer.
#[inline]
pub(crate) const fn place_of(brick: usize) -> (usize, usize) {
    let place = PLACES[brick] as usize;
    (place % GRID_BRICKS, place / GRID_BRICKS)
}

/// Key of the brick that holds a cell.
#[inline]
pub(crate) const fn brick_of(layer: usize, column: usize, row: usize) -> usize {
    layer * LAYER_BRICKS + node_number(column / BRICK_SIDE, row / BRICK_SIDE)
}

/// Place of a cell in its brick.
#[inline]
pub(crate) const fn cell_in_brick(column: usize, row: usize) -> usize {
    row % BRICK_SIDE * BRICK_SIDE + column % BRICK_SIDE
}

/// Keys of the bricks to the west, east, south and north; none beyond the domain's edge.
#[inline]
pub(crate) fn neighbors(key: usize) -> [Option<usize>; 4] {
    let layer = key / LAYER_BRICKS * LAYER_BRICKS;
    let (column, row) = place_of(key % LAYER_BRICKS);
    let at = |column: usize, row: usize| layer + node_number(column, row);
    [
        (column > 0).then(|| at(column - 1, row)),
        (column < GRID_BRICKS - 1).then(|| at(column + 1, row)),
        (row > 0).then(|| at(column, row - 1)),
        (row < GRID_BRICKS - 1).then(|| at(column, row + 1)),
    ]
}

/// Refuses a number that no place can have.
///
/// # Errors
/// When it is not finite or beyond a billion meters.
pub fn check_length(name: &str, value: f64) -> Result<(), String> {
    if (-COORDINATE_MAX_M..=COORDINATE_MAX_M).contains(&value) {
        return Ok(());
    }
    Err(format!("{name} has {value}; lengths must be between -1e9 and 1e9 m"))
}

/// The square that fields cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain {
    /// Least x.
    pub west_m: f64,
    /// Least y.
    pub south_m: f64,
    /// Side of the square.
    pub side_m: f64,
    /// Side of a cell, a power of two.
    pub cell_m: f64,
    /// Cells to a meter: multiplying by it is exactly dividing by `cell_m`.
    cells_per_m: f64,
    /// Greatest x and y.
    northeast_m: [f64; 2],
}

impl Domain {
    /// The smallest domain around a map (min x, min y, max x, max y), centered on it.
    ///
    /// # Errors
    /// When a side of the map is shorter than 2,000 m or longer than 32,768 m, or it lies too far out.
    pub fn of_bounds([min_x, min_y, max_x, max_y]: [f64; 4]) -> Result<Self, String> {
        for bound in [min_x, min_y, max_x, max_y] {
            check_length("the map", bound)?;
        }
        let (width, height) = (max_x - min_x, max_y - min_y);
        for (name, side) in [("width", width), ("height", height)] {
            if !(BOUNDS_SIDE_M.0..=BOUNDS_SIDE_M.1).contains(&side) {
                return Err(format!("the bounds' {name} is {side} m; it must be 2000 to 32768 m"));
            }
        }
        let longest = if width > height { width } else { height };
        let side_m = DOMAIN_SIDES_M
            .into_iter()
            .find(|&side| side >= longest)
            .unwrap_or(DOMAIN_SIDES_M[DOMAIN_SIDES_M.len() - 1]);
        let cell_m = side_m / GRID_CELLS as f64;
        let west_m = (min_x + max_x) * 0.5 - side_m * 0.5;
        let south_m = (min_y + max_y) * 0.5 - side_m * 0.5;
        let northeast_m = [west_m + side_m, south_m + side_m];
        Ok(Self { west_m, south_m, side_m, cell_m, cells_per_m: 1.0 / cell_m, northeast_m })
    }

    /// Whether a point lies in the domain, its edges included.
    #[inline]
    #[must_use]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let [east_m, north_m] = self.northeast_m;
        (x >= self.west_m) & (x <= east_m) & (y >= self.south_m) & (y <= north_m)
    }

    /// Column of the cell at x, clamped to the grid.
    #[inline]
    #[must_use]
    pub fn column(&self, x: f64) -> usize {
        clamped((x - self.west_m) * self.cells_per_m)
    }

    /// Row of the cell at y, clamped to the grid.
    #[inline]
    #[must_use]
    pub fn row(&self, y: f64) -> usize {
        clamped((y - self.south_m) * self.cells_per_m)
    }

    /// Column and row of the cell at a point of the domain; beyond it they mean nothing.
    #[inline(always)]
    pub(crate) fn cell_within(&self, x: f64, y: f64) -> [usize; 2] {
        [whole((x - self.west_m) * self.cells_per_m), whole((y - self.south_m) * self.cells_per_m)]
    }

    /// x of a column counted in cells from the west; half cells are centers.
    #[inline]
    #[must_use]
    pub fn x_at(&self, column: f64) -> f64 {
        self.west_m + column * self.cell_m
    }

    /// y of a row counted in cells from the south; half cells are centers.
    #[inline]
    #[must_use]
    pub fn y_at(&self, row: f64) -> f64 {
        self.south_m + row * self.cell_m
    }
}

/// Floor of a position on the grid, the far edge counted to the last cell.
#[inline(always)]
fn whole(position: f64) -> usize {
    // Adding 2^52 leaves the nearest integer in the lowest mantissa bits; no conversion has to ask for the range.
    const SHIFT: f64 = 4_503_599_627_370_496.0;
    const LAST: f64 = (GRID_CELLS - 1) as f64;
    let nearest = (position + SHIFT) - SHIFT;
    let whole = nearest - if nearest > position { 1.0 } else { 0.0 };
    // Compared as a float: vectors of 64-bit integers cannot be compared by every processor.
    let bounded = if whole > LAST { LAST } else { whole };
    (bounded + SHIFT).to_bits() as usize % GRID_CELLS
}

#[inline]
fn clamped(position: f64) -> usize {
    // The conversion rounds toward zero and saturates, which is the clamped floor; to 32 bits it is one instruction.
    (position as i32).clamp(0, GRID_CELLS as i32 - 1) as usize
}
