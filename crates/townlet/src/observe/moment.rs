//! What all rows of one moment share, worked out once: who is where, what is held, and the state of the town.

use kernel::numerics::{TWO_PI, clamp, sincos};

use crate::codes::{MAX_OBJECTS, MAX_SEATS, NOBODY, perturbation_kind, price};
use crate::setup::Setup;
use crate::state::town::Town;

const HIGHEST_PRICE_RATIO: f64 = 3.0;

/// A seat and the tile that goes with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spot {
    /// Column.
    pub x: i16,
    /// Row.
    pub y: i16,
    /// Whose it is.
    pub seat: i16,
}

impl Spot {
    /// The tile of a seat.
    #[inline]
    #[must_use]
    pub fn of(setup: &Setup, tile: i64, seat: i64) -> Self {
        let (x, y) = setup.tables.map.xy(tile);
        Self { x: x as i16, y: y as i16, seat: seat as i16 }
    }
}

/// A short list without memory of its own.
#[derive(Clone, Copy, Debug)]
pub struct Spots<const N: usize> {
    spots: [Spot; N],
    count: usize,
}

impl<const N: usize> Spots<N> {
    const fn new() -> Self {
        Self { spots: [Spot { x: 0, y: 0, seat: 0 }; N], count: 0 }
    }

    fn push(&mut self, setup: &Setup, tile: i64, seat: i64) {
        self.spots[self.count] = Spot::of(setup, tile, seat);
        self.count += 1;
    }

    /// The spots in order.
    #[inline]
    #[must_use]
    pub fn list(&self) -> &[Spot] {
        &self.spots[..self.count]
    }
}

/// One moment of a town.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Where everybody stands, by ascending seat.
    pub people: Spots<MAX_SEATS>,
    /// Use tiles of what is held with their holders, by object.
    pub held: Spots<MAX_OBJECTS>,
    /// Queue tiles that somebody waits on, by object and place in line.
    pub waiting: Spots<MAX_SEATS>,
    /// Sine and cosine of the time of day.
    pub time: [f32; 2],
    /// Whether power and water are on.
    pub utilities: [f32; 2],
    /// How meals and ingredients are priced.
    pub prices: [f32; 2],
    /// Whether something befalls the whole town.
    pub city_event: f32,
}

impl Moment {
    /// Looks at a town.
    #[must_use]
    pub fn of(town: &Town, setup: &Setup) -> Self {
        let (sine, cosine) = sincos(TWO_PI * town.tod() as f64 / town.ticks_per_day as f64);
        let events = &town.perturbations.active;
        let mut moment = Self {
            people: Spots::new(),
            held: Spots::new(),
            waiting: Spots::new(),
            time: [sine as f32, cosine as f32],
            utilities: [town.has_power(), town.has_water()].map(|is_on| f32::from(u8::from(is_on))),
            prices: [price::MEAL, price::INGREDIENTS].map(|price| price_ratio(town, price) as f32),
            city_event: f32::from(u8::from(events.iter().any(|event| event.kind != perturbation_kind::ARRANGED_MEET))),
        };
        for citizen in town.citizens() {
            moment.people.push(setup, citizen.tile, citizen.seat);
        }
        moment.look_at_objects(town, setup);
        moment
    }

    fn look_at_objects(&mut self, town: &Town, setup: &Setup) {
        for (row, state) in setup.tables.objects.iter().zip(&town.objects) {
            if state.holder == NOBODY {
                continue; // nobody waits for what nobody holds
            }
            self.held.push(setup, row.use_tile, state.holder);
            for entry in &state.queue {
                let tile = town.citizen(entry.seat as usize).tile;
                if row.queue_tiles.contains(&tile) {
                    self.waiting.push(setup, tile, entry.seat);
                }
            }
        }
    }
}

fn price_ratio(town: &Town, price: usize) -> f64 {
    let baseline = town.economy.baselines[price];
    let ratio = if baseline > 0.0 { town.economy.live[price] / baseline } else { 1.0 };
    clamp(ratio, 0.0, HIGHEST_PRICE_RATIO) / HIGHEST_PRICE_RATIO
}
