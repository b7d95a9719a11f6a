//! A unit that senses, and what all who sense share.

use morphospace::constants::{SEDIMENT, SMOKE};

use super::pairs::has_electronics;
use super::presence::Presence;
use crate::codes::layer;
use crate::draws::{Drawer, Stream};
use crate::records::ResolvedSensors;
use crate::state::Battle;

const LAYERS: usize = 3;

/// What is the same for all who sense in one tick.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    excess_luck: Drawer,
    measurement_luck: Drawer,
    has_smoke: bool,
    silted_layers: u8,
}

impl Conditions {
    /// Of this tick.
    #[must_use]
    pub fn of(battle: &Battle) -> Self {
        let is_anywhere = |field: usize, layer: usize| battle.rules().fields && !battle.fields.is_at_rest(field, layer);
        Self {
            excess_luck: Drawer::of_stream(battle, Stream::SensorExcess),
            measurement_luck: Drawer::of_stream(battle, Stream::Measurement),
            has_smoke: is_anywhere(SMOKE, layer::SURFACE as usize),
            silted_layers: (0..LAYERS).fold(0, |bits, layer| bits | u8::from(is_anywhere(SEDIMENT, layer)) << layer),
        }
    }
}

/// A unit that senses, with what all its pairs share.
#[derive(Clone, Copy, Debug)]
pub struct Observer<'a> {
    /// Where it fights.
    pub battle: &'a Battle,
    /// The unit as others sense it.
    pub own: &'a Presence,
    /// What it senses with.
    pub sensors: &'a ResolvedSensors,
    /// Whether its receiver hears radars and links.
    pub can_receive: bool,
    /// Local rules of its layer, by `modality`.
    pub sensor_db: &'a [f64; 6],
    /// Whether there is smoke anywhere.
    pub has_smoke: bool,
    /// Bits of the layers in which there is sediment anywhere.
    pub silted_layers: u8,
    /// Luck of its excesses.
    pub excess_luck: Drawer,
    /// Luck of its measurements.
    pub measurement_luck: Drawer,
}

impl<'a> Observer<'a> {
    /// A unit that looks around; `own` is how others sense it.
    #[inline]
    #[must_use]
    pub fn of(battle: &'a Battle, conditions: &Conditions, place: usize, own: &'a Presence) -> Self {
        let unit = &battle.units[place];
        let sensors = &unit.spec.sensors;
        Self {
            battle,
            own,
            sensors,
            can_receive: own.layer == layer::SURFACE && sensors.radar_range_m.is_some() && has_electronics(unit),
            sensor_db: &battle.map().layers[own.layer as usize].sensor_db,
            has_smoke: conditions.has_smoke,
            silted_layers: conditions.silted_layers,
            excess_luck: conditions.excess_luck.about(own.id),
            measurement_luck: conditions.measurement_luck.about(own.id),
        }
    }
}
