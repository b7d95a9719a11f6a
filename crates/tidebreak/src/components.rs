//! Components of units and munitions. The order of fields is the order of state words; field names are the contract's.
//!
//! Who may write what: physics Transform, Motion and the bits GROUNDED and EXITED; layers Layer; command Posture and the
//! two `cmd_*`; fire Mounts; damage Hull, Compartments, losses of Crew and the bits DESTROYED and DISABLED; damage
//! control fire, flood and repair; fuel and support Stores; boarding Boarding, marines and CAPTURED; morale Morale and
//! SURRENDERED; tracks and links Tracks; objectives Objective. Tally is written by whoever does what it counts.

#![expect(missing_docs, reason = "what a field's name does not say is told with its record")]

use crate::codes::{NO_LAYER, SYSTEMS, boarding_status, connection_state, emissions, objective_status};
use crate::limits::TEAMS_MAX;

/// A tick further back than any rule looks.
pub const NEVER: i64 = -10_000;
/// Type of an objective that there is not.
pub const NO_OBJECTIVE: i64 = -1;
/// Layer mode: in one layer.
pub const STEADY: i64 = 0;
/// Layer mode: on the way from one layer to the next.
pub const IN_TRANSIT: i64 = 1;
/// Layer mode: up for the launch of missiles.
pub const POPPING_UP: i64 = 2;
/// Weapon groups that orders fire.
pub const GROUPS: usize = 6;
/// Rows of the contact table.
pub const CONTACT_ROWS: usize = 16;
/// Stations of a large ship that boarders take: bridge, CIC, engineering.
pub const STATIONS: usize = 3;

/// Who the unit is; `status` holds bits of `UnitStatus`, `tier` is the damage tier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    pub id: i64,
    pub kind: i64,
    pub class_code: i64,
    pub team: i64,
    pub status: i64,
    pub size: i64,
    pub tier: i64,
}

/// Where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    pub x: f64,
    pub y: f64,
    pub heading: f64,
}

/// How it moves; velocity is through the water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    pub vx: f64,
    pub vy: f64,
    pub omega: f64,
    pub throttle: f64,
    pub rudder: f64,
    pub cmd_throttle: f64,
    pub cmd_rudder: f64,
}

/// Depth: `mode` is STEADY, IN_TRANSIT or POPPING_UP, `layer` the origin while in transit, times are ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayerState {
    pub layer: i64,
    pub mode: i64,
    pub target_layer: i64,
    pub elapsed: i64,
    pub total: i64,
    pub trans_damage: f64,
    pub botches: i64,
}

/// What it shows of itself and what its damage control works on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture {
    pub emissions: i64,
    pub dc_focus: i64,
}

impl Default for Posture {
    fn default() -> Self {
        Self { emissions: emissions::PASSIVE, dc_focus: 0 }
    }
}

/// Hit points, fractions of the five systems, their repair ceilings, fire and flood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull {
    pub hp: f64,
    pub systems: [f64; SYSTEMS],
    pub ceilings: [f64; SYSTEMS],
    pub fire: f64,
    pub flood: f64,
}

/// People.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crew {
    pub alive: i64,
    pub running_loss: f64,
    pub killed: i64,
    pub wounded: i64,
    pub marines: f64,
    pub security: f64,
    pub gunnery: f64,
    pub engineering: f64,
    pub fatigue: f64,
    pub command: f64,
}

/// Will to fight, now and at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Morale {
    pub morale: f64,
    pub morale_start: f64,
}

/// Fuel in seconds at full speed (-1 without end), decoys, and the tick the next one can be launched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stores {
    pub fuel: f64,
    pub decoys: i64,
    pub decoy_ready_at: i64,
}

/// A weapon aboard; its row of `spec.mounts` has the same place. `ammo` is -1 without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    pub ready_at: i64,
    pub ammo: i64,
}

/// A compartment or district.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compartment {
    pub integrity: f64,
    pub fire: f64,
    pub flood: f64,
    pub breached: bool,
    pub crew: i64,
}

/// Ticks at which it last pinged, was pinged and was painted by radar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMemory {
    pub last_ping_tick: i64,
    pub pinged_at: i64,
    pub painted_at: i64,
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self { last_ping_tick: NEVER, pinged_at: NEVER, painted_at: NEVER }
    }
}

/// A boarding from the attacker's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boarding {
    pub state: i64,
    pub target_id: i64,
    pub timer: i64,
    pub transferred: f64,
    pub progress: [f64; STATIONS],
    pub status: i64,
    pub attached_ticks: i64,
    pub damage_window: f64,
}

impl Default for Boarding {
    fn default() -> Self {
        Self {
            state: connection_state::NONE,
            target_id: 0,
            timer: 0,
            transferred: 0.0,
            progress: [0.0; STATIONS],
            status: boarding_status::NONE,
            attached_ticks: 0,
            damage_window: 0.0,
        }
    }
}

/// How the objective stands; `type` is -1 without one, the values are the type's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Objective {
    pub r#type: i64,
    pub status: i64,
    pub time_on: i64,
    pub value_a: f64,
    pub value_b: f64,
    pub value_c: f64,
    pub progress: f64,
    pub reward_sum: f64,
}

impl Default for Objective {
    fn default() -> Self {
        Self {
            r#type: NO_OBJECTIVE,
            status: objective_status::ACTIVE,
            time_on: 0,
            value_a: 0.0,
            value_b: 0.0,
            value_c: 0.0,
            progress: 0.0,
            reward_sum: 0.0,
        }
    }
}

/// What it has done and suffered; `shots` is by weapon group from GUN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    pub damage_dealt: f64,
    pub damage_taken: f64,
    pub shots: [i64; GROUPS],
    pub hits: i64,
    pub kills: i64,
    pub transitions: i64,
    pub hazard_damage: f64,
    pub collisions: i64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            damage_dealt: 0.0,
            damage_taken: 0.0,
            shots: [0; GROUPS],
            hits: 0,
            kills: 0,
            transitions: 0,
            hazard_damage: 0.0,
            collisions: 0,
        }
    }
}

/// What a unit believes of a contact.
///
/// `target_id` is hidden from policies, `layer_est` is 3 when unknown, `class_level` is 0 none to 3 class,
/// `modalities` has bit `1 << modality`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(non_snake_case, reason = "`P` is the name the contract gives the variance")]
pub struct Track {
    pub track_id: i64,
    pub target_id: i64,
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub P: f64,
    pub quality: i64,
    pub age: i64,
    pub hits: i64,
    pub bearing_only: bool,
    pub layer_est: i64,
    pub class_level: i64,
    pub id_conf: f64,
    pub iff: i64,
    pub is_munition: bool,
    pub modalities: i64,
    pub shared: bool,
}

/// Tracks by ascending track id; ids count from 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracks {
    pub next_track_id: i64,
    pub tracks: Vec<Track>,
}

impl Default for Tracks {
    fn default() -> Self {
        Self { next_track_id: 1, tracks: Vec::new() }
    }
}

/// Where a team-mate was when the link last reached it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MateFix {
    pub unit_id: i64,
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub layer: i64,
    pub tick: i64,
}

/// What must outlive a tick but is not hashed; snapshots keep it after the state words.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Track id that orders without a target mean, 0 for none.
    pub designated_track: i64,
    /// What the rows of the last observation stand for: track ids, unit ids, munition ids; 0 if empty.
    pub contact_rows: [i64; CONTACT_ROWS],
    /// Last linked positions of team-mates, by ascending unit id.
    pub mate_fixes: Vec<MateFix>,
    /// Enemies that its own sensors have raised to Q2, ascending.
    pub raised_ids: Vec<i64>,
    /// Unit that damaged it last, 0 for none.
    pub last_damage_by: i64,
    /// Event id of that DAMAGE.
    pub last_damage_event: i64,
    /// By team: tick at which this unit last damaged a unit of that team.
    pub harmed_at: [i64; TEAMS_MAX],
    /// Tick of its last GROUNDING event.
    pub grounding_at: i64,
    /// Consecutive ticks with the order to scuttle.
    pub scuttle_ticks: i64,
    /// At the end of the tick before.
    pub was_effective: bool,
    /// Whether its loss has been credited to somebody.
    pub is_loss_paid: bool,
    /// `CaptureMethod`.
    pub capture_method: i64,
    /// Team that took it, -1 for none.
    pub captor_team: i64,
    /// Marines lost in its boardings.
    pub attacker_losses: f64,
    /// Defenders those marines killed.
    pub defender_losses: f64,
    /// Of a beachhead.
    pub breach_quality: f64,
    /// District of a beachhead, -1 for none.
    pub entry_district: i64,
    /// Of a squadron, 0 for other units.
    pub carrier_id: i64,
    /// Place in the carrier's mounts.
    pub carrier_slot: i64,
    /// Whether a squadron has made its attack.
    pub has_struck: bool,
    /// Orders so far whose precondition failed.
    pub invalid_orders: i64,
    /// Contacts held, summed over ticks.
    pub contacts_sum: i64,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            designated_track: 0,
            contact_rows: [0; CONTACT_ROWS],
            mate_fixes: Vec::new(),
            raised_ids: Vec::new(),
            last_damage_by: 0,
            last_damage_event: 0,
            harmed_at: [NEVER; TEAMS_MAX],
            grounding_at: NEVER,
            scuttle_ticks: 0,
            was_effective: true,
            is_loss_paid: false,
            capture_method: 0,
            captor_team: -1,
            attacker_losses: 0.0,
            defender_losses: 0.0,
            breach_quality: 0.0,
            entry_district: -1,
            carrier_id: 0,
            carrier_slot: 0,
            has_struck: false,
            invalid_orders: 0,
            contacts_sum: 0,
        }
    }
}

/// What one tick hands from phase to phase and to rewards; a new one is made when the next tick begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Scratch {
    /// Hits so far this tick: the `hit number` of keyed draws.
    pub hits_taken: i64,
    /// Effective damage taken.
    pub effective_taken: f64,
    /// Sum over own hits on other teams of effective / hp_max · cost of the target.
    pub dealt: f64,
    /// The same for hits on the own team.
    pub dealt_own: f64,
    /// Cost of units whose loss (kill, disable, capture) is credited to it this tick.
    pub credited_cost: f64,
    /// The captures among them.
    pub captured_cost: f64,
    /// Own munitions that ended without effect.
    pub wasted: i64,
    /// Enemies first raised to Q2 by its own sensors.
    pub raised: i64,
    /// Collisions and groundings.
    pub mishaps: i64,
    /// Effective damage by zones and weather.
    pub hazard_damage: f64,
    /// Change of progress.
    pub objective_delta: f64,
    /// 1 completed, -1 failed, else 0.
    pub objective_result: i64,
    /// Units it has collided with this tick.
    pub collided_ids: Vec<i64>,
    /// Current at the unit, sampled when SUBSTEP begins.
    pub current_x: f64,
    /// Current at the unit.
    pub current_y: f64,
    /// Unit it was ordered to board this tick, 0 for none.
    pub board_target: i64,
    /// Whether it was ordered to scuttle this tick.
    pub is_scuttling: bool,
    /// Orders of this tick whose precondition failed.
    pub invalid: i64,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            hits_taken: 0,
            effective_taken: 0.0,
            dealt: 0.0,
            dealt_own: 0.0,
            credited_cost: 0.0,
            captured_cost: 0.0,
            wasted: 0,
            raised: 0,
            mishaps: 0,
            hazard_damage: 0.0,
            objective_delta: 0.0,
            objective_result: 0,
            collided_ids: Vec::new(),
            current_x: 0.0,
            current_y: 0.0,
            board_target: 0,
            is_scuttling: false,
            invalid: 0,
        }
    }
}

/// A salvo, torpedo, missile, charge, mine or decoy; a salvo stays at (x, y), where it was fired.
///
/// `target_layers` has bit `1 << layer`, `remaining` is in seconds, `run` in meters. `fired_event` is not hashed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Munition {
    pub id: i64,
    pub kind: i64,
    pub weapon_code: i64,
    pub owner_id: i64,
    pub team: i64,
    pub x: f64,
    pub y: f64,
    pub heading: f64,
    pub speed: f64,
    pub launch_layer: i64,
    pub target_layers: i64,
    pub aim_x: f64,
    pub aim_y: f64,
    pub lock_id: i64,
    pub remaining: f64,
    pub run: f64,
    pub rounds: i64,
    pub spread: f64,
    pub damage: f64,
    pub armed_at: i64,
    pub search: bool,
    pub fired_event: i64,
}

/// A storm, as it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Storm {
    pub x: f64,
    pub y: f64,
    pub vx: f64,
    pub vy: f64,
    pub radius: f64,
    pub intensity: f64,
    pub profile: i64,
    pub ends_at_tick: i64,
}

impl LayerState {
    /// At rest in a layer.
    #[must_use]
    pub const fn steady(layer: i64) -> Self {
        Self { layer, mode: STEADY, target_layer: NO_LAYER, elapsed: 0, total: 0, trans_damage: 0.0, botches: 0 }
    }
}

impl Tracks {
    /// The track with this id, if it is held.
    #[inline]
    #[must_use]
    pub fn get(&self, track_id: i64) -> Option<&Track> {
        self.tracks.iter().find(|track| track.track_id == track_id)
    }

    /// The track of this entity, if it is held.
    #[inline]
    #[must_use]
    pub fn of_target(&self, target_id: i64) -> Option<&Track> {
        self.tracks.iter().find(|track| track.target_id == target_id)
    }
}

impl Scratch {
    /// Begins a tick; keeps the memory of its lists.
    pub fn clear(&mut self) {
        let mut collided_ids = std::mem::take(&mut self.collided_ids);
        collided_ids.clear();
        *self = Self { collided_ids, ..Self::default() };
    }
}
