//! The observation, entry by entry: map channels of each variant, and the 128 features.

use crate::config::features::ObservationVariant;
use crate::setup::Setup;

/// Citizens shown in the social block.
pub const SOCIAL_SLOTS: usize = 4;
/// Numbers per citizen of the social block: identity vector, trust, familiarity, rivalry.
pub const SOCIAL_WIDTH: usize = 11;
/// Numbers of the social block.
pub const SOCIAL_SIZE: usize = SOCIAL_SLOTS * SOCIAL_WIDTH + 4;
/// Side of what is counted around a citizen when there is no map.
pub const DEFAULT_WINDOW: usize = 7;
/// Number of features.
pub const FEATURES: usize = 128;

/// Where the blocks of features begin.
pub mod place {
    #![expect(missing_docs, reason = "a place is its name")]
    pub const NEEDS: usize = 0;
    pub const WALLET: usize = 3;
    pub const LATENESS: usize = 4;
    pub const ON_SHIFT: usize = 5;
    pub const TIME: usize = 6;
    pub const ATTENDANCE: usize = 8;
    pub const WITHHELD: usize = 9;
    pub const SHIFT: usize = 10;
    pub const SLOT: usize = 15;
    pub const CTX_RESET: usize = 16;
    pub const PROGRESS: usize = 17;
    pub const RIVALRIES: usize = 18;
    pub const LAST_ACTION: usize = 20;
    pub const HOLDING: usize = 23;
    pub const QUEUED: usize = 24;
    pub const PATH_HINTS: usize = 25;
    pub const SURROUNDINGS: usize = 29;
    pub const OPTION: usize = 33;
    pub const UTILITIES: usize = 41;
    pub const PRICES: usize = 43;
    pub const SUPPLIES: usize = 45;
    pub const ARREARS: usize = 47;
    pub const EXIT_PENDING: usize = 48;
    pub const LANDMARKS: usize = 49;
    pub const TRAITS: usize = 70;
    pub const SOCIAL: usize = 73;
    pub const AFFORDANCE: usize = 121;
    pub const QUEUE_PLACE: usize = 122;
    pub const COMMITMENT: usize = 123;
    pub const RIVAL_AT_HAND: usize = 124;
    pub const TICKS_TO_SHIFT: usize = 125;
    pub const APPOINTMENT: usize = 126;
    pub const CITY_EVENT: usize = 127;
}

/// One layer of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Where the citizen stands: the center.
    Own,
    /// Tiles others stand on.
    Agents,
    /// What there is, and whether it can be used.
    Objects,
    /// What is held, and where people wait.
    Reservations,
    /// The way to the goal, eastward.
    PathDx,
    /// The way to the goal, southward.
    PathDy,
    /// Where one could stand.
    Walkable,
    /// Objects of one type, by its index.
    OfType(i64),
}

const BASE: [Channel; 4] = [Channel::Own, Channel::Agents, Channel::Objects, Channel::Reservations];

/// Channels of the configured variant, none without a map.
#[must_use]
pub fn map_channels(setup: &Setup) -> Vec<Channel> {
    let mut channels = BASE.to_vec();
    match setup.config.features.systems.observations {
        ObservationVariant::Hybrid => {}
        ObservationVariant::Full => channels.extend([Channel::PathDx, Channel::PathDy]),
        ObservationVariant::Compact => {
            let compact = &setup.config.observations.compact;
            if compact.map_window == 0 {
                return Vec::new();
            }
            channels.push(Channel::Walkable);
            channels.extend(compact.object_channels.iter().map(|name| Channel::OfType(setup.tables.type_index(name))));
        }
    }
    channels
}

/// Side of the window around a citizen, also of what features count in it.
#[must_use]
pub fn window_of(setup: &Setup) -> usize {
    let rule = &setup.config.observations;
    match (setup.config.features.systems.observations, rule.compact.map_window) {
        (ObservationVariant::Compact, 0) => DEFAULT_WINDOW,
        (ObservationVariant::Compact, window) => window as usize,
        _ => rule.local_window as usize,
    }
}
