//! Who meets whom in each stage.

use crate::generation::catalogue::{Catalogue, ShipClass};
use crate::generation::draws::{Draws, Purpose};

const LINE_SHIPS: [ShipClass; 3] = [ShipClass::Cutter, ShipClass::Corvette, ShipClass::Frigate];
const PAIR_SHIPS: [ShipClass; 4] = [ShipClass::Cutter, ShipClass::Corvette, ShipClass::Frigate, ShipClass::AttackSub];
const FLEET_SHIPS: [ShipClass; 5] =
    [ShipClass::Skimmer, ShipClass::Cutter, ShipClass::Corvette, ShipClass::Frigate, ShipClass::AttackSub];
const SCREEN_SHIPS: [ShipClass; 2] = [ShipClass::Corvette, ShipClass::Frigate];
const CAPITALS: [ShipClass; 2] = [ShipClass::Dreadnought, ShipClass::Carrier];
const COST_MARGIN: f64 = 0.1;
const FLEET_TRIES: u64 = 64;
const PER_TRY: u64 = 16;

/// Classes of the two sides, in the order they line up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forces {
    /// Classes of one side.
    pub first: Vec<ShipClass>,
    /// Classes of the other.
    pub second: Vec<ShipClass>,
    /// Class of the second side that starts badly damaged.
    pub crippled: Option<ShipClass>,
}

impl Forces {
    fn of(first: Vec<ShipClass>, second: Vec<ShipClass>) -> Self {
        Self { first, second, crippled: None }
    }
}

/// Draws the two sides of a stage from 1 to 11.
#[must_use]
pub fn forces_of(draws: &Draws, catalogue: &Catalogue) -> Forces {
    match draws.stage {
        1 | 2 => Forces::of(vec![ShipClass::Corvette], vec![ShipClass::Corvette]),
        3 => Forces::of(vec![ShipClass::AttackSub], vec![ShipClass::Corvette; 2]),
        4..=6 => {
            let hull = one(draws, &LINE_SHIPS, Purpose::Forces, 0);
            Forces::of(vec![hull], vec![hull])
        }
        7 => {
            let pair: Vec<ShipClass> = (0..2).map(|index| one(draws, &PAIR_SHIPS, Purpose::Forces, index)).collect();
            Forces::of(pair.clone(), pair)
        }
        8 => convoy(draws),
        9 => {
            let first = fleet(draws, Purpose::ForcesFirst, 0, (3, 8));
            let second = match_cost(draws, &first, (3, 8), catalogue);
            Forces::of(first, second)
        }
        10 => capital(draws, catalogue),
        _ => boarding(draws),
    }
}

fn convoy(draws: &Draws) -> Forces {
    let freighters = draws.whole((2, 4), Purpose::Forces, 0) as usize;
    let escorts = draws.whole((2, 3), Purpose::Forces, 1) as usize;
    let submarines = draws.whole((1, 2), Purpose::Forces, 2) as usize;
    let mut first = vec![ShipClass::Corvette; escorts];
    first.resize(escorts + freighters, ShipClass::Freighter);
    Forces::of(first, vec![ShipClass::AttackSub; submarines])
}

fn capital(draws: &Draws, catalogue: &Catalogue) -> Forces {
    let capital = one(draws, &CAPITALS, Purpose::Forces, 0);
    let count = draws.whole((2, 4), Purpose::Forces, 1) as u64;
    let mut first: Vec<ShipClass> =
        (0..count).map(|index| one(draws, &SCREEN_SHIPS, Purpose::ForcesFirst, index)).collect();
    first.insert(first.len() / 2, capital);
    let second = match_cost(draws, &first, (5, 12), catalogue);
    Forces::of(first, second)
}

fn boarding(draws: &Draws) -> Forces {
    use ShipClass::{Arcology, AssaultTransport, Corvette, Frigate};
    if draws.whole((0, 1), Purpose::Forces, 0) == 0 {
        let target = one(draws, &CAPITALS, Purpose::Forces, 1);
        let first = vec![Corvette, AssaultTransport, AssaultTransport];
        return Forces { first, second: vec![target], crippled: Some(target) };
    }
    let first = vec![Frigate, AssaultTransport, AssaultTransport, AssaultTransport, Frigate];
    Forces { first, second: vec![Arcology], crippled: Some(Arcology) }
}

fn one(draws: &Draws, classes: &[ShipClass], purpose: Purpose, index: u64) -> ShipClass {
    classes[draws.whole((0, classes.len() as i64 - 1), purpose, index) as usize]
}

fn fleet(draws: &Draws, purpose: Purpose, attempt: u64, size: (i64, i64)) -> Vec<ShipClass> {
    let base = attempt * PER_TRY;
    let count = draws.whole(size, purpose, base) as u64;
    (0..count).map(|index| one(draws, &FLEET_SHIPS, purpose, base + 1 + index)).collect()
}

/// Draws fleets until one costs what the other side does, within a tenth; else mirrors that side.
fn match_cost(draws: &Draws, against: &[ShipClass], size: (i64, i64), catalogue: &Catalogue) -> Vec<ShipClass> {
    let cost = fleet_cost(against, catalogue);
    (0..FLEET_TRIES)
        .map(|attempt| fleet(draws, Purpose::ForcesSecond, attempt, size))
        .find(|fleet| (fleet_cost(fleet, catalogue) - cost).abs() <= COST_MARGIN * cost)
        .unwrap_or_else(|| against.to_vec())
}

fn fleet_cost(classes: &[ShipClass], catalogue: &Catalogue) -> f64 {
    classes.iter().fold(0.0, |sum, &class| sum + catalogue.unit(class).hull.cost)
}
