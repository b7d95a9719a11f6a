//! What a side knows: of every contact the best track that any of its units holds.

use std::collections::BTreeMap;

use super::names::{IFF_NAMES, SIZE_NAMES};
use super::real;
use crate::codes::munition_kind;
use crate::components::Track;
use crate::result::json::Json;
use crate::result::names::name_of;
use crate::state::{Battle, Unit};

const SIZE_KNOWN_AT: i64 = 2; // class level of a track
const CLASS_KNOWN_AT: i64 = 3;

/// The best track of a contact, who holds it, and how many do.
struct Known<'a> {
    holder: &'a Unit,
    track: &'a Track,
    held_by: i64,
}

/// One track per contact, by the id of the contact.
pub fn team_tracks(battle: &Battle, team: i64) -> Json {
    let mut known: BTreeMap<i64, Known<'_>> = BTreeMap::new();
    for unit in battle.units.iter().filter(|unit| unit.team() == team && unit.is_effective()) {
        for track in &unit.tracks.tracks {
            let first = Known { holder: unit, track, held_by: 0 };
            let best = known.entry(track.target_id).or_insert(first);
            best.held_by += 1;
            if is_better(track, best.track) {
                (best.holder, best.track) = (unit, track);
            }
        }
    }
    Json::list(known.values().map(|best| track_picture(battle, best)))
}

/// The unit a contact looks like: itself, or whoever launched a decoy; `None` for other munitions and clutter.
pub fn apparent_unit<'a>(battle: &'a Battle, track: &Track) -> Option<&'a Unit> {
    match battle.find_munition(track.target_id) {
        None => battle.find_unit(track.target_id),
        Some(munition) if munition.kind == munition_kind::DECOY => battle.find_unit(munition.owner_id),
        Some(_) => None,
    }
}

/// The size class a track has made out, if any.
pub fn apparent_size(seen: Option<&Unit>, track: &Track) -> Option<&'static str> {
    seen.filter(|_| track.class_level >= SIZE_KNOWN_AT).map(|seen| SIZE_NAMES[seen.identity.size as usize])
}

fn is_better(track: &Track, other: &Track) -> bool {
    track.quality > other.quality || (track.quality == other.quality && track.P < other.P)
}

fn track_picture(battle: &Battle, best: &Known<'_>) -> Json {
    let (holder, track) = (best.holder, best.track);
    let seen = apparent_unit(battle, track);
    let class = seen.filter(|_| track.class_level >= CLASS_KNOWN_AT).map(|seen| seen.spec.hull.class_name.as_str());
    Json::object([
        ("track", format!("{}:{}", holder.id(), track.track_id).as_str().into()),
        ("holder", holder.id().into()),
        ("x", real(track.x)),
        ("y", real(track.y)),
        ("vx", real(track.vx)),
        ("vy", real(track.vy)),
        ("sigma", real(track.P.sqrt())),
        ("quality", track.quality.into()),
        ("bearing_only", track.bearing_only.into()),
        ("iff", name_of(&IFF_NAMES, track.iff)),
        ("age", track.age.into()),
        ("layer", track.layer_est.into()),
        ("size", apparent_size(seen, track).into()),
        ("class", class.into()),
        ("is_munition", track.is_munition.into()),
        ("held_by", best.held_by.into()),
        ("contact", track.target_id.into()),
    ])
}
