//! Statistics of the dynamic fields over a circle, read from as few nodes as the level of detail allows.

use crate::buffer::Cells;
use crate::constants::{BRICK_LEVEL, BRICK_SIDE, GRID_CELLS, LEAF_DEPTH, N_DYNAMIC, TOP_LEVEL};
use crate::domain::{brick_of, check_length};
use crate::space::FieldSpace;
use crate::summaries::{NodeStatistics, Statistics, larger, smaller};

const TOP_NODES: usize = (GRID_CELLS >> TOP_LEVEL) * (GRID_CELLS >> TOP_LEVEL);

/// A circle in one layer, and the level of detail below which nodes are not taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeQuery {
    layer: usize,
    center: [f64; 2],
    radius_m: f64,
    level: usize,
}

/// Statistics per dynamic field, weighted by cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeReading {
    /// Means.
    pub mean: [f64; N_DYNAMIC],
    /// Smallest values.
    pub min: [f32; N_DYNAMIC],
    /// Largest values.
    pub max: [f32; N_DYNAMIC],
    /// Mean squares minus squared means, at least 0.
    pub variance: [f64; N_DYNAMIC],
    /// Cells that were read.
    pub count: usize,
    /// Nodes that stood for them.
    pub nodes: usize,
}

impl VolumeQuery {
    /// A query that can be answered.
    ///
    /// # Errors
    /// With the name and value of what is wrong.
    pub fn new(layer: usize, x: f64, y: f64, radius_m: f64, level: usize) -> Result<Self, String> {
        FieldSpace::check_layer(layer)?;
        FieldSpace::check_level(level)?;
        for value in [x, y, radius_m] {
            check_length("the circle", value)?;
        }
        if radius_m < 0.0 {
            return Err(format!("the radius is {radius_m} m; it must be 0 or more"));
        }
        Ok(Self { layer, center: [x, y], radius_m, level })
    }

    fn covers(&self, x: f64, y: f64) -> bool {
        let (dx, dy) = (x - self.center[0], y - self.center[1]);
        dx * dx + dy * dy <= self.radius_m * self.radius_m
    }

    fn reaches(&self, [west, south, east, north]: [f64; 4]) -> bool {
        let dx = beyond(self.center[0], west, east);
        let dy = beyond(self.center[1], south, north);
        dx * dx + dy * dy <= self.radius_m * self.radius_m
    }
}

fn beyond(at: f64, low: f64, high: f64) -> f64 {
    if at < low {
        low - at
    } else if at > high {
        at - high
    } else {
        0.0
    }
}

/// What the nodes read so far add up to.
struct Tally {
    total: [f64; N_DYNAMIC],
    squares: [f64; N_DYNAMIC],
    min: [f32; N_DYNAMIC],
    max: [f32; N_DYNAMIC],
    count: usize,
    nodes: usize,
}

impl Tally {
    fn add(&mut self, statistics: &NodeStatistics, cells: usize) {
        for (field, one) in statistics.iter().enumerate() {
            self.total[field] += f64::from(one.mean) * cells as f64;
            self.squares[field] += f64::from(one.mean_square) * cells as f64;
            self.min[field] = smaller(self.min[field], one.min);
            self.max[field] = larger(self.max[field], one.max);
        }
        self.count += cells;
        self.nodes += 1;
    }

    fn reading(&self) -> VolumeReading {
        let count = self.count as f64;
        let mean = self.total.map(|total| total / count);
        let variance = std::array::from_fn(|field| {
            let spread = self.squares[field] / count - mean[field] * mean[field];
            if spread > 0.0 { spread } else { 0.0 }
        });
        VolumeReading { mean, min: self.min, max: self.max, variance, count: self.count, nodes: self.nodes }
    }
}

impl FieldSpace {
    /// Statistics over a circle, as of the last refresh; a circle in which nothing counts reads the cell it is centered in.
    #[must_use]
    pub fn volume(&self, query: &VolumeQuery) -> VolumeReading {
        let mut tally = Tally {
            total: [0.0; N_DYNAMIC],
            squares: [0.0; N_DYNAMIC],
            min: [f32::INFINITY; N_DYNAMIC],
            max: [f32::NEG_INFINITY; N_DYNAMIC],
            count: 0,
            nodes: 0,
        };
        for number in 0..TOP_NODES {
            let (ix, iy) = (number & 1 | number >> 1 & 2, number >> 1 & 1 | number >> 2 & 2);
            self.visit(query, &mut tally, ix << TOP_LEVEL, iy << TOP_LEVEL, TOP_LEVEL);
        }
        if tally.count == 0 {
            let [x, y] = query.center;
            let cell = if self.domain.contains(x, y) {
                self.statistics(query.layer, self.domain.column(x), self.domain.row(y), 0)
            } else {
                self.bricks.defaults(query.layer).map(Statistics::of_value)
            };
            tally.add(&cell, 1);
        }
        tally.reading()
    }

    fn visit(&self, query: &VolumeQuery, tally: &mut Tally, column: usize, row: usize, level: usize) {
        let (domain, size) = (&self.domain, 1 << level);
        let (west, south) = (domain.x_at(column as f64), domain.y_at(row as f64));
        let (east, north) = (domain.x_at((column + size) as f64), domain.y_at((row + size) as f64));
        if !query.reaches([west, south, east, north]) {
            return;
        }
        let is_inside =
            [(west, south), (east, south), (west, north), (east, north)].iter().all(|&(x, y)| query.covers(x, y));
        if is_inside {
            tally.add(&self.statistics(query.layer, column, row, level), size * size);
        } else if level == query.level {
            let half = 0.5 * size as f64;
            if query.covers(domain.x_at(column as f64 + half), domain.y_at(row as f64 + half)) {
                tally.add(&self.statistics(query.layer, column, row, level), size * size);
            }
        } else {
            let half = size / 2;
            for (dx, dy) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.visit(query, tally, column + dx, row + dy, level - 1);
            }
        }
    }

    fn statistics(&self, layer: usize, column: usize, row: usize, level: usize) -> NodeStatistics {
        let key = brick_of(layer, column, row);
        if level >= BRICK_LEVEL {
            let above = level - BRICK_LEVEL;
            return *self.summaries.node(LEAF_DEPTH - above, key >> (2 * above));
        }
        match self.bricks.slot(key) {
            Some(slot) => {
                let corner = row % BRICK_SIDE * BRICK_SIDE + column % BRICK_SIDE;
                std::array::from_fn(|field| of_block(self.bricks.front.cells(slot, field), corner, 1 << level))
            }
            None => self.bricks.defaults(layer).map(Statistics::of_value),
        }
    }
}

/// Statistics of a block of 1, 2 or 4 cells a side.
fn of_block(cells: &Cells, corner: usize, size: usize) -> Statistics {
    if size == 1 {
        return Statistics::of_value(cells[corner]);
    }
    let half = size / 2;
    let quad = [0, half, half * BRICK_SIDE, half * BRICK_SIDE + half].map(|step| of_block(cells, corner + step, half));
    Statistics::of_quad(quad.each_ref())
}
