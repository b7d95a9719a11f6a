//! A citizen.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use crate::codes::{NEEDS, NEVER, NOTHING, option, primitive};
use crate::state::employment::Shift;
use crate::state::facts::TickFacts;
use crate::state::ties::Tie;

/// Tenths of a day, for what is looked at over the last day.
pub const BUCKETS: usize = 10;

/// What a citizen has set out to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub option: i64,
    pub has_ended: bool,
    pub commit_until: i64,
    pub since_tick: i64,
    pub goal: i64,
    pub chats: i64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { option: option::IDLE, has_ended: true, commit_until: 0, since_tick: 0, goal: NOTHING, chats: 0 }
    }
}

/// Counts of a lifetime.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    pub meals_cooked: i64,
    pub meals_consumed: i64,
    pub showers_taken: i64,
    pub sleep_sessions: i64,
    pub chats_ok: i64,
    pub chats_failed: i64,
    pub wages_earned: f64,
    pub wages_withheld: f64,
    pub lateness_counter: i64,
    pub attempts: i64,
    pub invalid_actions: i64,
    pub selections: i64,
}

/// How near a citizen is to leaving.
#[derive(Clone, Debug, PartialEq)]
pub struct Decline {
    pub rent_arrears: i64,
    pub notice_day: i64,
    pub is_evicted: bool,
    pub is_unemployed: bool,
    pub collapse_streak: i64,
    pub neglect: [i64; BUCKETS],
    pub is_neglected: bool,
    pub deferred_reason: i64,
    pub deferred_tick: i64,
    pub kill_requested: bool,
    pub is_exit_pending: bool,
    pub lifespan_days: i64,
}

impl Default for Decline {
    fn default() -> Self {
        Self {
            rent_arrears: 0,
            notice_day: -1,
            is_evicted: false,
            is_unemployed: false,
            collapse_streak: 0,
            neglect: [0; BUCKETS],
            is_neglected: false,
            deferred_reason: -1,
            deferred_tick: NEVER,
            kill_requested: false,
            is_exit_pending: false,
            lifespan_days: 0,
        }
    }
}

/// What the reward engine remembers of a citizen.
#[derive(Clone, Debug, PartialEq)]
pub struct RewardAccount {
    pub episode_sum: f64,
    pub potential: f64,
    pub has_potential: bool,
    pub avoidance_tick: i64,
}

impl Default for RewardAccount {
    fn default() -> Self {
        Self { episode_sum: 0.0, potential: 0.0, has_potential: false, avoidance_tick: NEVER }
    }
}

/// Sums over the last ten tenths of a day, oldest first, the open one last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitness {
    pub returns: [f64; BUCKETS],
    pub deficits: [f64; BUCKETS],
    pub ticks: [i64; BUCKETS],
    pub violations: [i64; BUCKETS],
}

/// Where a citizen is expected; event 0 stands for no appointment.
#[derive(Clone, Debug, PartialEq)]
pub struct Appointment {
    pub event: i64,
    pub zone: i64,
    pub from_tick: i64,
    pub until_tick: i64,
}

impl Default for Appointment {
    fn default() -> Self {
        Self { event: 0, zone: NOTHING, from_tick: 0, until_tick: 0 }
    }
}

/// Somebody who lives in the town.
#[derive(Clone, Debug, PartialEq)]
pub struct Citizen {
    pub number: i64,
    pub seat: i64,
    pub slot: i64,
    pub profile: i64,
    pub traits: [f64; 3],
    pub home: i64,
    pub bed: i64,
    pub spawn_tick: i64,
    pub tile: i64,
    pub needs: [f64; NEEDS],
    pub wallet: f64,
    pub inventory: Vec<i64>,
    pub job: i64,
    pub holding: i64,
    pub queued: i64,
    pub is_running: bool,
    pub blocked_streak: i64,
    pub chat_ready_tick: i64,
    pub meal_tick: i64,
    pub meal_zone: i64,
    pub meet_ready_tick: i64,
    pub last_primitive: i64,
    pub last_success: bool,
    pub last_duration: i64,
    pub ctx_reset: bool,
    pub is_possessed: bool,
    pub possessed_primitive: i64,
    pub plan: Plan,
    pub shift: Shift,
    pub tally: Tally,
    pub decline: Decline,
    pub account: RewardAccount,
    pub fitness: Fitness,
    pub appointment: Appointment,
    pub ties: Vec<Tie>,
    pub facts: TickFacts,
}

impl Citizen {
    /// A newcomer of whom nothing else is known yet.
    #[must_use]
    pub fn new(number: i64, seat: i64, slot: i64, profile: i64) -> Self {
        Self {
            number,
            seat,
            slot,
            profile,
            traits: [0.0; 3],
            home: NOTHING,
            bed: NOTHING,
            spawn_tick: 0,
            tile: NOTHING,
            needs: [0.0; NEEDS],
            wallet: 0.0,
            inventory: Vec::new(),
            job: NOTHING,
            holding: NOTHING,
            queued: NOTHING,
            is_running: false,
            blocked_streak: 0,
            chat_ready_tick: NEVER,
            meal_tick: NEVER,
            meal_zone: NOTHING,
            meet_ready_tick: NEVER,
            last_primitive: primitive::WAIT,
            last_success: true,
            last_duration: 1,
            ctx_reset: true,
            is_possessed: false,
            possessed_primitive: NOTHING,
            plan: Plan::default(),
            shift: Shift::default(),
            tally: Tally::default(),
            decline: Decline::default(),
            account: RewardAccount::default(),
            fitness: Fitness::default(),
            appointment: Appointment::default(),
            ties: Vec::new(),
            facts: TickFacts::default(),
        }
    }

    /// Where it stands, as an index.
    #[inline]
    #[must_use]
    pub const fn at(&self) -> usize {
        self.tile as usize
    }
}
