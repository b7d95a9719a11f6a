//! Affordances compiled to rows that both tiers execute.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// Cooldown that stands for the configured one.
pub const DEFAULT_COOLDOWN: i64 = -1;
/// Conditions of an affordance are told in events as affordance * this + place.
pub const CONDITIONS_PER_AFFORDANCE: i64 = 64;
/// Depth of the stack conditions are evaluated on.
pub const STACK_DEPTH: usize = 8;

/// Opcodes; every one but the two pushes takes its operands from the stack.
pub mod op {
    pub const PUSH_CONST: i64 = 0;
    pub const PUSH_OPERAND: i64 = 1;
    pub const EQ: i64 = 2;
    pub const NE: i64 = 3;
    pub const LT: i64 = 4;
    pub const LE: i64 = 5;
    pub const GT: i64 = 6;
    pub const GE: i64 = 7;
    pub const IN_SET: i64 = 8;
    pub const AND: i64 = 9;
    pub const OR: i64 = 10;
    pub const NOT: i64 = 11;
    pub const NEG: i64 = 12;
}

/// What a condition can ask for; those with an item, need or price follow their base by its number.
pub mod operand {
    pub const OCCUPIED: i64 = 0;
    pub const POWER_ON: i64 = 1;
    pub const WATER_ON: i64 = 2;
    pub const MEAL_AVAILABLE: i64 = 3;
    pub const QUEUE_LENGTH: i64 = 4;
    pub const TOD: i64 = 5;
    pub const DAY: i64 = 6;
    pub const ON_SHIFT: i64 = 7;
    pub const SHIFT_STATE: i64 = 8;
    pub const AT_HOME: i64 = 9;
    pub const IS_OWNER: i64 = 10;
    pub const WALLET: i64 = 11;
    pub const STOCK: i64 = 16;
    pub const INVENTORY: i64 = 24;
    pub const NEED: i64 = 32;
    pub const PRICE: i64 = 40;
}

/// A compiled precondition: pairs of opcode and argument in postfix order, and the operands it mentions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Condition {
    pub code: Vec<(i64, f64)>,
    pub operands: Vec<i64>,
    pub needs_power: bool,
    pub needs_water: bool,
}

/// A constant plus economy fields (the first four are live prices) times factors, summed in this order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Terms {
    pub constant: f64,
    pub fields: Vec<(usize, f64)>,
}

/// Something that can be done with objects of one type.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct AffordanceRow {
    pub index: i64,
    pub id: String,
    pub r#type: i64,
    pub rank: i64,
    pub duration: i64,
    pub conditions: Vec<Condition>,
    pub money: Terms,
    pub stock_costs: Vec<i64>,
    pub inventory_costs: Vec<i64>,
    pub effects: [Terms; 3],
    pub mode: i64,
    pub inventory_yields: Vec<i64>,
    pub stock_yields: Vec<i64>,
    pub linked_yields: Vec<i64>,
    pub cooldown: i64,
    pub is_owner_only: bool,
    pub before: Vec<i64>,
    pub after: Vec<i64>,
    pub fail: Vec<i64>,
    pub needs_power: bool,
    pub needs_water: bool,
}
