//! Currents: a grid for each layer, and the zones that add to it.

use crate::limits::CURRENT_NODES;
use crate::records::ResolvedMap;
use crate::resolve::terrain::bilinear;
use crate::state::Battle;
use crate::systems::zones::zone_current;

/// Current at a point of a layer, m/s east and north.
#[must_use]
pub fn current_at(battle: &Battle, layer: i64, x: f64, y: f64) -> (f64, f64) {
    let (zone_x, zone_y) = zone_current(battle, 1 << layer, x, y);
    if battle.still_layers >> layer & 1 == 1 {
        return (0.0 + zone_x, 0.0 + zone_y);
    }
    let area = battle.map();
    let grid = &area.currents[layer as usize];
    let u = (x - area.min_x) / (area.max_x - area.min_x) * (CURRENT_NODES - 1) as f64;
    let v = (y - area.min_y) / (area.max_y - area.min_y) * (CURRENT_NODES - 1) as f64;
    (
        bilinear(&grid.x_ms, CURRENT_NODES, CURRENT_NODES, u, v) + zone_x,
        bilinear(&grid.y_ms, CURRENT_NODES, CURRENT_NODES, u, v) + zone_y,
    )
}

/// Bit of every layer whose grid has no current anywhere, so that nothing lies between its nodes either.
#[must_use]
pub fn still_layers(area: &ResolvedMap) -> u8 {
    area.currents.iter().enumerate().fold(0, |bits, (layer, grid)| {
        let is_still = grid.x_ms.iter().chain(&grid.y_ms).all(|&node_ms| node_ms == 0.0);
        bits | u8::from(is_still) << layer
    })
}

/// Gives every present unit the current that carries it through the substeps of this tick.
pub fn sample_currents(battle: &mut Battle) {
    for place in 0..battle.units.len() {
        let unit = &battle.units[place];
        if unit.is_present() {
            let current = current_at(battle, unit.layer.layer, unit.x(), unit.y());
            let scratch = &mut battle.units[place].scratch;
            (scratch.current_x, scratch.current_y) = current;
        }
    }
}
