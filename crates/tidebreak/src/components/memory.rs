//! What a unit remembers beside its state: from tick to tick, and within one.

use super::contacts::MateFix;
use super::motion::Course;
use crate::limits::TEAMS_MAX;

/// A tick further back than any rule looks.
pub const NEVER: i64 = -10_000;
/// Rows of the contact table.
pub const CONTACT_ROWS: usize = 16;

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
    /// Sine and cosine of the heading that was asked for last.
    pub course: Course,
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
            course: Course::default(),
            board_target: 0,
            is_scuttling: false,
            invalid: 0,
        }
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
