//! A tie: what one citizen feels about another.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

/// One direction of a relationship; `rivalry` is its value right after its last change, at `rivalry_tick`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tie {
    pub other: i64,
    pub trust: f64,
    pub familiarity: f64,
    pub rivalry: f64,
    pub rivalry_tick: i64,
}
