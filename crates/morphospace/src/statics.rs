//! The fields that are set once, and what they close off.

use std::sync::Arc;

use crate::brick_map::{BrickMap, BrickRect};
use crate::bricks::KeySet;
use crate::constants::{
    BRICK_CELLS, BRICK_LEVEL, BRICK_SIDE, FIRST_DYNAMIC, GRID_CELLS, LAYER_BRICKS, N_BRICKS, N_LAYERS, OCCUPANCY,
    SOLID_ABOVE, STATIC_DEFAULTS, TOP_LEVEL,
};
use crate::domain::{brick_of, cell_in_brick, neighbors};
use crate::sampling::block_mean;
use crate::summaries::sum_by_halving;

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const FIRST_ROW: u64 = 0xFF;
const LAST_IN_ROW: u32 = BRICK_SIDE as u32 - 1;
const ROW_BITS: u32 = BRICK_SIDE as u32;
const LAST_ROW: u32 = ROW_BITS * LAST_IN_ROW;

/// One static field in one layer.
#[derive(Clone, Debug)]
enum Grid {
    /// The same everywhere, as most are.
    Even(f32),
    /// Shared with copies of the space, and with layers that have the same values.
    Varied(Arc<Varied>),
}

#[derive(Clone, Debug)]
struct Varied {
    bricks: Vec<[f32; BRICK_CELLS]>,
    /// Bricks in which a cell is not 0.
    marked: BrickMap,
    /// Means at levels 3, 4 and 5.
    means: [Vec<f32>; TOP_LEVEL - BRICK_LEVEL + 1],
}

/// Where nothing flows: bits of cells, row by row from the southwest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    /// The cell itself is closed.
    pub own: u64,
    /// The cell to the west, east, south or north is closed, or beyond the domain.
    pub sides: [u64; 4],
}

impl Closed {
    /// Whether everything flows.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.own == 0 && self.sides == [0; 4]
    }
}

/// The static fields of a space.
#[derive(Clone, Debug)]
pub(crate) struct Statics {
    grids: [[Grid; N_LAYERS]; FIRST_DYNAMIC],
    closed: Vec<Closed>,
    /// Bricks in which or beside which something is closed: few, so that the list above is seldom read.
    hindered: KeySet,
}

static OPEN: Closed = Closed { own: 0, sides: [0; 4] };

impl Statics {
    pub fn new() -> Self {
        let grids = STATIC_DEFAULTS.map(|value| std::array::from_fn(|_| Grid::Even(value)));
        let mut statics = Self { grids, closed: vec![OPEN; N_BRICKS], hindered: KeySet::default() };
        statics.find_closed();
        statics
    }

    /// Takes the values of a layer, rows from south to north; they are finite and of the right number.
    pub fn set(&mut self, field: usize, layer: usize, values: &[f32]) {
        if values.iter().all(|&value| value == values[0]) {
            self.set_even(field, layer, values[0]);
            return;
        }
        let grid = Varied::of(values);
        let twin = self.grids[field].iter().find_map(|other| other.twin_of(&grid));
        self.grids[field][layer] = Grid::Varied(twin.unwrap_or_else(|| Arc::new(grid)));
        if field == OCCUPANCY {
            self.find_closed();
        }
    }

    /// Takes the one value of a whole layer; it is finite.
    pub fn set_even(&mut self, field: usize, layer: usize, value: f32) {
        let value = value + 0.0;
        if matches!(self.grids[field][layer], Grid::Even(now) if now == value) {
            return;
        }
        self.grids[field][layer] = Grid::Even(value);
        if field == OCCUPANCY {
            self.find_closed();
        }
    }

    #[inline]
    pub fn closed(&self, key: usize) -> &Closed {
        if self.hindered.contains(key) { &self.closed[key] } else { &OPEN }
    }

    #[inline]
    pub fn sample(&self, field: usize, layer: usize, brick: usize, cell: usize, level: usize) -> f32 {
        match &self.grids[field][layer] {
            Grid::Even(value) => *value,
            Grid::Varied(grid) => grid.sample(brick, cell, level),
        }
    }

    /// The value that a field has at every cell of a rectangle, if it is 0 or the same in the whole layer.
    #[inline]
    pub fn even_value(&self, field: usize, layer: usize, rect: &BrickRect) -> Option<f32> {
        match &self.grids[field][layer] {
            Grid::Even(value) => Some(*value),
            Grid::Varied(grid) => (!grid.marked.meets(rect)).then_some(0.0),
        }
    }

    fn find_closed(&mut self) {
        let solid: Vec<u64> = (0..N_BRICKS).map(|key| self.solid_cells(key)).collect();
        self.hindered = KeySet::default();
        for (key, closed) in self.closed.iter_mut().enumerate() {
            let own = solid[key];
            let [west, east, south, north] =
                neighbors(key).map(|neighbor| neighbor.map_or(u64::MAX, |neighbor| solid[neighbor]));
            let last_column = FIRST_COLUMN << LAST_IN_ROW;
            closed.own = own;
            closed.sides = [
                (own << 1 & !FIRST_COLUMN) | (west >> LAST_IN_ROW & FIRST_COLUMN),
                (own >> 1 & !last_column) | (east << LAST_IN_ROW & last_column),
                own << ROW_BITS | (south >> LAST_ROW & FIRST_ROW),
                own >> ROW_BITS | north << LAST_ROW,
            ];
            if !closed.is_open() {
                self.hindered.insert(key);
            }
        }
    }

    fn solid_cells(&self, key: usize) -> u64 {
        match &self.grids[OCCUPANCY][key / LAYER_BRICKS] {
            Grid::Even(value) => {
                if *value > SOLID_ABOVE {
                    u64::MAX
                } else {
                    0
                }
            }
            Grid::Varied(grid) => {
                let cells = grid.bricks[key % LAYER_BRICKS].iter().enumerate();
                cells.fold(0, |bits, (cell, &value)| bits | u64::from(value > SOLID_ABOVE) << cell)
            }
        }
    }
}

impl Grid {
    fn twin_of(&self, grid: &Varied) -> Option<Arc<Varied>> {
        match self {
            Self::Varied(other) if other.bricks == grid.bricks => Some(Arc::clone(other)),
            _ => None,
        }
    }
}

impl Varied {
    fn of(values: &[f32]) -> Self {
        let mut bricks = vec![[0.0; BRICK_CELLS]; LAYER_BRICKS];
        for (place, &value) in values.iter().enumerate() {
            let (row, column) = (place / GRID_CELLS, place % GRID_CELLS);
            bricks[brick_of(0, column, row)][cell_in_brick(column, row)] = value + 0.0;
        }
        let leaves: Vec<f32> = bricks.iter().map(|&cells| sum_by_halving(cells) * (1.0 / BRICK_CELLS as f32)).collect();
        let quads = quad_means(&leaves);
        let tops = quad_means(&quads);
        let mut marked = BrickMap::default();
        for (brick, _) in bricks.iter().enumerate().filter(|(_, cells)| cells.iter().any(|&cell| cell != 0.0)) {
            marked.insert(brick);
        }
        Self { bricks, marked, means: [leaves, quads, tops] }
    }

    #[inline]
    fn sample(&self, brick: usize, cell: usize, level: usize) -> f32 {
        if level < BRICK_LEVEL {
            return block_mean(&self.bricks[brick], cell, level);
        }
        let above = level - BRICK_LEVEL;
        self.means[above][brick >> (2 * above)]
    }
}

fn quad_means(children: &[f32]) -> Vec<f32> {
    children.chunks_exact(4).map(|c| ((c[0] + c[1]) + (c[2] + c[3])) * 0.25).collect()
}
