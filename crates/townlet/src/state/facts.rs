//! What happened to a citizen in the tick at hand, for its reward.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use crate::codes::NOTHING;

/// A successful chat: with whom, by seat, and how good it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Chat {
    pub other: i64,
    pub quality: f64,
}

/// Cleared at the start of every tick.
#[derive(Clone, Debug, PartialEq)]
pub struct TickFacts {
    pub is_paid: bool,
    pub is_withheld: bool,
    pub first_paid_arrival: i64,
    pub chats: Vec<Chat>,
    pub failed_as_speaker: i64,
    pub failed_as_listener: i64,
    pub has_avoided: bool,
    pub exit_reason: i64,
    pub is_rescued: bool,
    pub option_starts: i64,
    pub premature_switches: i64,
}

impl Default for TickFacts {
    fn default() -> Self {
        Self {
            is_paid: false,
            is_withheld: false,
            first_paid_arrival: -1,
            chats: Vec::new(),
            failed_as_speaker: 0,
            failed_as_listener: 0,
            has_avoided: false,
            exit_reason: NOTHING,
            is_rescued: false,
            option_starts: 0,
            premature_switches: 0,
        }
    }
}

impl TickFacts {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        let mut chats = std::mem::take(&mut self.chats);
        chats.clear();
        *self = Self { chats, ..Self::default() };
    }
}
