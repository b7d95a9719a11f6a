//! Heads, options, metrics and reward parts of `tidebreak-v1`, as far as the arena needs them.

#![expect(missing_docs, reason = "an option is its name")]

/// Choices of a decision.
pub const HEADS: usize = 7;
/// Options of each head.
pub const HEAD_SIZES: [usize; HEADS] = [7, 7, 4, 4, 8, 17, 8];
/// First option of each head among all options.
pub const HEAD_OFFSETS: [usize; HEADS] = [0, 7, 14, 18, 22, 30, 47];
/// Options of all heads.
pub const N_OPTIONS: usize = 55;
/// Names of the heads.
pub const HEAD_NAMES: [&str; HEADS] = ["throttle", "rudder", "layer", "emissions", "weapon", "target", "support"];
/// The option of each head that changes nothing.
pub const NOOPS: [i32; HEADS] = [1, 3, 0, 0, 0, 0, 0];

/// Options that a decision of several ticks orders again on every tick; all others are orders of its first tick alone.
pub const HELD_OPTIONS: [&[usize]; HEADS] = [
    &[0, 1, 2, 3, 4, 5, 6],
    &[0, 1, 2, 3, 4, 5, 6],
    &[],
    &[],
    &[weapon_order::FREE],
    &[],
    &[support_order::BOARD, support_order::SCUTTLE],
];

/// Throttle of each option.
pub const THROTTLES: [f64; 7] = [-0.4, 0.0, 0.2, 0.4, 0.65, 0.85, 1.0];
/// Rudder of each option; positive turns left.
pub const RUDDERS: [f64; 7] = [-1.0, -0.5, -0.2, 0.0, 0.2, 0.5, 1.0];
/// Option of the target head that names no row.
pub const KEEP_TARGET: usize = 0;

/// Place of each head in a decision.
pub mod head {
    pub const THROTTLE: usize = 0;
    pub const RUDDER: usize = 1;
    pub const LAYER: usize = 2;
    pub const EMISSIONS: usize = 3;
    pub const WEAPON: usize = 4;
    pub const TARGET: usize = 5;
    pub const SUPPORT: usize = 6;
}

/// Options of the layer head.
pub mod layer_order {
    pub const HOLD: usize = 0;
    pub const UP: usize = 1;
    pub const DOWN: usize = 2;
    pub const POP_UP: usize = 3;
}

/// Options of the emissions head; an order is one more than the `emissions` code it asks for.
pub mod emissions_order {
    pub const KEEP: usize = 0;
    pub const SILENT: usize = 1;
    pub const PASSIVE: usize = 2;
    pub const ACTIVE: usize = 3;
}

/// Options of the weapon head; 1-6 are the codes of `weapon_group`.
pub mod weapon_order {
    pub const HOLD: usize = 0;
    pub const FREE: usize = 7;
}

/// Options of the support head.
pub mod support_order {
    pub const NONE: usize = 0;
    pub const DECOY: usize = 1;
    pub const DC_BALANCED: usize = 2;
    pub const DC_FIRE: usize = 3;
    pub const DC_FLOOD: usize = 4;
    pub const DC_REPAIR: usize = 5;
    pub const BOARD: usize = 6;
    pub const SCUTTLE: usize = 7;
}

/// Metrics of a unit.
pub const N_METRICS: usize = 11;
/// Names of the metrics, in order.
pub const METRIC_NAMES: [&str; N_METRICS] = [
    "win",
    "survival",
    "cost_margin",
    "damage_dealt",
    "damage_taken",
    "kills",
    "shots",
    "hits",
    "contacts_held",
    "invalid_actions",
    "battle_ticks",
];

/// Parts of a reward.
pub const N_REWARD_COMPONENTS: usize = 12;
/// Names of the parts, in order.
pub const REWARD_COMPONENT_NAMES: [&str; N_REWARD_COMPONENTS] = [
    "dealt",
    "taken",
    "kill",
    "own_loss",
    "team_loss",
    "objective_progress",
    "objective_result",
    "contact",
    "waste",
    "hazard_and_collision",
    "time",
    "terminal",
];
