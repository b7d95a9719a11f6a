//! What a torpedo or missile homes on: the nearest thing in its field of view, decoys included if they fool it.

use kernel::numerics::{atan2, hyp, wrap};

use crate::codes::{munition_kind, unit_kind};
use crate::components::Munition;
use crate::draws::{Stream, uniform_at};
use crate::records::ResolvedWeapon;
use crate::sensing::targets::{radar_index, source_level};
use crate::state::Battle;
use crate::systems::missiles::missile_reach_m;
use crate::systems::torpedoes::{is_armed, sediment_at, torpedo_reach_m};

/// This close, a target need not be in the field of view.
const NEAR_M: f64 = 60.0;
const SEDUCTION_CHANCE: f64 = 0.45;
const DECOY_SCORE: f64 = 0.65;
/// No seeker reaches further than this many times its range.
const REACH_MAX: f64 = 1.5;

/// What is homed on, where it is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lock {
    /// Of the unit or decoy.
    pub id: i64,
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// Velocity to the east, 0 for a decoy.
    pub vx: f64,
    /// Velocity to the north, 0 for a decoy.
    pub vy: f64,
    /// How far off it is.
    pub distance_m: f64,
}

/// A unit that is there and in the water: what torpedoes, missiles and mines can harm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prey {
    /// Of the unit.
    pub place: usize,
    /// Whose it is.
    pub team: i64,
    /// Layers it counts as being in.
    pub layers_mask: i64,
    /// East.
    pub x: f64,
    /// North.
    pub y: f64,
    /// Of its hull.
    pub radius_m: f64,
}

/// All prey by id and where decoys are, gathered once for everything in flight: units lie far apart in memory.
#[derive(Clone, Debug, Default)]
pub struct PreyList {
    prey: Vec<Prey>,
    /// Places in `munitions`, ascending.
    decoys: Vec<usize>,
}

impl PreyList {
    /// Forgets everything; the memory is kept.
    pub fn clear(&mut self) {
        self.prey.clear();
        self.decoys.clear();
    }

    /// Gathers the units that are there, except aircraft, and the decoys.
    pub fn gather(&mut self, battle: &Battle) {
        self.clear();
        let starting = battle.units[..battle.starting_units()].iter().enumerate();
        let in_water = starting.filter(|(_, unit)| unit.is_present() && unit.identity.kind != unit_kind::SQUADRON);
        self.prey.extend(in_water.map(|(place, unit)| Prey {
            place,
            team: unit.team(),
            layers_mask: unit.layers_mask(),
            x: unit.x(),
            y: unit.y(),
            radius_m: unit.spec.hull.radius_m,
        }));
        let afloat = battle.munitions.iter().enumerate();
        let decoys = afloat.filter(|(_, munition)| munition.kind == munition_kind::DECOY);
        self.decoys.extend(decoys.map(|(place, _)| place));
    }

    /// What a munition may home on and strike: never its own team's.
    #[inline]
    pub fn for_munition(&self, munition: &Munition) -> impl Iterator<Item = &Prey> {
        let (team, layers) = (munition.team, munition.target_layers);
        self.prey.iter().filter(move |prey| prey.team != team && prey.layers_mask & layers != 0)
    }

    /// Decoys as they are now that may draw a munition off, each with its place in `munitions`, by id.
    #[inline]
    pub fn decoys_for<'a>(
        &'a self,
        battle: &'a Battle,
        munition: &'a Munition,
    ) -> impl Iterator<Item = (usize, &'a Munition)> {
        let decoys = self.decoys.iter().map(|&place| (place, &battle.munitions[place]));
        decoys.filter(|(_, decoy)| is_enemy_decoy(munition, decoy))
    }
}

/// The candidate with the least score: its distance, less for a decoy; ties go to the lower id.
#[must_use]
pub fn find_lock(battle: &Battle, munition: &Munition, prey: &PreyList) -> Option<Lock> {
    let is_torpedo = munition.kind == munition_kind::TORPEDO;
    if is_torpedo && !is_armed(munition) {
        return None;
    }
    let weapon = &battle.spec.weapons[munition.weapon_code as usize];
    let reach_max = weapon.seeker_m * REACH_MAX;
    let mut eye = Eye { battle, munition, weapon, sediment: None };
    let mut best: Option<Lock> = None;
    let mut best_score = 0.0;
    for &Prey { place, x, y, .. } in prey.for_munition(munition) {
        let distance = hyp(x - munition.x, y - munition.y);
        // Units come by id, so that the lower one keeps a tie.
        let is_better = best.is_none() || distance < best_score;
        if distance <= reach_max && is_better && eye.sees(x, y, distance, || shown_by(battle, place, is_torpedo)) {
            let unit = &battle.units[place];
            best = Some(Lock { id: unit.id(), x, y, vx: unit.motion.vx, vy: unit.motion.vy, distance_m: distance });
            best_score = distance;
        }
    }
    for (_, decoy) in prey.decoys_for(battle, munition) {
        let distance = hyp(decoy.x - munition.x, decoy.y - munition.y);
        if distance > reach_max {
            continue;
        }
        let score = distance * DECOY_SCORE;
        let is_better = best.is_none_or(|best| score < best_score || (score == best_score && decoy.id < best.id));
        let signature = &battle.spec.decoy_signature;
        let shown = || if is_torpedo { signature.sl0_db } else { signature.radar_index };
        if is_better && is_seduced(battle, munition.id, decoy.id) && eye.sees(decoy.x, decoy.y, distance, shown) {
            best = Some(Lock { id: decoy.id, x: decoy.x, y: decoy.y, vx: 0.0, vy: 0.0, distance_m: distance });
            best_score = score;
        }
    }
    best
}

/// Whether this munition falls for this decoy; the answer never changes for the pair.
#[must_use]
pub fn is_seduced(battle: &Battle, munition_id: i64, decoy_id: i64) -> bool {
    uniform_at(battle, Stream::Seeker, 0, munition_id, decoy_id, 0) < SEDUCTION_CHANCE
}

/// Whether something afloat is a decoy of another team in a layer the munition can hit.
#[inline]
#[must_use]
pub fn is_enemy_decoy(munition: &Munition, decoy: &Munition) -> bool {
    decoy.kind == munition_kind::DECOY
        && decoy.team != munition.team
        && munition.target_layers >> decoy.launch_layer & 1 == 1
}

/// Looks for one munition; sediment is read when it is first needed.
struct Eye<'a> {
    battle: &'a Battle,
    munition: &'a Munition,
    weapon: &'a ResolvedWeapon,
    sediment: Option<f64>,
}

impl Eye<'_> {
    /// Whether something at a place is in reach and in view; `shown` gives its source level for a torpedo, its radar
    /// index for a missile.
    fn sees(&mut self, x: f64, y: f64, distance: f64, shown: impl FnOnce() -> f64) -> bool {
        let (munition, weapon) = (self.munition, self.weapon);
        let reach_m = if munition.kind == munition_kind::TORPEDO {
            let sediment = *self.sediment.get_or_insert_with(|| sediment_at(self.battle, munition));
            torpedo_reach_m(weapon.seeker_m, shown(), sediment)
        } else {
            missile_reach_m(weapon.seeker_m, shown())
        };
        distance <= reach_m
            && (distance < NEAR_M
                || wrap(atan2(y - munition.y, x - munition.x) - munition.heading).abs() <= weapon.half_fov_rad)
    }
}

/// What a seeker goes by: the source level for a torpedo, the radar index for a missile.
fn shown_by(battle: &Battle, unit: usize, is_torpedo: bool) -> f64 {
    if is_torpedo { source_level(&battle.units[unit]) } else { radar_index(&battle.units[unit]) }
}
