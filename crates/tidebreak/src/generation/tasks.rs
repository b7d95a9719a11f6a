//! Objectives and damage that make a stage what it is.

use crate::codes::size_class;
use crate::generation::catalogue::{Catalogue, ShipClass};
use crate::generation::draws::{Draws, Purpose};
use crate::generation::lineup::{Axis, Ship};

const FAR_END_M: f64 = 7000.0;
const CRIPPLED_HP_L: (f64, f64) = (0.3, 0.45);
const CRIPPLED_HP_XL: (f64, f64) = (0.6, 0.9);
const CRIPPLED_WEAPONS: (f64, f64) = (0.1, 0.4);
const CRIPPLED_PROPULSION: f64 = 0.05;

/// What a generated ship is told to do; ships are named by their place in the package.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Task {
    /// PROTECT this ship.
    Escort {
        /// Its place in the package.
        asset: usize,
    },
    /// EVADE to this position.
    Pass {
        /// East.
        x: f64,
        /// North.
        y: f64,
    },
    /// RAID.
    Raid,
    /// CAPTURE this ship.
    Board {
        /// Its place in the package.
        target: usize,
    },
}

/// Damage from before the battle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damage {
    /// Hit points left.
    pub hp: f64,
    /// Fraction of the propulsion.
    pub propulsion: f64,
    /// Fraction of the weapons.
    pub weapons: f64,
}

/// Freighters make for the far end, escorts protect them in turn, submarines raid; escorts line up before freighters.
pub fn give_convoy_orders(ships: &mut [Ship], axis: &Axis) {
    let is_freighter = |ship: &Ship| ship.class == ShipClass::Freighter;
    let freighters: Vec<usize> = (0..ships.len()).filter(|&place| is_freighter(&ships[place])).collect();
    let (x, y) = axis.point(FAR_END_M, 0.0);
    for (place, ship) in ships.iter_mut().enumerate() {
        ship.task = Some(match (ship.side, is_freighter(ship)) {
            (0, false) => Task::Escort { asset: freighters[place % freighters.len()] },
            (0, true) => Task::Pass { x, y },
            _ => Task::Raid,
        });
    }
}

/// Transports are to take the crippled hull.
pub fn give_boarding_orders(ships: &mut [Ship], crippled: ShipClass) {
    let Some(target) = ships.iter().position(|ship| ship.side == 1 && ship.class == crippled) else { return };
    for ship in ships.iter_mut().filter(|ship| ship.class == ShipClass::AssaultTransport) {
        ship.task = Some(Task::Board { target });
    }
}

/// Takes away hit points, way and most of the guns' strength.
pub fn cripple(ship: &mut Ship, draws: &Draws, catalogue: &Catalogue) {
    let hull = &catalogue.unit(ship.class).hull;
    let left = if hull.size == size_class::L { CRIPPLED_HP_L } else { CRIPPLED_HP_XL };
    ship.damage = Some(Damage {
        hp: hull.hp_max * draws.between(left, Purpose::Damage, 0),
        propulsion: CRIPPLED_PROPULSION,
        weapons: draws.between(CRIPPLED_WEAPONS, Purpose::Damage, 1),
    });
    ship.speed = 0.0;
}
