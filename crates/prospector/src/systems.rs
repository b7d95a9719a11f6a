//! The rules, one per file; each changes the state and notes what happened.

pub(crate) mod exposure;
pub(crate) mod heat;
pub(crate) mod limits;
pub(crate) mod listening;
pub(crate) mod mining;
pub(crate) mod pirates;
pub(crate) mod refining;
pub(crate) mod scanning;
pub(crate) mod selling;
pub(crate) mod shopping;
pub(crate) mod travel;
pub(crate) mod upkeep;
