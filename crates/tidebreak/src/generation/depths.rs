//! The sea bed as nodes, for the styles that scenarios draw, with the styles' usual numbers.

use kernel::numerics::fmin;

use crate::records::ResolvedDepth;

const NODES: usize = 65;
const CELLS: f64 = (NODES - 1) as f64;
const WEST_M: f64 = 40.0;
const EAST_M: f64 = 400.0;
const MIDDLE_M: f64 = 1200.0;
const SHORE_M: f64 = -20.0;
const SHORE_SHARE: f64 = 0.2;

/// A sea bed that is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Falls from west to east.
    Shelf,
    /// Land in the north and in the south.
    Strait,
}

/// The same depth everywhere.
#[must_use]
pub fn uniform_depth(depth_m: f64) -> ResolvedDepth {
    ResolvedDepth { uniform_m: Some(depth_m), rows: 0, columns: 0, nodes_m: Vec::new() }
}

/// A sea bed of a style.
#[must_use]
pub fn sloping(style: Style) -> ResolvedDepth {
    let nodes_m = match style {
        Style::Shelf => {
            let row: Vec<f64> = (0..NODES).map(shelf).collect();
            row.repeat(NODES)
        }
        Style::Strait => (0..NODES).flat_map(|row| std::iter::repeat_n(strait(row), NODES)).collect(),
    };
    ResolvedDepth { uniform_m: None, rows: NODES, columns: NODES, nodes_m }
}

fn shelf(column: usize) -> f64 {
    WEST_M + (EAST_M - WEST_M) * (column as f64 / CELLS)
}

fn strait(row: usize) -> f64 {
    let v = row as f64 / CELLS;
    let from_shore = fmin(v, 1.0 - v);
    if from_shore >= SHORE_SHARE {
        return MIDDLE_M;
    }
    SHORE_M + (MIDDLE_M - SHORE_M) * (from_shore / SHORE_SHARE)
}
