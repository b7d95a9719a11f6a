//! The map: an egocentric window, north at the top, of what surrounds a citizen.

use std::sync::OnceLock;

use crate::codes::{NOBODY, NOTHING, tile_class};
use crate::observe::layers::Framing;
use crate::observe::layout::{Channel, map_channels, window_of};
use crate::observe::moment::{Moment, Spot};
use crate::observe::usability::{UsableTypes, is_usable};
use crate::setup::Setup;
use crate::state::citizen::Citizen;
use crate::state::town::Town;
use crate::tables::paths::DIRECTIONS;

const USABLE: f32 = 1.0;
const UNUSABLE: f32 = 0.5;
const BLOCKED: f32 = 0.25;
const WAITING: f32 = 0.5;

/// An object, and its place in the window around some tile.
#[derive(Clone, Copy, Debug)]
struct Nearby {
    object: u16,
    place: u16,
}

/// What features count in a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Tiles others stand on.
    pub crowded: i32,
    /// Objects.
    pub objects: i32,
    /// Tiles that are reserved or waited on.
    pub reserved: i32,
    /// Square of the distance to the nearest other citizen, -1 without any.
    pub nearest_square: i32,
}

/// The way to a goal from every tile of a padded layer, east and south.
#[derive(Debug)]
struct Ways {
    dx: Box<[i8]>,
    dy: Box<[i8]>,
}

/// Draws the window around a citizen out of layers that were prepared.
#[derive(Debug)]
pub struct MapBuilder {
    /// How windows lie in the map.
    pub framing: Framing,
    channels: Vec<Channel>,
    ground: Box<[f32]>,
    walkable: Box<[f32]>,
    of_type: Vec<Box<[f32]>>,
    ways: Box<[OnceLock<Ways>]>,
    nearby: Box<[Nearby]>,
    nearby_from: Box<[u32]>,
    /// By whether there is power and whether there is water.
    usable: [[UsableTypes; 2]; 2],
}

impl MapBuilder {
    /// Prepares what never changes.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let (map, objects) = (&setup.tables.map, &setup.tables.objects);
        let framing = Framing::new(setup, window_of(setup));
        let layer_of_type = |number: i64| {
            let is_there = |tile: usize| objects.iter().any(|row| row.r#type == number && row.tile == tile as i64);
            framing.padded(0.0, |tile| f32::from(u8::from(is_there(tile))))
        };
        let (nearby, nearby_from) = list_nearby(setup, framing);
        Self {
            framing,
            channels: map_channels(setup),
            ground: framing.padded(BLOCKED, |tile| match map.tile_class[tile] {
                tile_class::WALL => BLOCKED,
                tile_class::OBJECT => UNUSABLE,
                _ => 0.0,
            }),
            walkable: framing.padded(0.0, |tile| f32::from(u8::from(map.walkable[tile]))),
            of_type: (0..setup.tables.types.len() as i64).map(layer_of_type).collect(),
            ways: map.walkable.iter().map(|_| OnceLock::new()).collect(),
            nearby,
            nearby_from,
            usable: [false, true].map(|power| [false, true].map(|water| UsableTypes::of(setup, power, water))),
        }
    }

    /// Entries of the map.
    #[must_use]
    pub fn size(&self) -> usize {
        self.channels.len() * self.framing.area()
    }

    /// Marks others and reservations in two layers of the window around a citizen, and counts what is there.
    pub fn look(&self, moment: &Moment, here: Spot, agents: &mut [f32], reservations: &mut [f32]) -> Surroundings {
        agents.fill(0.0);
        reservations.fill(0.0);
        let objects = self.nearby_to(self.framing.tile(here)).len();
        let mut seen = Surroundings { crowded: 0, objects: objects as i32, reserved: 0, nearest_square: -1 };
        for spot in moment.people.list().iter().filter(|spot| spot.seat != here.seat) {
            let Some(place) = self.framing.place(*spot, here) else { continue };
            let (dx, dy) = (i32::from(spot.x - here.x), i32::from(spot.y - here.y));
            let square = dx * dx + dy * dy;
            seen.crowded += i32::from(agents[place] == 0.0);
            agents[place] = 1.0;
            if seen.nearest_square < 0 || square < seen.nearest_square {
                seen.nearest_square = square;
            }
        }
        for spot in moment.held.list() {
            let Some(place) = self.framing.place(*spot, here) else { continue };
            seen.reserved += i32::from(reservations[place] == 0.0);
            reservations[place] = if spot.seat == here.seat { -1.0 } else { 1.0 };
        }
        for spot in moment.waiting.list() {
            let Some(place) = self.framing.place(*spot, here) else { continue };
            if reservations[place] == 0.0 {
                reservations[place] = WAITING;
                seen.reserved += 1;
            }
        }
        seen
    }

    /// Writes all channels of the configured variant, and counts what features count.
    pub fn draw(
        &self,
        town: &Town,
        setup: &Setup,
        citizen: &Citizen,
        moment: &Moment,
        here: Spot,
        map: &mut [f32],
    ) -> Surroundings {
        let area = self.framing.area();
        let (base, others) = map.split_at_mut(4 * area);
        let (own, base) = base.split_at_mut(area);
        let (agents, base) = base.split_at_mut(area);
        let (objects, reservations) = base.split_at_mut(area);
        own.fill(0.0);
        own[area / 2] = 1.0;
        let seen = self.look(moment, here, agents, reservations);
        self.framing.cut(&self.ground, here, objects);
        let usable = self.usable[usize::from(town.has_power())][usize::from(town.has_water())];
        for near in self.nearby_to(citizen.at()) {
            let is_usable = is_usable(town, setup, citizen, usize::from(near.object), usable);
            objects[usize::from(near.place)] = if is_usable { USABLE } else { UNUSABLE };
        }
        for (&channel, layer) in self.channels[4..].iter().zip(others.chunks_exact_mut(area)) {
            self.draw_further(setup, citizen, moment, here, channel, layer);
        }
        seen
    }

    fn draw_further(
        &self,
        setup: &Setup,
        citizen: &Citizen,
        moment: &Moment,
        here: Spot,
        channel: Channel,
        layer: &mut [f32],
    ) {
        match channel {
            Channel::Walkable => {
                self.framing.cut(&self.walkable, here, layer);
                for spot in moment.people.list() {
                    if let Some(place) = self.framing.place(*spot, here) {
                        layer[place] = 0.0;
                    }
                }
            }
            Channel::OfType(number) => self.framing.cut(&self.of_type[number as usize], here, layer),
            _ if citizen.plan.goal == NOTHING => layer.fill(0.0),
            _ => {
                let ways = self.ways[citizen.plan.goal as usize].get_or_init(|| self.ways_to(setup, citizen.plan.goal));
                self.framing.cut(if channel == Channel::PathDx { &ways.dx } else { &ways.dy }, here, layer);
            }
        }
    }

    #[inline]
    fn nearby_to(&self, tile: usize) -> &[Nearby] {
        &self.nearby[self.nearby_from[tile] as usize..self.nearby_from[tile + 1] as usize]
    }

    fn ways_to(&self, setup: &Setup, goal: i64) -> Ways {
        let (paths, walkable) = (&setup.tables.paths, &setup.tables.map.walkable);
        let field = paths.field(goal);
        let way_from = |tile: usize| {
            let (mut best, mut best_distance) = ((0, 0), field[tile]);
            for (direction, neighbor) in paths.neighbors(tile as i64) {
                if walkable[tile] && field[neighbor as usize] < best_distance {
                    (best, best_distance) = (DIRECTIONS[direction as usize], field[neighbor as usize]);
                }
            }
            best
        };
        Ways {
            dx: self.framing.padded(0, |tile| way_from(tile).0 as i8),
            dy: self.framing.padded(0, |tile| way_from(tile).1 as i8),
        }
    }
}

/// Objects in the window around every tile, one tile after another, and where each tile's begin.
fn list_nearby(setup: &Setup, framing: Framing) -> (Box<[Nearby]>, Box<[u32]>) {
    let spot_of = |tile: i64| Spot::of(setup, tile, NOBODY);
    let (mut nearby, mut from) = (Vec::new(), vec![0]);
    for tile in 0..setup.tables.map.walkable.len() as i64 {
        for row in &setup.tables.objects {
            if let Some(place) = framing.place(spot_of(row.tile), spot_of(tile)) {
                nearby.push(Nearby { object: row.index as u16, place: place as u16 });
            }
        }
        from.push(nearby.len() as u32);
    }
    (nearby.into_boxed_slice(), from.into_boxed_slice())
}

#[cfg(test)]
mod tests {
    use super::{MapBuilder, Surroundings};
    use crate::observe::moment::{Moment, Spot};
    use crate::state::objects::QueueEntry;
    use crate::systems::small_town::{small_setup, town_with};

    #[test]
    fn a_window_shows_others_holders_and_those_who_wait_once_each() {
        let mut setup = small_setup();
        setup.config.observations.local_window = 5;
        let mut town = town_with(&setup, &[10, 18, 10, 13]);
        town.objects[0].holder = 2;
        town.objects[0].queue.push(QueueEntry { seat: 1, joined_tick: 0 });
        let builder = MapBuilder::new(&setup);
        let moment = Moment::of(&town, &setup);
        let mut map = [7.0; 100];

        let here = Spot { x: 2, y: 1, seat: 0 };
        let seen = builder.draw(&town, &setup, town.citizen(0), &moment, here, &mut map);

        assert_eq!(seen, Surroundings { crowded: 2, objects: 1, reserved: 2, nearest_square: 0 });
        let layer = |number: usize| &map[25 * number..25 * (number + 1)];
        let places = |number: usize, value: f32| -> Vec<usize> {
            (0..25).filter(|&place| layer(number)[place] == value).collect()
        };
        assert_eq!(places(0, 1.0), [12]);
        assert_eq!(places(1, 1.0), [12, 17], "the one further east is out of sight");
        assert_eq!(places(2, 1.0), [7]);
        assert_eq!(places(2, 0.25), [0, 1, 2, 3, 4, 20, 21, 22, 23, 24], "beyond the grid");
        assert_eq!((places(3, 1.0), places(3, 0.5)), (vec![12], vec![17]));
    }
}
