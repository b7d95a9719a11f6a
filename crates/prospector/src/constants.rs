//! Every number of the belt's rules. Fuel, hull, heat, tool, alert and cargo are in their own units; time is in ticks.
#![allow(missing_docs, reason = "the names are those of the spec and of the readable tier")]

// Sizes
pub const N_COMMODITIES: usize = 6;
pub const MAX_NODES: usize = 32;
pub const MAX_NEIGHBORS: usize = 6;
pub const MAX_ASTEROIDS: usize = 16;

// Random numbers
pub const RNG_STREAM: u64 = 54;
pub const SMALLEST_UNIT: f64 = 1e-8; // draws that go into a logarithm are raised to this

// What the ship holds
pub const FUEL_MAX: f64 = 1000.0;
pub const HULL_MAX: f64 = 100.0;
pub const HEAT_MAX: f64 = 100.0;
pub const TOOL_MAX: f64 = 100.0;
pub const ALERT_MAX: f64 = 100.0;
pub const CARGO_MAX: f64 = 200.0; // units of all commodities together
pub const SUPPLIES_MAX: u8 = 12; // repair kits, and likewise stabilizers and decoys
pub const REPAIR_KITS_AT_START: u8 = 3;
pub const STABILIZERS_AT_START: u8 = 2;
pub const DECOYS_AT_START: u8 = 1;

// Nodes
pub const STATION: u8 = 0;
pub const NODES_MIN: usize = 8;
pub const HAZARD_NODE_CHANCE: f64 = 0.25;
pub const HAZARD_RANGE: (f64, f64) = (0.05, 0.35);
pub const PIRATE_RANGE: (f64, f64) = (0.05, 0.30);
pub const HAZARD_NODE_EXTRA_HAZARD: f64 = 0.25;
pub const HAZARD_NODE_EXTRA_PIRATE: f64 = 0.12;

// Edges
pub const TRAVEL_TICKS_MIN: u8 = 1;
pub const TRAVEL_TICKS_MAX: u8 = 8;
pub const TRAVEL_FUEL_RANGE: (f64, f64) = (20.0, 112.0);
pub const THREAT_SIGMA: f64 = 0.05;
pub const THREAT_ESTIMATE_AT_START: f64 = 0.5;

// Asteroids
pub const ASTEROIDS_MIN: usize = 5;
pub const RICHNESS_MU: f64 = -0.2;
pub const RICHNESS_SIGMA: f64 = 0.65;
pub const RICHNESS_RANGE: (f64, f64) = (0.2, 4.0);
pub const SCAN_NOISE_RANGE: (f64, f64) = (0.04, 0.22);
pub const STABILITY_ESTIMATE_AT_START: f64 = 0.5;
pub const SCAN_CONF_AT_START: f64 = 0.10;

// Market: prices in credits per unit, one entry per commodity
pub const PRICE_BASE: [f64; N_COMMODITIES] = [45.0, 55.0, 85.0, 145.0, 210.0, 120.0];
pub const PRICE_MIN: [f64; N_COMMODITIES] = [12.0, 15.0, 20.0, 50.0, 80.0, 30.0];
pub const PRICE_MAX: [f64; N_COMMODITIES] = [180.0, 200.0, 240.0, 320.0, 420.0, 300.0];
pub const INVENTORY_RANGE: (f64, f64) = (20.0, 120.0);
pub const PERIOD_RANGE_TICKS: (f64, f64) = (180.0, 380.0);
pub const AMPLITUDE_SHARE_RANGE: (f64, f64) = (0.10, 0.30); // of the base price
pub const INVENTORY_PRESSURE: f64 = 0.04; // credits per unit in stock
pub const SALES_PRESSURE: f64 = 0.05; // credits per unit sold recently
pub const PRICE_NOISE_SHARE: f64 = 0.03; // of the base price, per square root of a tick
pub const SALES_MEMORY_TICKS: f64 = 14.0;
pub const INVENTORY_RETENTION_PER_TICK: f64 = 0.998;
pub const SLIPPAGE_LINEAR: f64 = 0.25;
pub const SLIPPAGE_ROOT: f64 = 0.20;
pub const SLIPPAGE_MAX: f64 = 0.70;

// Heat
pub const PASSIVE_COOLING_PER_TICK: f64 = 2.5;
pub const OVERHEAT_HULL_PER_HEAT: f64 = 1.25;

// Hazards, per tick and unit of intensity
pub const HAZARD_HULL: f64 = 0.7;
pub const HAZARD_HEAT: f64 = 0.5;
pub const HAZARD_ALERT: f64 = 0.8;
pub const EDGE_DAMAGE_SPREAD: (f64, f64) = (0.85, 1.15);
pub const NODE_DAMAGE_SPREAD: (f64, f64) = (0.8, 1.2);

// Pirates
pub const PIRATE_BIAS: f64 = -4.0;
pub const PIRATE_PER_INTENSITY: f64 = 3.0;
pub const PIRATE_PER_ALERT: f64 = 2.2;
pub const PIRATE_PER_LOG_VALUE: f64 = 0.8;
pub const PIRATE_VALUE_SCALE: f64 = 1000.0; // credits
pub const PIRATE_ESCAPE_RELIEF: f64 = 2.8;
pub const PIRATE_LOSS_RANGE: (f64, f64) = (0.08, 0.20); // share of the hold
pub const PIRATE_HULL_RANGE: (f64, f64) = (1.0, 4.0);
pub const PIRATE_ALERT: f64 = 8.0;
pub const DECOY_CHANCE: f64 = 0.6;
pub const DECOY_LOSS_FACTOR: f64 = 0.3;

// Navigation
pub const LOAD_FUEL_FACTOR: f64 = 0.5; // a full hold burns half as much again
pub const HOLD_TICKS: u8 = 1;
pub const HOLD_ALERT_RELIEF: f64 = 3.0;
pub const HOLD_COOLING: f64 = 2.5;
pub const BURN_TICKS: u8 = 1;
pub const BURN_FUEL: f64 = 18.0;
pub const BURN_ALERT: f64 = 10.0;
pub const ESCAPE_TICKS: u8 = 4;

// Listening and selecting
pub const LISTEN_TICKS: u8 = 2;
pub const LISTEN_SIGMA: f64 = 0.08;
pub const LISTEN_BLEND: f64 = 0.75;
pub const SELECT_TICKS: u8 = 1;

// Scanning
pub const SCAN_CONF_OFFSET: f64 = 0.1; // a fully trusted estimate still errs a little

// Mining
pub const MINE_TICKS: u8 = 1;
pub const TOOL_EFFICIENCY_FLOOR: f64 = 0.4;
pub const TOOL_EFFICIENCY_SPAN: f64 = 0.6;
pub const HOT_DRILL_FROM: f64 = 0.7; // share of the heat limit
pub const HOT_DRILL_SPAN: f64 = 0.3;
pub const HOT_DRILL_EFFICIENCY_FLOOR: f64 = 0.1;
pub const HEAT_FRACTION_CAP: f64 = 2.0;
pub const DEPLETION_PER_UNIT: f64 = 0.01;
pub const FRACTURE_BIAS: f64 = -3.1;
pub const FRACTURE_PER_INSTABILITY: f64 = 2.5;
pub const FRACTURE_PER_HEAT: f64 = 2.2;
pub const FRACTURE_PER_WEAR: f64 = 1.5;
pub const FRACTURE_STABILIZER_RELIEF: f64 = 1.1;
pub const FRACTURE_HULL: f64 = 12.0;
pub const FRACTURE_SEVERITY_RANGE: (f64, f64) = (0.5, 1.0);
pub const FRACTURE_HAZARD: f64 = 0.1;
pub const STABILIZE_TICKS: u8 = 2;
pub const STABILIZED_TICKS: u8 = 6;

// Refining
pub const REFINE_TICKS: u8 = 2;
pub const REFINE_FUEL: f64 = 4.0;
pub const REFINE_HEAT: f64 = 6.0;
pub const REFINE_ALERT: f64 = 3.0;
pub const REFINE_INPUT_SHARE: f64 = 0.15;
pub const REFINE_KEPT_SHARE: f64 = 0.85;
pub const REFINE_YIELD: f64 = 0.65;
pub const REFINE_INPUTS: [usize; 2] = [0, 1]; // iron and nickel
pub const REFINE_OUTPUT: usize = 4; // rare isotopes

// Survival and maintenance
pub const COOLDOWN_TICKS: u8 = 2;
pub const COOLDOWN_FUEL: f64 = 2.0;
pub const COOLDOWN_HEAT: f64 = 20.0;
pub const COOLDOWN_ALERT: f64 = 1.0;
pub const REPAIR_TICKS: u8 = 2;
pub const TOOL_PER_KIT: f64 = 25.0;
pub const HULL_PER_KIT: f64 = 20.0;
pub const JETTISON_TICKS: u8 = 1;
pub const JETTISON_ALERT_RELIEF: f64 = 8.0;

// Station: costs in credits
pub const DOCK_TICKS: u8 = 1;
pub const DOCK_ALERT_RELIEF: f64 = 20.0;
pub const SELL_TICKS: u8 = 1;
pub const SELL_SHARES: [f64; 3] = [0.25, 0.50, 1.00];
pub const BUY_TICKS: u8 = 1;
pub const FUEL_COSTS: [f64; 3] = [60.0, 120.0, 210.0];
pub const FUEL_PORTIONS: [f64; 3] = [120.0, 260.0, 480.0];
pub const REPAIR_KIT_COST: f64 = 150.0;
pub const STABILIZER_COST: f64 = 175.0;
pub const DECOY_COST: f64 = 110.0;
pub const OVERHAUL_TICKS: u8 = 3;
pub const OVERHAUL_COST: f64 = 280.0;
pub const CASH_OUT_TICKS: u8 = 1;

// Scales of the observation
pub const CREDITS_CAP: f64 = 1e7;
pub const NODE_INDEX_SCALE: f64 = 31.0;
pub const HOPS_SCALE: f64 = 31.0;
pub const TRAVEL_TICKS_SCALE: f64 = 8.0;
pub const TRAVEL_FUEL_SCALE: f64 = 160.0;
pub const PRICE_DELTA_SCALE: f64 = 100.0;
pub const INVENTORY_SCALE: f64 = 500.0;

// Reward v1
pub const CREDITS_UNIT: f64 = 1000.0;
pub const EXTRACT_WEIGHT: f64 = 0.02;
pub const FUEL_WEIGHT: f64 = -0.10;
pub const FUEL_UNIT: f64 = 100.0;
pub const TIME_WEIGHT: f64 = -0.001;
pub const WEAR_WEIGHT: f64 = -0.05;
pub const WEAR_UNIT: f64 = 10.0;
pub const HEAT_WEIGHT: f64 = -0.20;
pub const HEAT_FREE: f64 = 70.0;
pub const HEAT_UNIT: f64 = 100.0;
pub const DAMAGE_WEIGHT: f64 = -1.00;
pub const DAMAGE_UNIT: f64 = 10.0;
pub const SCAN_TERM: f64 = -0.005;
pub const PIRATE_WEIGHT: f64 = -1.00;
pub const STRANDED_TERM: f64 = -50.0;
pub const DESTROYED_TERM: f64 = -100.0;
pub const BANKED_WEIGHT: f64 = 0.002;

// Reward v2
pub const V2_ORE_WEIGHT: f64 = 0.5;
pub const V2_TIME_WEIGHT: f64 = -0.0002;
pub const V2_DAMAGE_WEIGHT: f64 = -0.001;
pub const V2_STRANDED_TERM: f64 = -5.0;
pub const V2_DESTROYED_TERM: f64 = -10.0;
