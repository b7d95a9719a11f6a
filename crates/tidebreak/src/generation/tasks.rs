//! Objectives and damage that make a stage what it is.

use crate::codes::{size_class, weapon_group};
use crate::generation::catalogue::{Catalogue, ShipClass};
use crate::generation::draws::{Draws, Purpose};
use crate::generation::lineup::{Axis, Ship};
use crate::records::{ResolvedMount, UNLIMITED};

const FAR_END_M: f64 = 7000.0;
const CRIPPLED_HP_L: (f64, f64) = (0.5, 0.7);
const CRIPPLED_HP_XL: (f64, f64) = (0.6, 0.9);
const WEAPONS_LEFT: (f64, f64) = (0.1, 0.4);
const PROPULSION_LEFT: f64 = 0.05;
/// Compartments that the engines of a capital live in.
const WRECKED_AFT: [usize; 3] = [5, 6, 7];
const AFT_LEFT: (f64, f64) = (0.05, 0.2);
const CREW_LEFT: (f64, f64) = (0.4, 0.7);
/// At most, in a mount.
const SALVOS_LEFT_L: i64 = 6;
const SALVOS_LEFT_XL: i64 = 30;
const WINGS_LEFT: i64 = 1;
const FIRST_AFT_DRAW: u64 = 2;
const CREW_DRAW: u64 = 8;
const FIRST_MOUNT_DRAW: u64 = 16;

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
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// Hit points left.
    pub hp: f64,
    /// Fraction of the propulsion.
    pub propulsion: f64,
    /// Fraction of the weapons.
    pub weapons: f64,
    /// Compartments and what is left of them.
    pub wrecked: Vec<(usize, f64)>,
    /// People aboard.
    pub crew: i64,
    /// Rounds in each mount; those that fire by themselves are full.
    pub rounds: Vec<i64>,
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

/// Leaves a hull that can be boarded: slow for good, its guns weak and short of rounds, a capital's crew thinned.
pub fn cripple(ship: &mut Ship, draws: &Draws, catalogue: &Catalogue) {
    let unit = catalogue.unit(ship.class);
    let is_capital = unit.hull.size == size_class::L;
    let (hp_left, salvos) = if is_capital { (CRIPPLED_HP_L, SALVOS_LEFT_L) } else { (CRIPPLED_HP_XL, SALVOS_LEFT_XL) };
    let crew = unit.crew.crew_start;
    let aft = |(place, &part): (usize, &usize)| {
        (part, draws.between(AFT_LEFT, Purpose::Damage, FIRST_AFT_DRAW + place as u64))
    };
    ship.damage = Some(Damage {
        hp: unit.hull.hp_max * draws.between(hp_left, Purpose::Damage, 0),
        propulsion: PROPULSION_LEFT,
        weapons: draws.between(WEAPONS_LEFT, Purpose::Damage, 1),
        wrecked: if is_capital { WRECKED_AFT.iter().enumerate().map(aft).collect() } else { Vec::new() },
        crew: if is_capital {
            (crew as f64 * draws.between(CREW_LEFT, Purpose::Damage, CREW_DRAW)) as i64
        } else {
            crew
        },
        rounds: unit.mounts.iter().map(|mount| rounds_left(mount, salvos, draws, catalogue)).collect(),
    });
    ship.speed = 0.0;
}

fn rounds_left(mount: &ResolvedMount, salvos: i64, draws: &Draws, catalogue: &Catalogue) -> i64 {
    if catalogue.tables.weapons[mount.weapon].group == weapon_group::AUTOMATIC {
        return mount.ammo_max;
    }
    let most = if mount.ammo_max == UNLIMITED { WINGS_LEFT } else { mount.ammo_max.min(salvos) };
    draws.whole((0, most), Purpose::Damage, FIRST_MOUNT_DRAW + mount.slot as u64)
}
