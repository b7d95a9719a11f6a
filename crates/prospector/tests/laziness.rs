//! What is drawn when it is needed is what drawing everything at the start would have given.

mod anatomy;

use anatomy::{Anatomy, Edge, words_of};
use kernel::numerics::clamp;
use kernel::pcg32::Pcg32;
use kernel::simulation::Simulation;
use proptest::prelude::*;
use prospector::{Config, Prospector};

/// A belt drawn in one go, straight from section 5 of the spec.
struct EagerBelt {
    kinds: Vec<i64>,
    hazard: Vec<f64>,
    pirate: Vec<f64>,
    edges: Vec<Vec<Edge>>,
    makeup: Vec<Vec<[f64; 9]>>,
    beliefs: Vec<Vec<[f64; 9]>>,
}

impl EagerBelt {
    fn draw(rng: &mut Pcg32) -> Self {
        let node_count = rng.randint_exclusive(8, 33) as usize;
        let mut belt = Self {
            kinds: vec![0],
            hazard: vec![0.0],
            pirate: vec![0.0],
            edges: vec![Vec::new(); node_count],
            makeup: vec![Vec::new()],
            beliefs: vec![Vec::new()],
        };
        for _ in 1..node_count {
            let is_hazard = rng.f64() < 0.25;
            let (hazard, pirate) = (rng.uniform(0.05, 0.35), rng.uniform(0.05, 0.30));
            belt.kinds.push(if is_hazard { 2 } else { 1 });
            belt.hazard.push(if is_hazard { clamp(hazard + 0.25, 0.0, 1.0) } else { hazard });
            belt.pirate.push(if is_hazard { clamp(pirate + 0.12, 0.0, 1.0) } else { pirate });
        }
        for node in 1..node_count {
            let open: Vec<usize> = (0..node).filter(|&other| belt.edges[other].len() < 6).collect();
            let parent = open[rng.randint_exclusive(0, open.len() as i64) as usize];
            belt.add_edge(node, parent, rng);
        }
        for _ in 0..node_count {
            let u = rng.randint_exclusive(0, node_count as i64) as usize;
            let v = rng.randint_exclusive(0, node_count as i64) as usize;
            let are_neighbors = belt.edges[u].iter().any(|edge| edge.neighbor == v as i64);
            if u != v && !are_neighbors && belt.edges[u].len() < 6 && belt.edges[v].len() < 6 {
                belt.add_edge(u, v, rng);
            }
        }
        for _ in 1..node_count {
            belt.add_asteroids(rng);
        }
        belt
    }

    fn add_edge(&mut self, u: usize, v: usize, rng: &mut Pcg32) {
        let ticks = rng.randint_exclusive(1, 9);
        let fuel = rng.uniform(20.0, 112.0);
        let hazard = 0.5 * (self.hazard[u] + self.hazard[v]);
        let pirate = 0.5 * (self.pirate[u] + self.pirate[v]);
        let threat = clamp(hazard + pirate + rng.normal(0.0, 0.05), 0.0, 1.0);
        self.edges[u].push(Edge { neighbor: v as i64, ticks, costs: [fuel, threat, 0.5] });
        self.edges[v].push(Edge { neighbor: u as i64, ticks, costs: [fuel, threat, 0.5] });
    }

    fn add_asteroids(&mut self, rng: &mut Pcg32) {
        let (mut makeup, mut beliefs) = (Vec::new(), Vec::new());
        for _ in 0..rng.randint_exclusive(5, 17) {
            let [a, b, c, d, e, f] = rng.dirichlet6();
            let richness = clamp(rng.lognormal(-0.2, 0.65), 0.2, 4.0);
            makeup.push([a, b, c, d, e, f, richness, rng.beta32(), rng.uniform(0.04, 0.22)]);
            let [a, b, c, d, e, f] = rng.dirichlet6();
            beliefs.push([a, b, c, d, e, f, 0.5, 0.10, 0.0]);
        }
        self.makeup.push(makeup);
        self.beliefs.push(beliefs);
    }
}

fn opened(seed: u64) -> Prospector {
    let mut world = Prospector::new(Config::default());
    world.reset(seed);
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_belt_is_what_drawing_it_in_one_go_gives(seed: u64) {
        let mut rng = Pcg32::from_seed(seed, 54);
        let eager = EagerBelt::draw(&mut rng);

        let world = opened(seed);

        let found = Anatomy::of(&world);
        prop_assert_eq!(found.kinds, eager.kinds);
        prop_assert_eq!(found.hazard, eager.hazard);
        prop_assert_eq!(found.pirate, eager.pirate);
        prop_assert_eq!(found.edges, eager.edges);
        prop_assert_eq!(found.makeup, eager.makeup);
        prop_assert_eq!(found.beliefs, eager.beliefs);
        prop_assert_eq!(world.draws(), rng.draws() + 24); // the market opens last
    }

    #[test]
    fn every_node_can_be_reached(seed: u64) {
        let parts = Anatomy::of(&opened(seed));

        prop_assert_eq!(parts.hops[0], 0);
        for (node, edges) in parts.edges.iter().enumerate().skip(1) {
            let nearest = edges.iter().map(|edge| parts.hops[edge.neighbor as usize]).min();
            prop_assert_eq!(nearest, Some(parts.hops[node] - 1));
        }
    }

    #[test]
    fn what_asteroids_are_does_not_depend_on_when_it_is_looked_at(seed: u64, actions: Vec<u8>) {
        let mut world = opened(seed);
        let at_start = Anatomy::of(&world).makeup;

        for action in actions {
            if world.step_one(i32::from(action % 69)).is_err() {
                break;
            }
        }

        prop_assert_eq!(Anatomy::of(&world).makeup, at_start);
    }

    #[test]
    fn telling_the_state_does_not_change_it(seed: u64, slot in 0..6) {
        let mut watched = opened(seed);
        let mut unwatched = watched.clone();

        for action in [slot, 8, 12, 29, 0, 0] {
            words_of(&watched);
            prop_assert_eq!(watched.step_one(action), unwatched.step_one(action));
        }

        prop_assert_eq!(words_of(&watched), words_of(&unwatched));
    }
}
