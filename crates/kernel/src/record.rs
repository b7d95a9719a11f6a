//! The last step of one copy, in full precision and with names: the cold path beside the buffers.

/// A plain value of an event payload or of a world's further information.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing to tell.
    Null,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Int(i64),
    /// An unsigned number that may exceed `i64`, such as a seed.
    Unsigned(u64),
    /// A real number.
    Float(f64),
    /// A name from a fixed set.
    Text(&'static str),
    /// Real numbers in index order.
    Floats(Vec<f64>),
    /// A name that is not known beforehand.
    Name(String),
    /// Values in index order.
    List(Vec<Value>),
    /// A JSON document.
    Document(String),
}

/// Names and values in a fixed order.
pub type Named<T> = Vec<(&'static str, T)>;

/// One step of one copy; per-seat entries are in seat order.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// The decision each seat sent, one option per head; `None` for a seat that took none.
    pub received: Vec<Option<Vec<i32>>>,
    /// The decision that was executed.
    pub effective: Vec<Option<Vec<i32>>>,
    /// Reward of each seat.
    pub rewards: Vec<f64>,
    /// The parts each reward is the sum of.
    pub reward_terms: Vec<Named<f64>>,
    /// Whether the seat's episode ended by the rules.
    pub terminated: Vec<bool>,
    /// Whether the seat's episode was cut off by the time limit.
    pub truncated: Vec<bool>,
    /// Metrics of each seat in the order of the world's table.
    pub metrics: Vec<Vec<f64>>,
    /// Ticks the step took; 0 at a reset.
    pub dt: u16,
    /// Event names in the order they happened.
    pub events: Vec<&'static str>,
    /// Payload of each event that has one.
    pub event_data: Named<Named<Value>>,
    /// Further keys of the world.
    pub info: Named<Value>,
    /// Random numbers consumed since seeding.
    pub draws: u64,
}
