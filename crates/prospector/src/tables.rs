//! The layout of `prospector-v1` on the native side: what the readable tier's contract says, name by name.

/// Entries of an observation row.
pub const OBS_DIM: usize = 260;
/// Actions.
pub const N_ACTIONS: usize = 69;
/// Metrics.
pub const N_METRICS: usize = 13;

/// Index of each observation entry, or of the first entry of a block.
#[allow(missing_docs, reason = "the names are those of the contract")]
pub mod obs {
    pub const FUEL_FRAC: usize = 0;
    pub const HULL_FRAC: usize = 1;
    pub const HEAT_FRAC: usize = 2;
    pub const TOOL_FRAC: usize = 3;
    pub const CARGO_LOAD_FRAC: usize = 4;
    pub const ALERT_FRAC: usize = 5;
    pub const TIME_FRAC: usize = 6;
    pub const CREDITS_LOG_NORM: usize = 7;
    pub const CARGO_BY_COMMODITY_FRAC: usize = 8;
    pub const REPAIR_KITS_NORM: usize = 14;
    pub const STABILIZERS_NORM: usize = 15;
    pub const DECOYS_NORM: usize = 16;
    pub const AT_STATION_FLAG: usize = 17;
    pub const MINING_ACTIVE_FLAG: usize = 18;
    pub const CURRENT_NODE_TYPE_ONEHOT: usize = 19;
    pub const CURRENT_NODE_INDEX_NORM: usize = 22;
    pub const STEPS_TO_STATION_NORM: usize = 23;
    pub const NEIGHBORS: usize = 24;
    pub const RESERVED: usize = 66;
    pub const ASTEROIDS: usize = 68;
    pub const PRICE_NORM: usize = 244;
    pub const PRICE_DELTA_NORM: usize = 250;
    pub const STATION_INVENTORY_NORM: usize = 256;
}

/// Offset of each entry inside the block of one neighbor slot.
#[allow(missing_docs, reason = "the names are those of the contract")]
pub mod neighbor_obs {
    pub const VALID: usize = 0;
    pub const TYPE_ONEHOT: usize = 1;
    pub const TRAVEL_TIME_NORM: usize = 4;
    pub const TRAVEL_FUEL_COST_NORM: usize = 5;
    pub const THREAT_NORM: usize = 6;
    pub const SIZE: usize = 7;
}

/// Offset of each entry inside the block of one asteroid slot.
#[allow(missing_docs, reason = "the names are those of the contract")]
pub mod asteroid_obs {
    pub const VALID: usize = 0;
    pub const COMP_EST: usize = 1;
    pub const STABILITY_EST: usize = 7;
    pub const DEPLETION_FRAC: usize = 8;
    pub const SCAN_CONF: usize = 9;
    pub const SELECTED_FLAG: usize = 10;
    pub const SIZE: usize = 11;
}

/// Name, start and length of each field of an observation row.
pub const OBSERVATION_FIELDS: &[(&str, usize, usize)] = &[
    ("fuel_frac", obs::FUEL_FRAC, 1),
    ("hull_frac", obs::HULL_FRAC, 1),
    ("heat_frac", obs::HEAT_FRAC, 1),
    ("tool_frac", obs::TOOL_FRAC, 1),
    ("cargo_load_frac", obs::CARGO_LOAD_FRAC, 1),
    ("alert_frac", obs::ALERT_FRAC, 1),
    ("time_frac", obs::TIME_FRAC, 1),
    ("credits_log_norm", obs::CREDITS_LOG_NORM, 1),
    ("cargo_by_commodity_frac", obs::CARGO_BY_COMMODITY_FRAC, 6),
    ("repair_kits_norm", obs::REPAIR_KITS_NORM, 1),
    ("stabilizers_norm", obs::STABILIZERS_NORM, 1),
    ("decoys_norm", obs::DECOYS_NORM, 1),
    ("at_station_flag", obs::AT_STATION_FLAG, 1),
    ("mining_active_flag", obs::MINING_ACTIVE_FLAG, 1),
    ("current_node_type_onehot", obs::CURRENT_NODE_TYPE_ONEHOT, 3),
    ("current_node_index_norm", obs::CURRENT_NODE_INDEX_NORM, 1),
    ("steps_to_station_norm", obs::STEPS_TO_STATION_NORM, 1),
    ("neighbors", obs::NEIGHBORS, 6 * neighbor_obs::SIZE),
    ("reserved", obs::RESERVED, 2),
    ("asteroids", obs::ASTEROIDS, 16 * asteroid_obs::SIZE),
    ("price_norm", obs::PRICE_NORM, 6),
    ("price_delta_norm", obs::PRICE_DELTA_NORM, 6),
    ("station_inventory_norm", obs::STATION_INVENTORY_NORM, 4),
];

/// Commodities whose station inventory is observed.
pub const STOCK_SHOWN: [usize; 4] = [0, 2, 3, 4];

/// Names of the commodities, in the order of every six-entry array.
pub const COMMODITY_NAMES: [&str; 6] = ["iron", "nickel", "water_ice", "pge", "rare_isotopes", "volatiles"];

/// Index of each action, or of the first action of a block.
#[allow(missing_docs, reason = "the names are those of the contract")]
pub mod act {
    pub const TRAVEL_NEIGHBOR: u8 = 0;
    pub const HOLD_DRIFT: u8 = 6;
    pub const EMERGENCY_BURN: u8 = 7;
    pub const WIDE_SCAN: u8 = 8;
    pub const FOCUSED_SCAN_SELECTED: u8 = 9;
    pub const DEEP_SCAN_SELECTED: u8 = 10;
    pub const PASSIVE_THREAT_LISTEN: u8 = 11;
    pub const SELECT_ASTEROID: u8 = 12;
    pub const MINE_CONSERVATIVE_SELECTED: u8 = 28;
    pub const MINE_STANDARD_SELECTED: u8 = 29;
    pub const MINE_AGGRESSIVE_SELECTED: u8 = 30;
    pub const STABILIZE_SELECTED: u8 = 31;
    pub const REFINE_ONBOARD: u8 = 32;
    pub const ACTIVE_COOLDOWN: u8 = 33;
    pub const TOOL_MAINTENANCE: u8 = 34;
    pub const HULL_PATCH: u8 = 35;
    pub const JETTISON_COMMODITY: u8 = 36;
    pub const DOCK: u8 = 42;
    pub const SELL_COMMODITY: u8 = 43;
    pub const BUY_FUEL_SMALL: u8 = 61;
    pub const BUY_FUEL_MED: u8 = 62;
    pub const BUY_FUEL_LARGE: u8 = 63;
    pub const BUY_REPAIR_KIT: u8 = 64;
    pub const BUY_STABILIZER: u8 = 65;
    pub const BUY_DECOY: u8 = 66;
    pub const FULL_REPAIR_OVERHAUL: u8 = 67;
    pub const CASH_OUT_END_EPISODE: u8 = 68;
}

/// Names of the actions, in index order.
pub const ACTION_NAMES: [&str; N_ACTIONS] = [
    "TRAVEL_NEIGHBOR_0",
    "TRAVEL_NEIGHBOR_1",
    "TRAVEL_NEIGHBOR_2",
    "TRAVEL_NEIGHBOR_3",
    "TRAVEL_NEIGHBOR_4",
    "TRAVEL_NEIGHBOR_5",
    "HOLD_DRIFT",
    "EMERGENCY_BURN",
    "WIDE_SCAN",
    "FOCUSED_SCAN_SELECTED",
    "DEEP_SCAN_SELECTED",
    "PASSIVE_THREAT_LISTEN",
    "SELECT_ASTEROID_0",
    "SELECT_ASTEROID_1",
    "SELECT_ASTEROID_2",
    "SELECT_ASTEROID_3",
    "SELECT_ASTEROID_4",
    "SELECT_ASTEROID_5",
    "SELECT_ASTEROID_6",
    "SELECT_ASTEROID_7",
    "SELECT_ASTEROID_8",
    "SELECT_ASTEROID_9",
    "SELECT_ASTEROID_10",
    "SELECT_ASTEROID_11",
    "SELECT_ASTEROID_12",
    "SELECT_ASTEROID_13",
    "SELECT_ASTEROID_14",
    "SELECT_ASTEROID_15",
    "MINE_CONSERVATIVE_SELECTED",
    "MINE_STANDARD_SELECTED",
    "MINE_AGGRESSIVE_SELECTED",
    "STABILIZE_SELECTED",
    "REFINE_ONBOARD",
    "ACTIVE_COOLDOWN",
    "TOOL_MAINTENANCE",
    "HULL_PATCH",
    "JETTISON_COMMODITY_0",
    "JETTISON_COMMODITY_1",
    "JETTISON_COMMODITY_2",
    "JETTISON_COMMODITY_3",
    "JETTISON_COMMODITY_4",
    "JETTISON_COMMODITY_5",
    "DOCK",
    "SELL_COMMODITY_0_25PCT",
    "SELL_COMMODITY_0_50PCT",
    "SELL_COMMODITY_0_100PCT",
    "SELL_COMMODITY_1_25PCT",
    "SELL_COMMODITY_1_50PCT",
    "SELL_COMMODITY_1_100PCT",
    "SELL_COMMODITY_2_25PCT",
    "SELL_COMMODITY_2_50PCT",
    "SELL_COMMODITY_2_100PCT",
    "SELL_COMMODITY_3_25PCT",
    "SELL_COMMODITY_3_50PCT",
    "SELL_COMMODITY_3_100PCT",
    "SELL_COMMODITY_4_25PCT",
    "SELL_COMMODITY_4_50PCT",
    "SELL_COMMODITY_4_100PCT",
    "SELL_COMMODITY_5_25PCT",
    "SELL_COMMODITY_5_50PCT",
    "SELL_COMMODITY_5_100PCT",
    "BUY_FUEL_SMALL",
    "BUY_FUEL_MED",
    "BUY_FUEL_LARGE",
    "BUY_REPAIR_KIT",
    "BUY_STABILIZER",
    "BUY_DECOY",
    "FULL_REPAIR_OVERHAUL",
    "CASH_OUT_END_EPISODE",
];

/// Names of the metrics, in column order.
pub const METRIC_NAMES: [&str; N_METRICS] = [
    "credits",
    "net_profit",
    "profit_per_tick",
    "survival",
    "overheat_ticks",
    "pirate_encounters",
    "value_lost_to_pirates",
    "fuel_used",
    "hull_damage",
    "tool_wear",
    "scan_count",
    "mining_ticks",
    "cargo_utilization_avg",
];

/// Names of the events; the bit of each is its place.
pub const EVENT_NAMES: [&str; 25] = [
    "invalid_action",
    "travel",
    "emergency_burn",
    "scan",
    "threat_listen",
    "select",
    "mine",
    "fracture",
    "asteroid_depleted",
    "stabilize",
    "refine",
    "cooldown",
    "repair",
    "jettison",
    "dock",
    "sell",
    "buy",
    "overhaul",
    "pirate_encounter",
    "overheat_tick",
    "cash_out",
    "destroyed",
    "stranded",
    "terminated",
    "truncated",
];

/// Names of the terms of reward profile v1, in the order they are summed.
pub const REWARD_TERMS_V1: [&str; 11] =
    ["sale", "extract", "fuel", "time", "wear", "heat", "damage", "scan", "invalid", "pirate", "terminal"];

/// Names of the terms of reward profile v2, in the order they are summed.
pub const REWARD_TERMS_V2: [&str; 7] = ["credits", "ore", "time", "damage", "heat", "invalid", "terminal"];
