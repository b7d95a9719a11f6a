//! The record of who met whom; for people to look at.

use crate::events::EventKind;
use crate::state::ledgers::SocialNote;
use crate::state::town::Town;

const NOTES_KEPT: usize = 100;

/// Keeps a meeting of two citizens, and forgets the oldest one.
pub fn note_meeting(town: &mut Town, kind: EventKind, seat: usize, other: usize, quality: f64) {
    let (first, second) = (town.citizen(seat).number, town.citizen(other).number);
    let note = SocialNote { tick: town.tick, kind: kind as i64, first, second, quality };
    push_and_keep(&mut town.social.notes, note, NOTES_KEPT);
}

/// Appends to a list of which only the last `kept` entries stay.
pub(crate) fn push_and_keep<T>(list: &mut Vec<T>, entry: T, kept: usize) {
    list.push(entry);
    if list.len() > kept {
        list.drain(..list.len() - kept);
    }
}
