//! Field spaces to test with.

#![allow(dead_code, reason = "every test file uses its own share of these")]

use kernel::state_hash::WordWriter;
use morphospace::constants::{FIRST_DYNAMIC, GRID_CELLS, N_DYNAMIC};
use morphospace::{FieldSpace, Mod, Op, Settings, Shape, Stamp};

/// A map of 8,192 m around the origin: cells of 64 m.
pub const BOUNDS: [f64; 4] = [-4096.0, -4096.0, 4096.0, 4096.0];

/// A space with these settings.
pub fn opened(settings: &Settings) -> FieldSpace {
    FieldSpace::new(BOUNDS, settings).expect("settings that make sense")
}

/// Stamps a circle with one mod.
pub fn dab(
    space: &mut FieldSpace,
    layers: usize,
    at: [f64; 2],
    radius_m: f64,
    (field, op, value): (usize, Op, f64),
) -> usize {
    let mods = [Mod::new(field, op, value).expect("a mod")];
    let stamp = Stamp::new(layers, Shape::Circle { center: at, radius_m }, &mods, true).expect("a stamp");
    space.stamp(&stamp)
}

/// Stamps a box with one mod.
pub fn fill(
    space: &mut FieldSpace,
    layers: usize,
    [west, south, east, north]: [f64; 4],
    (field, op, value): (usize, Op, f64),
) -> usize {
    let mods = [Mod::new(field, op, value).expect("a mod")];
    let stamp =
        Stamp::new(layers, Shape::Box { min: [west, south], max: [east, north] }, &mods, false).expect("a stamp");
    space.stamp(&stamp)
}

/// Every cell of a field in a layer, rows from south to north.
pub fn cells(space: &FieldSpace, field: usize, layer: usize) -> Vec<f32> {
    space.grid(field, layer, 0).expect("a field of a layer")
}

/// Cells of all dynamic fields in all layers.
pub fn everything(space: &FieldSpace) -> Vec<Vec<f32>> {
    let places = (0..3).flat_map(|layer| (0..N_DYNAMIC).map(move |field| (FIRST_DYNAMIC + field, layer)));
    places.map(|(field, layer)| cells(space, field, layer)).collect()
}

/// The state words.
pub fn words(space: &FieldSpace) -> Vec<u64> {
    let mut writer = WordWriter::new();
    space.write_words(&mut writer);
    writer.into_words()
}

/// Closed everywhere but in a square of cells from the southwest corner (in cells) on.
pub fn walls_around(first: usize, side: usize) -> Vec<f32> {
    let inside = first..first + side;
    (0..GRID_CELLS * GRID_CELLS)
        .map(
            |place| {
                if inside.contains(&(place % GRID_CELLS)) && inside.contains(&(place / GRID_CELLS)) { 0.0 } else { 1.0 }
            },
        )
        .collect()
}
