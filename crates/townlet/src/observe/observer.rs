//! `Observer`: writes the observations of a town.

use crate::observe::features::FeatureWriter;
use crate::observe::layout::{DEFAULT_WINDOW, FEATURES};
use crate::observe::maps::MapBuilder;
use crate::observe::moment::{Moment, Spot};
use crate::setup::Setup;
use crate::state::town::Town;

/// Builds observation rows: the map, channel by channel, then the features. Shared by all towns of a batch.
#[derive(Debug)]
pub struct Observer {
    maps: MapBuilder,
    features: FeatureWriter,
}

impl Observer {
    /// Prepares layers that never change.
    #[must_use]
    pub fn new(setup: &Setup) -> Self {
        let maps = MapBuilder::new(setup);
        let features = FeatureWriter::new(setup, maps.framing.window);
        Self { maps, features }
    }

    /// Entries of one row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.maps.size() + FEATURES
    }

    /// Writes one row per seat; zeros for a free seat.
    pub fn write_rows(&self, town: &Town, setup: &Setup, rows: &mut [f32]) {
        let moment = Moment::of(town, setup);
        for (row, citizen) in rows.chunks_exact_mut(self.width()).zip(&town.seats) {
            match citizen {
                Some(citizen) => self.write(town, setup, citizen.seat as usize, &moment, row),
                None => row.fill(0.0),
            }
        }
    }

    /// Writes the row of one citizen.
    pub fn write_row(&self, town: &Town, setup: &Setup, seat: usize, row: &mut [f32]) {
        self.write(town, setup, seat, &Moment::of(town, setup), row);
    }

    fn write(&self, town: &Town, setup: &Setup, seat: usize, moment: &Moment, row: &mut [f32]) {
        let citizen = town.citizen(seat);
        let here = Spot::of(setup, citizen.tile, citizen.seat);
        let (map, features) = row.split_at_mut(self.maps.size());
        let seen = if map.is_empty() {
            let (mut agents, mut reservations) = ([0.0; AREA_WITHOUT_MAP], [0.0; AREA_WITHOUT_MAP]);
            self.maps.look(moment, here, &mut agents, &mut reservations)
        } else {
            self.maps.draw(town, setup, citizen, moment, here, map)
        };
        let features = features.try_into().expect("a row ends with the features");
        self.features.write(town, setup, citizen, moment, seen, features);
    }
}

const AREA_WITHOUT_MAP: usize = DEFAULT_WINDOW * DEFAULT_WINDOW;
