//! The numbers that stand for words in states, tables and records; they are those of the readable tier.

#![expect(missing_docs, reason = "a code is its name")]

/// No seat, no citizen.
pub const NOBODY: i64 = -1;
/// No object, zone, tile, job or affordance.
pub const NOTHING: i64 = -1;
/// A tick long before any other.
pub const NEVER: i64 = -(1 << 40);
/// A tick long after any other.
pub const ENDLESS: i64 = 1 << 40;

/// Number of needs.
pub const NEEDS: usize = 3;
/// Number of prices.
pub const PRICES: usize = 4;
/// Number of options.
pub const OPTIONS: usize = 8;
/// Number of primitives.
pub const PRIMITIVES: usize = 12;
/// Most citizens at one time.
pub const MAX_SEATS: usize = 64;
/// Most objects of a town.
pub const MAX_OBJECTS: usize = 64;

/// Needs; 1 is satisfied, 0 is empty.
pub mod need {
    pub const HUNGER: usize = 0;
    pub const HYGIENE: usize = 1;
    pub const ENERGY: usize = 2;
}

/// Traits of a personality, -1 to 1.
pub mod personality_trait {
    pub const EXTROVERSION: usize = 0;
    pub const FORGIVENESS: usize = 1;
    pub const AMBITION: usize = 2;
}

/// Prices that spikes and operators change.
pub mod price {
    pub const MEAL: usize = 0;
    pub const INGREDIENTS: usize = 1;
    pub const SHOWER: usize = 2;
    pub const RENT: usize = 3;
}

/// What an outage turns off.
pub mod utility {
    pub const POWER: usize = 0;
    pub const WATER: usize = 1;
}

/// Items that every town has; others follow.
pub mod item {
    pub const MEALS: usize = 0;
    pub const GROCERIES: usize = 1;
    pub const FOOD_RAW: usize = 2;
}

/// What a tile is made of.
pub mod tile_class {
    pub const STREET: i64 = 0;
    pub const FLOOR: i64 = 1;
    pub const DOOR: i64 = 2;
    pub const WALL: i64 = 3;
    pub const OBJECT: i64 = 4;
}

/// What a citizen can set out to do.
pub mod option {
    pub const IDLE: i64 = 0;
    pub const GET_FED: i64 = 1;
    pub const GET_CLEAN: i64 = 2;
    pub const GO_TO_WORK: i64 = 3;
    pub const SHOP_GROCERIES: i64 = 4;
    pub const SLEEP: i64 = 5;
    pub const SOCIALISE: i64 = 6;
    pub const AVOID_RIVALS: i64 = 7;
}

/// What a citizen can do in one tick.
pub mod primitive {
    pub const WAIT: i64 = 0;
    pub const MOVE_NORTH: i64 = 1;
    pub const MOVE_EAST: i64 = 2;
    pub const MOVE_SOUTH: i64 = 3;
    pub const MOVE_WEST: i64 = 4;
    pub const INTERACT_0: i64 = 5;
    pub const INTERACT_1: i64 = 6;
    pub const INTERACT_2: i64 = 7;
    pub const INTERACT_3: i64 = 8;
    pub const RELEASE: i64 = 9;
    pub const TALK: i64 = 10;
    pub const YIELD: i64 = 11;
}

/// Where a citizen stands with the shift of the day.
pub mod shift_state {
    pub const NONE: i64 = 0;
    pub const PRE_SHIFT: i64 = 1;
    pub const AWAIT_START: i64 = 2;
    pub const ON_TIME: i64 = 3;
    pub const LATE: i64 = 4;
    pub const ABSENT: i64 = 5;
    pub const POST_SHIFT: i64 = 6;
}

/// Why an affordance did not start, or did not finish.
pub mod fail_reason {
    pub const MISSING_SPEC: i64 = 0;
    pub const PRECONDITION_FAILED: i64 = 1;
    pub const HOOK_CANCELLED: i64 = 2;
    pub const RELEASED: i64 = 3;
    pub const UTILITY_OUTAGE: i64 = 4;
    pub const GHOST_STEP: i64 = 5;
    pub const AGENT_REMOVED: i64 = 6;
    pub const TELEPORTED: i64 = 7;
    pub const OBJECT_REMOVED: i64 = 8;
    pub const TIMEOUT: i64 = 9;
}

/// What a conflict at a queue was about.
pub mod conflict_reason {
    pub const GHOST_STEP: i64 = 0;
    pub const HANDOVER: i64 = 1;
}

/// Why a citizen left, in the order in which the reasons are tried.
pub mod exit_reason {
    pub const KILLED: i64 = 0;
    pub const FAINT: i64 = 1;
    pub const EVICTION: i64 = 2;
    pub const UNEMPLOYMENT: i64 = 3;
    pub const NEGLECT: i64 = 4;
    pub const AGE_OUT: i64 = 5;
}

/// What kept a citizen from leaving.
pub mod exit_block {
    pub const DAILY_CAP: i64 = 0;
    pub const COOLDOWN: i64 = 1;
    pub const CITY_EVENT: i64 = 2;
}

/// How the exit queue came to let a citizen go.
pub mod exit_path {
    pub const MANUAL_APPROVE: i64 = 0;
    pub const AUTO_REVIEW: i64 = 1;
    pub const DAILY_CAP: i64 = 2;
}

/// What changes a tie.
pub mod relation_event {
    pub const SHARED_MEAL: usize = 0;
    pub const QUEUE_POLITE: usize = 1;
    pub const CONFLICT: usize = 2;
    pub const CHAT_SUCCESS: usize = 3;
    pub const CHAT_FAILURE: usize = 4;
    pub const EMPLOYMENT_HELP: usize = 5;
    pub const EMPLOYMENT_SHIFT_TAKEN: usize = 6;
    pub const APPOINTMENT_KEPT: usize = 7;
}

/// Why a tie was dropped.
pub mod eviction_reason {
    pub const CAPACITY: i64 = 0;
    pub const DECAY: i64 = 1;
    pub const REMOVED: i64 = 2;
}

/// What can befall the town.
pub mod perturbation_kind {
    pub const PRICE_SPIKE: i64 = 0;
    pub const BLACKOUT: i64 = 1;
    pub const OUTAGE: i64 = 2;
    pub const ARRANGED_MEET: i64 = 3;
}

/// Why a guard held a citizen back.
pub mod guard_reason {
    pub const CHAT_RIVAL: i64 = 0;
    pub const QUEUE_RIVAL: i64 = 1;
}

/// How somebody was let ahead.
pub mod queue_variant {
    pub const FAVOUR: i64 = 0;
    pub const YIELD: i64 = 1;
}

/// When an affordance takes effect.
pub mod apply_mode {
    pub const FINISH: i64 = 0;
    pub const SPREAD: i64 = 1;
}

/// Affordances that options look for.
pub mod role {
    pub const EAT: usize = 0;
    pub const COOK: usize = 1;
    pub const SHOWER: usize = 2;
    pub const SLEEP: usize = 3;
    pub const BUY: usize = 4;
}

/// What runs before, after or on failure of an affordance.
pub mod hook {
    pub const ATTEMPT_SHOWER: i64 = 0;
    pub const FINISH_SHOWER: i64 = 1;
    pub const NO_POWER: i64 = 2;
    pub const ATTEMPT_EAT: i64 = 3;
    pub const FINISH_EAT: i64 = 4;
    pub const EAT_FAIL: i64 = 5;
    pub const ATTEMPT_COOK: i64 = 6;
    pub const FINISH_COOK: i64 = 7;
    pub const COOK_FAIL: i64 = 8;
    pub const ATTEMPT_SLEEP: i64 = 9;
    pub const FINISH_SLEEP: i64 = 10;
    pub const ATTEMPT_BUY: i64 = 11;
    pub const FINISH_BUY: i64 = 12;
    pub const BUY_FAIL: i64 = 13;
    /// Hooks of modules follow from here on; they run outside of the core.
    pub const FIRST_CUSTOM: i64 = 64;
}
