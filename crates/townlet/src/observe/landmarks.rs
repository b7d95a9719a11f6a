//! Landmarks: which way, and how far, to what a citizen needs.

use crate::codes::{NOTHING, item, role};
use crate::decisions::expansion::STAND_STRIDE;
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::systems::presence::{own_stove, stand_tile};
use crate::tables::paths::UNREACHABLE;

const FAR: usize = 96;
/// Fridge, stove, bed, shower, till, home and work.
const LANDMARKS: usize = 7;
const PARTS: usize = 3;

/// What landmarks come to, worked out beforehand so that pointing takes neither a division nor a search.
#[derive(Debug)]
pub struct Compass {
    /// By tile, its place in a map that is as wide as `directions`.
    places: Box<[i32]>,
    /// By the difference of two places.
    directions: Box<[[f32; 2]]>,
    /// Place of the direction from a tile to itself.
    center: i32,
    /// By distance.
    shares: [f32; FAR + 1],
    /// By home and tile, use tile of the nearest shower and the nearest till, -1 for none.
    nearest: Box<[[i16; 2]]>,
}

impl Compass {
    /// Works out every direction of a map.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let (width, height) = (setup.tables.map.width, setup.tables.map.height);
        let offsets = (1 - height..height).flat_map(|dy| (1 - width..width).map(move |dx| (dx, dy)));
        let directions = offsets.map(|(dx, dy)| {
            if dx == 0 && dy == 0 {
                return [0.0, 0.0];
            }
            let length = ((dx * dx + dy * dy) as f64).sqrt();
            [(dx as f64 / length) as f32, (dy as f64 / length) as f32]
        });
        let tiles = 0..setup.tables.map.walkable.len() as i64;
        let homes = 0..setup.tables.map.zones.len();
        let nearest_from = |home: usize, tile: i64| {
            [role::SHOWER, role::BUY].map(|role| nearest(setup, tile, &setup.tables.open_to[role][home]) as i16)
        };
        Self {
            places: tiles.clone().map(|tile| (tile / width * (2 * width - 1) + tile % width) as i32).collect(),
            directions: directions.collect(),
            center: ((height - 1) * (2 * width - 1) + width - 1) as i32,
            shares: std::array::from_fn(|distance| (distance as f64 / FAR as f64) as f32),
            nearest: homes.flat_map(|home| tiles.clone().map(move |tile| nearest_from(home, tile))).collect(),
        }
    }

    /// Writes direction and distance of every landmark, in their order.
    pub fn point(&self, town: &Town, setup: &Setup, citizen: &Citizen, out: &mut [f32]) {
        let tables = &setup.tables;
        let used_from =
            |object: i64| if object == NOTHING { NOTHING } else { tables.objects[object as usize].use_tile };
        let [shower, till] = self.nearest[citizen.home as usize * self.places.len() + citizen.at()];
        let goals: [i64; LANDMARKS] = [
            nearest_meal(town, setup, citizen),
            used_from(own_stove(town, setup, citizen.seat as usize)),
            used_from(citizen.bed),
            i64::from(shower),
            i64::from(till),
            stand_tile(setup, citizen.home, citizen.seat * STAND_STRIDE),
            if citizen.job == NOTHING { NOTHING } else { tables.jobs[citizen.job as usize].tile },
        ];
        let from_here = self.center - self.places[citizen.at()];
        for (tile, parts) in goals.into_iter().zip(out.chunks_exact_mut(PARTS)) {
            if tile == NOTHING {
                parts.fill(0.0);
                continue;
            }
            let distance = usize::from(tables.paths.field(tile)[citizen.at()]);
            let [dx, dy] = self.directions[(self.places[tile as usize] + from_here) as usize];
            parts.copy_from_slice(&[dx, dy, self.shares[distance.min(FAR)]]);
        }
    }
}

/// Use tile of the nearest fridge with a meal, of the nearest at all where none has any; -1 for none.
fn nearest_meal(town: &Town, setup: &Setup, citizen: &Citizen) -> i64 {
    let fridges = &setup.tables.open_to[role::EAT][citizen.home as usize];
    let (mut best, mut best_distance, mut is_filled) = (NOTHING, UNREACHABLE, false);
    for &index in fridges {
        let has_meal = town.objects[index as usize].stock[item::MEALS] >= 1;
        if is_filled && !has_meal {
            continue;
        }
        if has_meal && !is_filled {
            (best, best_distance, is_filled) = (NOTHING, UNREACHABLE, true);
        }
        let tile = setup.tables.objects[index as usize].use_tile;
        let distance = setup.tables.paths.field(tile)[citizen.at()];
        if distance < best_distance {
            (best, best_distance) = (tile, distance);
        }
    }
    best
}

fn nearest(setup: &Setup, here: i64, objects: &[i64]) -> i64 {
    let (mut best, mut best_distance) = (NOTHING, UNREACHABLE);
    for &index in objects {
        let tile = setup.tables.objects[index as usize].use_tile;
        let distance = setup.tables.paths.field(tile)[here as usize];
        if distance < best_distance {
            (best, best_distance) = (tile, distance);
        }
    }
    best
}
