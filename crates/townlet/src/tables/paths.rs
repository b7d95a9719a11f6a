//! The path service: how far it is to a goal from every tile, and which way to go.

use std::sync::OnceLock;

use crate::tables::places::TownMap;

/// Distance where there is no way.
pub const UNREACHABLE: u16 = 65535;
/// Direction where none leads to the goal.
pub const STAY: i64 = -1;
const FULL_TILE_COST: f64 = 0.5;
const NO_TILE: i32 = -1;
/// North, east, south, west; y grows south.
pub const DIRECTIONS: [(i64, i64); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Distance fields over statically walkable tiles, one per goal, computed when first asked for and then shared.
#[derive(Debug)]
pub struct PathService {
    fields: Vec<OnceLock<Box<[u16]>>>,
    neighbors: Vec<[i32; 4]>,
}

impl PathService {
    /// Begins with no field.
    #[must_use]
    pub fn new(map: &TownMap) -> Self {
        let neighbors: Vec<[i32; 4]> = (0..map.walkable.len() as i64)
            .map(|tile| {
                let (x, y) = map.xy(tile);
                DIRECTIONS.map(|(dx, dy)| {
                    let is_inside = (0..map.width).contains(&(x + dx)) && (0..map.height).contains(&(y + dy));
                    let neighbor = map.tile(x + dx, y + dy);
                    if is_inside && map.walkable[neighbor as usize] { neighbor as i32 } else { NO_TILE }
                })
            })
            .collect();
        Self { fields: neighbors.iter().map(|_| OnceLock::new()).collect(), neighbors }
    }

    /// Steps to the goal from every tile, 65535 where there is no way.
    #[inline]
    #[must_use]
    pub fn field(&self, goal: i64) -> &[u16] {
        self.fields[goal as usize].get_or_init(|| self.flood(goal as usize))
    }

    /// Steps from a tile to a goal, 65535 where there is no way.
    #[inline]
    #[must_use]
    pub fn distance(&self, goal: i64, tile: i64) -> i64 {
        i64::from(self.field(goal)[tile as usize])
    }

    /// Walkable neighbors of a tile with their directions, in the order north, east, south, west.
    #[inline]
    pub fn neighbors(&self, tile: i64) -> impl Iterator<Item = (i64, i64)> + '_ {
        let around = &self.neighbors[tile as usize];
        (0..4).filter(|&way| around[way] != NO_TILE).map(|way| (way as i64, i64::from(around[way])))
    }

    /// The tile one step in a direction, -1 if nobody can stand there.
    #[inline]
    #[must_use]
    pub fn neighbor(&self, tile: i64, direction: i64) -> i64 {
        i64::from(self.neighbors[tile as usize][direction as usize])
    }

    /// Direction 0..3 that leads to the goal, -1 where none does; full tiles are gone around where it costs nothing.
    #[must_use]
    pub fn next_dir(&self, goal: i64, tile: i64, occupancy: &[i32]) -> i64 {
        let field = self.field(goal);
        let (mut best, mut best_cost) = (STAY, f64::from(UNREACHABLE));
        for (direction, neighbor) in self.neighbors(tile) {
            let neighbor = neighbor as usize;
            let cost = f64::from(field[neighbor]) + if occupancy[neighbor] != 0 { FULL_TILE_COST } else { 0.0 };
            if cost < best_cost {
                (best, best_cost) = (direction, cost);
            }
        }
        best
    }

    fn flood(&self, goal: usize) -> Box<[u16]> {
        let mut field = vec![UNREACHABLE; self.neighbors.len()].into_boxed_slice();
        field[goal] = 0;
        let (mut frontier, mut following, mut steps) = (vec![goal], Vec::new(), 0);
        while !frontier.is_empty() {
            steps += 1;
            for &tile in &frontier {
                for &neighbor in self.neighbors[tile].iter().filter(|&&neighbor| neighbor != NO_TILE) {
                    if field[neighbor as usize] == UNREACHABLE {
                        field[neighbor as usize] = steps;
                        following.push(neighbor as usize);
                    }
                }
            }
            std::mem::swap(&mut frontier, &mut following);
            following.clear();
        }
        field
    }
}
