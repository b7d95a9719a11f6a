//! Compartments of tier-2 hulls: where a hit lands, which systems live there, how fire and water spread.

use kernel::numerics::{PI, fmax, fmin};

use crate::components::Compartment;
use crate::state::Unit;

/// Compartments of an L hull.
pub const HULL_COMPARTMENTS: usize = 8;
/// Districts of an XL hull.
pub const DISTRICTS: usize = 12;
/// Upper city, lower decks, CIC tower, government seat; from index 8 on.
pub const INNER_DISTRICTS: usize = 4;
/// Probability that a hit on an XL hull lands in an inner district.
pub const INNER_CHANCE: f64 = 0.2;
const BOW: usize = 0;
const STERN: usize = 7;

/// A host with more water than this carries nothing.
const DROWNED_FROM: f64 = 0.8;
const HOST_LEAST: f64 = 0.1;
const BREACH_FLOOD_PER_TICK: f64 = 0.01;
const FIRE_SPREADS_FROM: f64 = 0.5;
const FIRE_SPREAD: f64 = 0.01;
const FLOOD_SPREADS_FROM: f64 = 0.7;
const FLOOD_SPREAD: f64 = 0.006;

/// Host compartments of one system with their weights.
type Hosts = &'static [(usize, f64)];

const SIXTH: f64 = 1.0 / 6.0;
const SIDES: Hosts = &[(1, SIXTH), (2, SIXTH), (3, SIXTH), (4, SIXTH), (5, SIXTH), (6, SIXTH)];
/// By `System`.
const HULL_HOSTS: [Hosts; 5] = [
    &[(5, 0.25), (6, 0.25), (7, 0.5)],
    &[(0, 0.2), (1, 0.2), (2, 0.2), (3, 0.1), (4, 0.1), (5, 0.1), (6, 0.1)],
    &[(0, 0.3), (3, 0.35), (4, 0.35)],
    &[(3, 0.3), (4, 0.3), (7, 0.4)],
    SIDES,
];
/// By `System`.
const DISTRICT_HOSTS: [Hosts; 5] = [&[(7, 0.5), (9, 0.5)], SIDES, &[(10, 0.7), (0, 0.3)], &[(9, 0.6), (7, 0.4)], SIDES];
const HULL_DOORS: usize = 11;
/// Doors of an L hull, then those that districts add.
const DOORS: [(usize, usize); 20] = [
    (0, 1),
    (0, 2),
    (1, 2),
    (1, 3),
    (2, 4),
    (3, 4),
    (3, 5),
    (4, 6),
    (5, 6),
    (5, 7),
    (6, 7),
    (8, 3),
    (8, 4),
    (8, 10),
    (8, 11),
    (9, 5),
    (9, 6),
    (9, 7),
    (9, 3),
    (9, 4),
];

/// Which of the eight outer compartments a hit from this relative bearing lands in; port is positive.
#[must_use]
pub fn struck_compartment(bearing: f64) -> usize {
    let off_bow = bearing.abs();
    if off_bow < PI / 8.0 {
        return BOW;
    }
    if off_bow > 7.0 * PI / 8.0 {
        return STERN;
    }
    let pair = if off_bow < 3.0 * PI / 8.0 {
        0
    } else if off_bow < 5.0 * PI / 8.0 {
        1
    } else {
        2
    };
    2 * pair + if bearing > 0.0 { 1 } else { 2 }
}

/// What a system can give: its fraction, on tier-2 hulls at most what the compartments it lives in allow.
#[inline]
#[must_use]
pub fn usable(unit: &Unit, system: usize) -> f64 {
    let fraction = unit.hull.systems[system];
    if unit.compartments.is_empty() {
        return fraction;
    }
    let hosts = if unit.compartments.len() == HULL_COMPARTMENTS { &HULL_HOSTS } else { &DISTRICT_HOSTS };
    let mut cap = 0.0;
    for &(index, weight) in hosts[system] {
        cap += weight * host_value(&unit.compartments[index]);
    }
    fmin(fraction, cap)
}

/// Takes a hit's share of the hull from one compartment; at nothing it is breached.
pub fn lose_integrity(unit: &mut Unit, index: usize, effective: f64) {
    let loss = effective * unit.compartments.len() as f64 / unit.spec.hull.hp_max;
    let compartment = &mut unit.compartments[index];
    compartment.integrity = fmax(0.0, compartment.integrity - loss);
    if compartment.integrity == 0.0 {
        compartment.breached = true;
    }
}

/// Lets breached compartments take water, and fire and water pass the doors, all from the values as they stand.
pub fn spread_fire_and_flood(unit: &mut Unit) {
    let leak = 1.0 - unit.spec.hull.bulkhead;
    let count = unit.compartments.len();
    let mut fires = [0.0; DISTRICTS];
    let mut floods = [0.0; DISTRICTS];
    for (place, compartment) in unit.compartments.iter_mut().enumerate() {
        fires[place] = compartment.fire;
        floods[place] = compartment.flood;
        if compartment.breached {
            compartment.flood += BREACH_FLOOD_PER_TICK;
        }
    }
    let doors = if count == HULL_COMPARTMENTS { &DOORS[..HULL_DOORS] } else { &DOORS[..] };
    for &(one, other) in doors {
        for (here, there) in [(one, other), (other, one)] {
            if fires[here] > FIRE_SPREADS_FROM {
                unit.compartments[there].fire += FIRE_SPREAD * fires[here] * leak;
            }
            if floods[here] > FLOOD_SPREADS_FROM {
                unit.compartments[there].flood += FLOOD_SPREAD * floods[here] * leak;
            }
        }
    }
    for compartment in &mut unit.compartments {
        compartment.fire = fmin(compartment.fire, 1.0);
        compartment.flood = fmin(compartment.flood, 1.0);
    }
}

/// Sets the hull's fire and flood to the means of its compartments.
pub fn average_over_compartments(unit: &mut Unit) {
    let mut fire = 0.0;
    let mut flood = 0.0;
    for compartment in &unit.compartments {
        fire += compartment.fire;
        flood += compartment.flood;
    }
    let count = unit.compartments.len() as f64;
    unit.hull.fire = fire / count;
    unit.hull.flood = flood / count;
}

fn host_value(compartment: &Compartment) -> f64 {
    if compartment.flood > DROWNED_FROM { 0.0 } else { fmax(compartment.integrity, HOST_LEAST) }
}
