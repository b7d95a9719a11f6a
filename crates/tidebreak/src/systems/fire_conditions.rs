//! Whether a mount may fire, and if not, the first reason why.

use kernel::numerics::{atan2, ceil, wrap};

use crate::codes::{NO_LAYER, munition_kind, system, unit_kind, weapon_group};
use crate::components::{POPPING_UP, STEADY, Track};
use crate::contacts::{estimated_range, is_contact, is_friendly};
use crate::limits::{MUNITIONS_MAX, SQUADRONS_MAX};
use crate::records::ResolvedWeapon;
use crate::state::{Battle, Unit};
use crate::systems::ballistics::lead_point;
use crate::systems::compartments::usable;
use crate::systems::layers::can_launch_in_pop_up;

const WEAPONS_LEAST: f64 = 0.05;
const TORPEDO_RANGE_MIN_M: f64 = 300.0;
const VELOCITY_KNOWN_HITS: i64 = 4;
/// The only guns that can lay on a squadron.
pub const ANTI_AIR_GUNS: [&str; 1] = ["AC30"];

/// Why a mount holds its fire; the numbers are those of the rules F1 to F10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The unit is out of the fight, or in the wrong layer.
    UnitCannot = 1,
    /// Damage has put the mount out of action.
    MountDown = 2,
    /// The next round is not loaded.
    Reloading = 3,
    /// Nothing is left to fire.
    NoAmmo = 4,
    /// There is no track, or it is not good enough.
    NoFireControl = 5,
    /// The weapon cannot hit where the target is.
    WrongLayer = 6,
    /// Too far, or too near for a torpedo.
    OutOfRange = 7,
    /// The mount cannot train that far.
    OutOfArc = 8,
    /// The track is taken for a friend.
    Friendly = 9,
    /// Too much is in flight.
    MunitionCap = 10,
}

/// The weapon in a place of the unit's mounts.
#[inline]
#[must_use]
pub fn weapon_at(battle: &Battle, unit: usize, place: usize) -> &ResolvedWeapon {
    &battle.spec.weapons[battle.units[unit].spec.mounts[place].weapon]
}

/// First of F1 to F4 that fails: what the unit and the mount need, whatever the target.
#[must_use]
pub fn mount_refusal(battle: &Battle, unit: usize, place: usize) -> Option<Refusal> {
    let firer = &battle.units[unit];
    let mount = &firer.mounts[place];
    if !(firer.is_effective() && can_launch(firer, weapon_at(battle, unit, place))) {
        return Some(Refusal::UnitCannot);
    }
    if !is_operational(battle, unit, place) {
        return Some(Refusal::MountDown);
    }
    if battle.tick < mount.ready_at {
        return Some(Refusal::Reloading);
    }
    (mount.ammo == 0).then_some(Refusal::NoAmmo)
}

/// First of F5 to F9 that fails: what the mount needs of a target.
#[must_use]
pub fn track_refusal(battle: &Battle, unit: usize, place: usize, track: Option<&Track>) -> Option<Refusal> {
    let weapon = weapon_at(battle, unit, place);
    if needs_no_track(weapon) {
        return None;
    }
    let Some(track) = track.filter(|track| has_fire_control(weapon, track)) else {
        return Some(Refusal::NoFireControl);
    };
    if !can_hit(battle, weapon, track) {
        return Some(Refusal::WrongLayer);
    }
    let range_m = estimated_range(&battle.units[unit], track);
    let is_torpedo = weapon.kind == munition_kind::TORPEDO;
    if range_m > weapon.range_m || (is_torpedo && range_m < TORPEDO_RANGE_MIN_M) {
        return Some(Refusal::OutOfRange);
    }
    if !is_in_arc(battle, unit, place, track) {
        return Some(Refusal::OutOfArc);
    }
    (is_friendly(track) && !battle.rules().allow_friendly_orders).then_some(Refusal::Friendly)
}

/// First of F1 to F10 that fails, None if the mount may fire at this track.
#[must_use]
pub fn refusal(battle: &Battle, unit: usize, place: usize, track: Option<&Track>) -> Option<Refusal> {
    mount_refusal(battle, unit, place)
        .or_else(|| track_refusal(battle, unit, place, track))
        .or_else(|| is_full(battle, weapon_at(battle, unit, place)).then_some(Refusal::MunitionCap))
}

/// The designated track if the mount can engage it, else the first of the others that it can.
#[must_use]
pub fn choose_track<'a>(
    battle: &'a Battle,
    unit: usize,
    place: usize,
    designated: Option<&'a Track>,
) -> Option<&'a Track> {
    if track_refusal(battle, unit, place, designated).is_none() {
        return designated;
    }
    let firer = &battle.units[unit];
    let designated_id = designated.map(|track| track.track_id);
    let mut chosen: Option<(&Track, f64)> = None;
    for track in firer.tracks.tracks.iter().filter(|track| is_contact(track)) {
        let range_m = estimated_range(firer, track);
        // The order of contacts without sorting them: best quality, then nearest; tracks come by id.
        let is_first = chosen.is_none_or(|(best, best_m)| {
            track.quality > best.quality || (track.quality == best.quality && range_m < best_m)
        });
        if is_first
            && Some(track.track_id) != designated_id
            && track_refusal(battle, unit, place, Some(track)).is_none()
        {
            chosen = Some((track, range_m));
        }
    }
    chosen.map(|(track, _)| track)
}

/// Whether F1 to F9 hold for some mount that needs a track.
#[must_use]
pub fn can_engage(battle: &Battle, unit: usize, track: &Track) -> bool {
    (0..battle.units[unit].mounts.len()).any(|place| {
        !needs_no_track(weapon_at(battle, unit, place))
            && mount_refusal(battle, unit, place).is_none()
            && track_refusal(battle, unit, place, Some(track)).is_none()
    })
}

/// Whether it is just dropped.
#[must_use]
pub fn needs_no_track(weapon: &ResolvedWeapon) -> bool {
    weapon.min_quality < 0
}

/// Where to aim at a track.
#[must_use]
pub fn aim_point(unit: &Unit, weapon: &ResolvedWeapon, track: &Track) -> (f64, f64) {
    let is_velocity_known = track.hits >= VELOCITY_KNOWN_HITS && !track.bearing_only;
    let velocity = if is_velocity_known { (track.vx, track.vy) } else { (0.0, 0.0) };
    lead_point((unit.x(), unit.y()), (track.x, track.y), velocity, weapon.speed_ms)
}

/// Whether a weapon can be laid on a squadron.
#[must_use]
pub fn is_anti_air(weapon: &ResolvedWeapon) -> bool {
    ANTI_AIR_GUNS.contains(&weapon.weapon_id.as_str())
}

fn is_full(battle: &Battle, weapon: &ResolvedWeapon) -> bool {
    if weapon.group != weapon_group::AIR {
        return battle.munitions.len() >= MUNITIONS_MAX;
    }
    let is_aloft = |unit: &&Unit| unit.is_present() && unit.identity.kind == unit_kind::SQUADRON;
    battle.units.iter().filter(is_aloft).count() >= SQUADRONS_MAX
}

fn can_launch(unit: &Unit, weapon: &ResolvedWeapon) -> bool {
    if unit.layer.mode == POPPING_UP {
        return weapon.pop_up && can_launch_in_pop_up(unit);
    }
    unit.layer.mode == STEADY && weapon.launch_mask >> unit.layer.layer & 1 == 1
}

/// Damage puts mounts out of action from the last slot on, point defense counted apart from the rest.
fn is_operational(battle: &Battle, unit: usize, place: usize) -> bool {
    let firer = &battle.units[unit];
    let weapons = usable(firer, system::WEAPONS);
    if weapons < WEAPONS_LEAST {
        return false;
    }
    // Most of the time nothing is broken, and then every rank is low enough.
    if weapons >= 1.0 {
        return true;
    }
    let is_automatic = |other: usize| weapon_at(battle, unit, other).group == weapon_group::AUTOMATIC;
    let mine = is_automatic(place);
    let mut rank = 0;
    let mut peers = 0;
    for other in 0..firer.mounts.len() {
        if is_automatic(other) == mine {
            peers += 1;
            rank += usize::from(other < place);
        }
    }
    (rank as f64) < ceil(weapons * peers as f64)
}

fn has_fire_control(weapon: &ResolvedWeapon, track: &Track) -> bool {
    if track.quality < weapon.min_quality {
        return false;
    }
    if weapon.sigma_max_m.is_some_and(|sigma_max_m| track.P.sqrt() > sigma_max_m) {
        return false;
    }
    weapon.kind == munition_kind::TORPEDO || !track.bearing_only
}

fn can_hit(battle: &Battle, weapon: &ResolvedWeapon, track: &Track) -> bool {
    // Units that were there from the start are no squadrons.
    let may_fly = track.target_id > battle.starting_units() as i64;
    if may_fly && battle.find_unit(track.target_id).is_some_and(|target| target.identity.kind == unit_kind::SQUADRON) {
        return is_anti_air(weapon);
    }
    track.layer_est == NO_LAYER || weapon.hits_mask >> track.layer_est & 1 == 1
}

fn is_in_arc(battle: &Battle, unit: usize, place: usize, track: &Track) -> bool {
    let firer = &battle.units[unit];
    let mount = &firer.spec.mounts[place];
    if mount.any_arc {
        return true;
    }
    let weapon = weapon_at(battle, unit, place);
    let aim = aim_point(firer, weapon, track);
    let relative = wrap(atan2(aim.1 - firer.y(), aim.0 - firer.x()) - firer.heading());
    wrap(relative - mount.facing_rad).abs() <= weapon.half_arc_rad
}
