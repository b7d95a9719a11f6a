//! What the captain of a seat reads off the instruments: gauges, weapons, and what the contact rows stand for.

use kernel::numerics::{atan2, fmax, hyp};

use super::names::{IFF_NAMES, MUNITION_KIND_NAMES, WEAPON_GROUP_NAMES};
use super::tracks::{apparent_size, apparent_unit};
use super::{count, real};
use crate::codes::{iff, weapon_group};
use crate::components::{MateFix, Munition, Track};
use crate::layout::{FIRST_MATE_ROW, FIRST_MUNITION_ROW, HOSTILE_ROWS};
use crate::observe::own_state::ALARM_TICKS;
use crate::records::UNLIMITED;
use crate::result::json::Json;
use crate::result::names::name_of;
use crate::sensing::constants::MATE_SIGMA_M;
use crate::sensing::targets::source_level;
use crate::shown::Shown;
use crate::state::{Battle, Unit};
use crate::systems::fire_conditions::{can_engage, mount_refusal, weapon_at};
use crate::systems::physics::speed_limit;

const IFF_WORDS: [&str; 5] = ["unknown", "friend", "probably a friend", "suspect", "hostile"];
const MATE_QUALITY: i64 = 3;
const MUNITION_QUALITY: i64 = 2;

/// A contact: what it is, where it stands, and the rest of its row.
struct Row<'a> {
    row: usize,
    kind: &'a str,
    id: i64,
    at: (f64, f64),
    label: String,
    sigma_m: f64,
    quality: i64,
    bearing_only: bool,
    iff: i64,
    layer: i64,
    can_engage: bool,
}

/// The instruments of the unit in a seat.
pub fn own_picture(battle: &Battle, seat: usize, place: usize) -> Json {
    let unit = &battle.units[place];
    let (motion, capacity_s, crew_start) = (&unit.motion, unit.spec.fuel_capacity_s, unit.spec.crew.crew_start);
    let alarm_tick = unit.contact_memory.pinged_at.max(unit.contact_memory.painted_at);
    let shown = Shown::of(battle, unit);
    let tracks: Vec<&Track> = shown.order.tracks(unit).take(HOSTILE_ROWS).collect();
    let designated = tracks.iter().position(|track| track.track_id == unit.memory.designated_track);
    let rows = (tracks.iter().enumerate().map(|(row, track)| of_track(battle, place, row, track)))
        .chain(shown.mates(unit).enumerate().map(|(row, fix)| of_mate(battle, FIRST_MATE_ROW + row, fix)))
        .chain(shown.munitions(battle).enumerate().map(|(row, shot)| of_munition(FIRST_MUNITION_ROW + row, shot)));
    Json::object([
        ("seat", count(seat)),
        ("unit", unit.id().into()),
        ("speed", real(unit.speed())),
        ("speed_limit", real(speed_limit(battle, place))),
        ("throttle", real(motion.throttle)),
        ("ordered_throttle", real(motion.cmd_throttle)),
        ("rudder", real(motion.rudder)),
        ("ordered_rudder", real(motion.cmd_rudder)),
        ("fuel", real(if capacity_s > 0.0 { unit.stores.fuel / capacity_s } else { 1.0 })),
        ("morale", real(unit.morale.morale)),
        ("crew", real(if crew_start > 0 { unit.crew.alive as f64 / crew_start as f64 } else { 0.0 })),
        ("decoys", unit.stores.decoys.into()),
        ("marines", real(unit.crew.marines)),
        ("dc_focus", unit.posture.dc_focus.into()),
        ("noise_db", real(source_level(unit))),
        ("is_detected", (battle.tick - alarm_tick <= ALARM_TICKS).into()),
        ("weapons", weapons(battle, place)),
        ("target_row", designated.map(|row| row as i64).into()),
        ("contacts", Json::list(rows.map(|row| row_picture(unit, &row)))),
    ])
}

fn weapons(battle: &Battle, place: usize) -> Json {
    let unit = &battle.units[place];
    let mut groups = Vec::new();
    for group in weapon_group::GUN..=weapon_group::AIR {
        let mounts = || (0..unit.mounts.len()).filter(|&mount| weapon_at(battle, place, mount).group == group);
        if mounts().next().is_none() {
            continue;
        }
        let started: i64 = mounts().map(|mount| unit.spec.mounts[mount].ammo).sum();
        let left: i64 = mounts().map(|mount| unit.mounts[mount].ammo).sum();
        let has_no_end = mounts().any(|mount| unit.spec.mounts[mount].ammo == UNLIMITED);
        let range_m = mounts().fold(0.0, |longest, mount| fmax(weapon_at(battle, place, mount).range_m, longest));
        groups.push(Json::object([
            ("group", name_of(&WEAPON_GROUP_NAMES, group)),
            ("mounts", count(mounts().count())),
            ("ready", count(mounts().filter(|&mount| mount_refusal(battle, place, mount).is_none()).count())),
            ("ammo", if has_no_end { UNLIMITED } else { left }.into()),
            ("ammo_share", real(if has_no_end { 1.0 } else { left as f64 / started.max(1) as f64 })),
            ("range_m", real(range_m)),
        ]));
    }
    Json::List(groups)
}

fn of_track(battle: &Battle, place: usize, row: usize, track: &Track) -> Row<'static> {
    let word = IFF_WORDS[track.iff as usize];
    let size = apparent_size(apparent_unit(battle, track), track);
    Row {
        row,
        kind: "track",
        id: track.track_id,
        at: (track.x, track.y),
        label: size.map_or_else(|| word.to_owned(), |size| format!("{word} {size}")),
        sigma_m: track.P.sqrt(),
        quality: track.quality,
        bearing_only: track.bearing_only,
        iff: track.iff,
        layer: track.layer_est,
        can_engage: can_engage(battle, place, track),
    }
}

fn of_mate(battle: &Battle, row: usize, fix: &MateFix) -> Row<'static> {
    Row {
        row,
        kind: "mate",
        id: fix.unit_id,
        at: (fix.x, fix.y),
        label: battle.unit(fix.unit_id).spec.ship_id.clone(),
        sigma_m: MATE_SIGMA_M,
        quality: MATE_QUALITY,
        bearing_only: false,
        iff: iff::FRIENDLY_AUTHENTICATED,
        layer: fix.layer,
        can_engage: false,
    }
}

fn of_munition(row: usize, munition: &Munition) -> Row<'static> {
    Row {
        row,
        kind: "munition",
        id: munition.id,
        at: (munition.x, munition.y),
        label: MUNITION_KIND_NAMES[munition.kind as usize].to_lowercase(),
        sigma_m: 0.0,
        quality: MUNITION_QUALITY,
        bearing_only: false,
        iff: iff::HOSTILE_DECLARED,
        layer: munition.launch_layer,
        can_engage: false,
    }
}

fn row_picture(unit: &Unit, row: &Row<'_>) -> Json {
    let (dx, dy) = (row.at.0 - unit.x(), row.at.1 - unit.y());
    Json::object([
        ("row", count(row.row)),
        ("kind", row.kind.into()),
        ("id", row.id.into()),
        ("x", real(row.at.0)),
        ("y", real(row.at.1)),
        ("range_m", real(hyp(dx, dy))),
        ("bearing", real(atan2(dy, dx))),
        ("label", row.label.as_str().into()),
        ("sigma", real(row.sigma_m)),
        ("quality", row.quality.into()),
        ("bearing_only", row.bearing_only.into()),
        ("iff", name_of(&IFF_NAMES, row.iff)),
        ("layer", row.layer.into()),
        ("can_engage", row.can_engage.into()),
    ])
}
