//! The end of a munition.

use crate::codes::munition_kind;
use crate::components::Munition;
use crate::events::{EventKind, NO_EVENT, News};
use crate::state::Battle;

/// Notes that a munition has ended; whoever calls takes it out of the battle.
///
/// A weapon that ends without effect counts as wasted by its owner; a decoy is no weapon. `cause` is the event that
/// ended it, the shot itself if it is `NO_EVENT`.
pub fn spend(battle: &mut Battle, munition: &Munition, has_effect: bool, cause: i64) {
    battle.record(News {
        source: munition.id,
        cause: if cause == NO_EVENT { munition.fired_event } else { cause },
        f0: munition.x,
        f1: munition.y,
        i0: munition.kind,
        ..News::of(EventKind::MunitionSpent)
    });
    if !has_effect && munition.kind != munition_kind::DECOY {
        battle.unit_mut(munition.owner_id).scratch.wasted += 1;
    }
}
