//! A state taken apart in the order of its words.
#![allow(dead_code, reason = "not every test file looks at every part")]

use kernel::simulation::Simulation;
use kernel::state_hash::{WordReader, WordWriter};
use prospector::Prospector;

const SLOTS: usize = 6;
const SUPPLIES_AND_BUFFS: usize = 20;

/// One way out of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub neighbor: i64,
    pub ticks: i64,
    /// Fuel, threat, threat estimate.
    pub costs: [f64; 3],
}

/// The parts of a state that tests look at; lists are per node, in index order.
pub struct Anatomy {
    pub node: i64,
    pub selection: i64,
    pub kinds: Vec<i64>,
    pub hazard: Vec<f64>,
    pub pirate: Vec<f64>,
    pub hops: Vec<i64>,
    /// Slots in use.
    pub edges: Vec<Vec<Edge>>,
    /// Per asteroid: composition, richness, stability, noise.
    pub makeup: Vec<Vec<[f64; 9]>>,
    /// Per asteroid: estimated composition and stability, confidence, depletion.
    pub beliefs: Vec<Vec<[f64; 9]>>,
    /// Fuel, hull, heat, tool, alert, credits.
    pub ship: [f64; 6],
    pub cargo: [f64; 6],
    pub price: [f64; 6],
    pub inventory: [f64; 6],
}

pub fn words_of(world: &Prospector) -> Vec<u64> {
    let mut words = WordWriter::new();
    world.write_words(&mut words);
    words.into_words()
}

impl Anatomy {
    pub fn of(world: &Prospector) -> Self {
        let words = words_of(world);
        let mut words = WordReader::new(&words);
        for _ in 0..7 {
            words.unsigned().unwrap(); // generator, draws, seed, ticks, time remaining, is over
        }
        let node_count = words.signed().unwrap() as usize;
        let node = words.signed().unwrap();
        let selection = words.signed().unwrap();
        let (mut kinds, mut hazard, mut pirate, mut hops) = (vec![], vec![], vec![], vec![]);
        for _ in 0..node_count {
            kinds.push(words.signed().unwrap());
            hazard.push(words.float().unwrap());
            pirate.push(words.float().unwrap());
            hops.push(words.signed().unwrap());
        }
        let edges = (0..node_count).map(|_| read_edges(&mut words)).collect();
        let makeup: Vec<Vec<[f64; 9]>> = (0..node_count)
            .map(|_| {
                let count = words.signed().unwrap();
                (0..count).map(|_| words.floats().unwrap()).collect()
            })
            .collect();
        let beliefs =
            makeup.iter().map(|asteroids| asteroids.iter().map(|_| words.floats().unwrap()).collect()).collect();
        let (ship, cargo) = (words.floats().unwrap(), words.floats().unwrap());
        for _ in 0..SUPPLIES_AND_BUFFS {
            words.unsigned().unwrap();
        }
        let price = words.floats().unwrap();
        words.floats::<6>().unwrap(); // previous prices
        let inventory = words.floats().unwrap();
        Self { node, selection, kinds, hazard, pirate, hops, edges, makeup, beliefs, ship, cargo, price, inventory }
    }
}

fn read_edges(words: &mut WordReader<'_>) -> Vec<Edge> {
    let mut slots = Vec::new();
    for _ in 0..SLOTS {
        let edge =
            Edge { neighbor: words.signed().unwrap(), ticks: words.signed().unwrap(), costs: words.floats().unwrap() };
        slots.push(edge);
    }
    slots.retain(|edge| edge.neighbor >= 0);
    slots
}
