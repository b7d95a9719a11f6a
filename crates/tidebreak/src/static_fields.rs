//! The field engine of a battle, with the map's depth, obstacles, salinity and currents in its static fields.

use kernel::numerics::{clamp, floor};
use morphospace::constants::{CURRENT_X, CURRENT_Y, DEPTH, GRID_CELLS, N_LAYERS, OCCUPANCY, SALINITY};
use morphospace::{FieldSpace, Settings};

use crate::limits::CURRENT_NODES;
use crate::records::{ResolvedBattle, ResolvedMap};
use crate::resolve::shapes::contains;
use crate::resolve::terrain::allows;

const SOFT_SHARE: f64 = 0.5; // of an obstacle's intensity
const CELLS: usize = GRID_CELLS * GRID_CELLS;
const BLEND_ERROR: f64 = 4e-15; // more than blending equal nodes can be off, as a share

/// An empty field engine over the map.
///
/// # Errors
/// With what is wrong with the map.
pub fn open_fields(spec: &ResolvedBattle) -> Result<FieldSpace, String> {
    let (area, rules) = (&spec.map, &spec.rules);
    let settings = Settings {
        field_period: rules.field_period as u32,
        max_bricks: rules.max_bricks,
        temperature: area.temperature_c,
        is_dynamic: rules.fields,
        ..Settings::default()
    };
    let mut space = FieldSpace::new([area.min_x, area.min_y, area.max_x, area.max_y], &settings)?;
    let centers = Centers::of(area, space.domain().cell_m);
    let depth = depths(area, &centers);
    for layer in 0..N_LAYERS {
        depth.rounded().put(&mut space, DEPTH, layer)?;
        occupancy(area, layer as i64, &depth, &centers).rounded().put(&mut space, OCCUPANCY, layer)?;
        space.set_static_even(SALINITY, layer, area.salinity_ppt as f32)?;
        let grid = &area.currents[layer];
        for (field, nodes) in [(CURRENT_X, &grid.x_ms), (CURRENT_Y, &grid.y_ms)] {
            currents(area, nodes, &centers).put(&mut space, field, layer)?;
        }
    }
    Ok(space)
}

/// Values of all cells; most maps have the same one everywhere.
enum Cells<T> {
    Even(T),
    Varied(Vec<T>),
}

impl Cells<f64> {
    fn rounded(&self) -> Cells<f32> {
        match self {
            Self::Even(value) => Cells::Even(*value as f32),
            Self::Varied(values) => Cells::Varied(values.iter().map(|&value| value as f32).collect()),
        }
    }
}

impl Cells<f32> {
    fn put(&self, space: &mut FieldSpace, field: usize, layer: usize) -> Result<(), String> {
        match self {
            Self::Even(value) => space.set_static_even(field, layer, *value),
            Self::Varied(values) => space.set_static(field, layer, values),
        }
    }
}

/// Middles of the cells, by column and by row.
struct Centers {
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Centers {
    fn of(area: &ResolvedMap, cell_m: f64) -> Self {
        let along = |first: f64| (0..GRID_CELLS).map(|cell| first + (cell as f64 + 0.5) * cell_m).collect();
        Self { x: along(area.field_x0), y: along(area.field_y0) }
    }
}

fn depths(area: &ResolvedMap, centers: &Centers) -> Cells<f64> {
    let depth = &area.depth;
    match depth.uniform_m {
        Some(uniform_m) => Cells::Even(uniform_m),
        None => Cells::Varied(blended(area, &depth.nodes_m, depth.rows, depth.columns, centers)),
    }
}

fn occupancy(area: &ResolvedMap, layer: i64, depth: &Cells<f64>, centers: &Centers) -> Cells<f64> {
    let of_depth = |depth_m: f64| if allows(depth_m, layer) { 0.0 } else { 1.0 };
    let mut obstacles = area.obstacles.iter().filter(|obstacle| obstacle.layers_mask >> layer & 1 == 1).peekable();
    let mut values: Vec<f64> = match depth {
        Cells::Even(depth_m) if obstacles.peek().is_none() => return Cells::Even(of_depth(*depth_m)),
        Cells::Even(depth_m) => vec![of_depth(*depth_m); CELLS],
        Cells::Varied(depths) => depths.iter().map(|&depth_m| of_depth(depth_m)).collect(),
    };
    for obstacle in obstacles {
        let amount = if obstacle.solid { 1.0 } else { SOFT_SHARE * obstacle.intensity };
        let shape = &obstacle.shape;
        for (row, &y) in centers.y.iter().enumerate().filter(|(_, y)| (*y - shape.y).abs() <= shape.radius_m) {
            for (column, &x) in centers.x.iter().enumerate().filter(|(_, x)| (*x - shape.x).abs() <= shape.radius_m) {
                let value = &mut values[row * GRID_CELLS + column];
                if contains(shape, x, y) && amount > *value {
                    *value = amount;
                }
            }
        }
    }
    Cells::Varied(values)
}

fn currents(area: &ResolvedMap, nodes: &[f64], centers: &Centers) -> Cells<f32> {
    let first = nodes[0];
    // Blending equal nodes may be off by a few units in the last place, which rounding hides unless it is a close call.
    let (low, high) = ((first * (1.0 - BLEND_ERROR)) as f32, (first * (1.0 + BLEND_ERROR)) as f32);
    if low == high && nodes.iter().all(|&node| node == first) {
        return Cells::Even(first as f32);
    }
    Cells::Varied(blended(area, nodes, CURRENT_NODES, CURRENT_NODES, centers)).rounded()
}

/// `bilinear` at the middle of every cell: each row of nodes is blended along the columns once, then between rows.
fn blended(area: &ResolvedMap, nodes: &[f64], rows: usize, columns: usize, centers: &Centers) -> Vec<f64> {
    let across = places(&centers.x, area.min_x, area.max_x, columns);
    let up = places(&centers.y, area.min_y, area.max_y, rows);
    let mut lines = Vec::with_capacity(rows * GRID_CELLS);
    for row in nodes.chunks_exact(columns) {
        lines.extend(across.iter().map(|&(i, fu)| row[i] * (1.0 - fu) + row[i + 1] * fu));
    }
    let mut values = Vec::with_capacity(CELLS);
    for &(j, fv) in &up {
        let (south, north) = lines[j * GRID_CELLS..(j + 2) * GRID_CELLS].split_at(GRID_CELLS);
        values.extend(south.iter().zip(north).map(|(south, north)| south * (1.0 - fv) + north * fv));
    }
    values
}

/// Node before each middle, and how far the middle is on the way to the next node.
fn places(middles: &[f64], min: f64, max: f64, nodes: usize) -> Vec<(usize, f64)> {
    let place = |&middle: &f64| {
        let u = (middle - min) / (max - min) * (nodes - 1) as f64;
        let i = clamp(floor(u), 0.0, (nodes - 2) as f64) as usize;
        (i, u - i as f64)
    };
    middles.iter().map(place).collect()
}
