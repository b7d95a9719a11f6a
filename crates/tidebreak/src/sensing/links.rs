//! The data mesh at work: units learn their team-mates' places and merge the tracks that they share.

use kernel::numerics::hyp;

use super::constants::LINK_RANGE_M;
use super::mesh::{NO_LINK, is_publishing, is_team_mate};
use super::publishing::publish;
use super::senses::Senses;
use crate::components::MateFix;
use crate::state::Battle;

/// Merges what senders publish, all as their tables stood before anybody merged.
pub fn resolve_links(battle: &mut Battle, senses: &mut Senses) {
    publish(battle, senses);
    for receiver in 0..battle.units.len() {
        if !battle.units[receiver].is_present() {
            continue;
        }
        if senses.link_tiers[receiver] != NO_LINK {
            receive(battle, senses, receiver);
        }
        forget_lost_mates(battle, receiver);
    }
}

fn receive(battle: &mut Battle, senses: &mut Senses, receiver: usize) {
    let own = &battle.units[receiver];
    let (id, team, x, y) = (own.identity.id, own.identity.team, own.transform.x, own.transform.y);
    let mut ledger = std::mem::take(&mut senses.ledger);
    let mut is_open = false;
    let mut mate_row = 0;
    for mate in &senses.publications.speakers {
        let tier = senses.link_tiers[receiver].min(mate.tier);
        let is_mate = mate.team == team && mate.fix.unit_id != id;
        if !is_mate || hyp(mate.fix.x - x, mate.fix.y - y) > LINK_RANGE_M {
            continue;
        }
        mate_row = note_mate(&mut battle.units[receiver].memory.mate_fixes, mate_row, mate.fix);
        if mate.first < mate.end && is_publishing(battle.tick, mate.fix.unit_id, tier) {
            if !is_open {
                ledger.open(battle, senses, &battle.units[receiver]);
                is_open = true;
            }
            ledger.merge(battle, &senses.publications, receiver, mate.first as usize..mate.end as usize, tier);
        }
    }
    if is_open {
        ledger.close(battle, senses, receiver);
    }
    senses.ledger = ledger;
}

/// Keeps where a mate is; mates come by id and so do fixes, so that the search goes on where the last one ended.
fn note_mate(fixes: &mut Vec<MateFix>, from: usize, fix: MateFix) -> usize {
    let mut row = from;
    while row < fixes.len() && fixes[row].unit_id < fix.unit_id {
        row += 1;
    }
    if row < fixes.len() && fixes[row].unit_id == fix.unit_id {
        fixes[row] = fix;
    } else {
        fixes.insert(row, fix);
    }
    row + 1
}

fn forget_lost_mates(battle: &mut Battle, receiver: usize) {
    if battle.units[receiver].memory.mate_fixes.is_empty() {
        return;
    }
    let mut fixes = std::mem::take(&mut battle.units[receiver].memory.mate_fixes);
    let own = &battle.units[receiver];
    fixes.retain(|fix| battle.find_unit(fix.unit_id).is_some_and(|mate| is_team_mate(own, mate)));
    battle.units[receiver].memory.mate_fixes = fixes;
}
