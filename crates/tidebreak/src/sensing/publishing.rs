//! What units say over the data mesh in one tick: where they are and which tracks they share.

use super::mesh::{NO_LINK, can_send, is_team_mate};
use super::senses::Senses;
use super::tracking::GHOST;
use crate::codes::unit_kind;
use crate::components::{MateFix, Track};
use crate::state::{Battle, Unit};

/// A unit that is heard on the link, in one piece: units lie far apart in memory and every receiver asks for all.
#[derive(Clone, Copy, Debug)]
pub struct Speaker {
    /// Whose it is.
    pub team: i64,
    /// Link tier where it is.
    pub tier: i64,
    /// What team-mates in reach learn of it.
    pub fix: MateFix,
    /// Where its publications begin.
    pub first: u32,
    /// Where they end.
    pub end: u32,
}

/// What decides whether a published track is taken over; most are not, and need no look at the track.
#[derive(Clone, Copy, Debug)]
pub struct Offer {
    /// `P` of the track.
    pub variance: f64,
    /// Place of its target in `Senses::targets`.
    pub row: u16,
    /// `track_quality` at the sender.
    pub quality: i8,
    /// Whether the range is assumed.
    pub bearing_only: bool,
}

/// Everything that is said, sender after sender by place; all as tables stood before anybody merged.
#[derive(Clone, Debug, Default)]
pub struct Publications {
    /// Who speaks, by ascending id.
    pub speakers: Vec<Speaker>,
    /// What they share.
    pub offers: Vec<Offer>,
    /// The tracks behind the offers.
    pub tracks: Vec<Track>,
}

/// Gathers what the units with a link say; keeps the memory of its lists.
pub fn publish(battle: &Battle, senses: &mut Senses) {
    let mut said = std::mem::take(&mut senses.publications);
    said.speakers.clear();
    said.offers.clear();
    said.tracks.clear();
    for (place, unit) in battle.units.iter().enumerate() {
        let tier = senses.link_tiers[place];
        let is_heard = tier != NO_LINK && unit.identity.kind != unit_kind::SQUADRON && can_send(unit);
        if is_heard && has_mate(battle, unit) {
            let first = said.offers.len() as u32;
            for track in unit.tracks.tracks.iter().filter(|track| track.age == 0 && track.target_id != GHOST) {
                let row =
                    senses.row_of(battle, track.target_id).expect("a track of age 0 is of something that is there");
                let (quality, bearing_only) = (track.quality as i8, track.bearing_only);
                said.offers.push(Offer { variance: track.P, row: row as u16, quality, bearing_only });
                said.tracks.push(*track);
            }
            let (team, fix, end) = (unit.identity.team, fix_of(battle, unit), said.offers.len() as u32);
            said.speakers.push(Speaker { team, tier, fix, first, end });
        }
    }
    senses.publications = said;
}

fn has_mate(battle: &Battle, unit: &Unit) -> bool {
    battle.units.iter().any(|other| is_team_mate(unit, other))
}

const fn fix_of(battle: &Battle, unit: &Unit) -> MateFix {
    MateFix {
        unit_id: unit.identity.id,
        x: unit.transform.x,
        y: unit.transform.y,
        vx: unit.motion.vx,
        vy: unit.motion.vy,
        layer: unit.layer.layer,
        tick: battle.tick,
    }
}
