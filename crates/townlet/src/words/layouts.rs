//! The fields of every record, in the order of their words.

use kernel::bounded_records;

use crate::state::citizen::{Appointment, Citizen, Decline, Fitness, Plan, RewardAccount, Tally};
use crate::state::employment::{EmploymentLedger, ExitEntry, Shift};
use crate::state::facts::{Chat, TickFacts};
use crate::state::kpis::{KpiRow, KpiWindow};
use crate::state::ledgers::{
    ChurnWindow, ConflictNote, Departure, EconomyState, EmbeddingPool, LifecycleLedger, LiveRules, QueueMetrics,
    SocialLedger, SocialNote, Ticket,
};
use crate::state::objects::{ObjectState, QueueEntry};
use crate::state::perturbations::{CityEvent, PerturbationState, WindowStart};
use crate::state::ties::Tie;

bounded_records! {
    Plan { option, has_ended, commit_until, since_tick, goal, chats }
    Tally { meals_cooked, meals_consumed, showers_taken, sleep_sessions, chats_ok, chats_failed, wages_earned, wages_withheld, lateness_counter, attempts, invalid_actions, selections }
    Decline { rent_arrears, notice_day, is_evicted, is_unemployed, collapse_streak, neglect: counted, is_neglected, deferred_reason, deferred_tick, kill_requested, is_exit_pending, lifespan_days }
    RewardAccount { episode_sum, potential, has_potential, avoidance_tick }
    Fitness { returns: counted, deficits: counted, ticks: counted, violations: counted }
    Appointment { event, zone, from_tick, until_tick }
    Shift { state, arrival_tod, last_present_tick, present_ticks, on_time_ticks, late_ticks, paid_this_shift, late_charged, absence_charged, warned, is_finalized, is_excused, is_on_shift, attendance, absences, wages_today, wageless_days }
    Tie { other, trust, familiarity, rivalry, rivalry_tick }
    Chat { other, quality }
    TickFacts { is_paid, is_withheld, first_paid_arrival, chats, failed_as_speaker, failed_as_listener, has_avoided, exit_reason, is_rescued, option_starts, premature_switches }
    Citizen { number, seat, slot, profile, traits: counted, home, bed, spawn_tick, tile, needs: counted, wallet, inventory, job, holding, queued, is_running, blocked_streak, chat_ready_tick, meal_tick, meal_zone, meet_ready_tick, last_primitive, last_success, last_duration, ctx_reset, is_possessed, possessed_primitive, plan, shift, tally, decline, account, fitness, appointment, ties, facts }
    QueueEntry { seat, joined_tick }
    ObjectState { holder, stall, granted_tick, running, remaining, paid, owner, stock, cooldowns, queue } [kept]
    EconomyState { baselines: counted, live: counted, outages: counted }
    LiveRules { mortality, max_exits_per_day, daily_exit_cap, spawn_delay_min, spawn_delay_max, collapse_threshold, collapse_ticks }
    ExitEntry { seat, since_tick }
    EmploymentLedger { queue, approvals, exits_today, overflow_told }
    Ticket { due_tick, replaces }
    Departure { number, reason, tick, lived_days, afi }
    LifecycleLedger { exits_today, last_exit_tick, tickets, pool_exhausted_told, vacated } [departures]
    EmbeddingPool { holders, released, allocations_total, forced_reuse_count }
    CityEvent { number, spec, kind, started_at, ends_at, magnitude, prices, utility, zone, is_manual, participants, met }
    WindowStart { bucket, tick }
    PerturbationState { active, pending, ready_ticks, last_start, starts, next_event, utility_tick, price_tick }
    QueueMetrics { requests, grants, timeouts, cooldown_events, ghost_step_events, ghost_move_events, rotation_events, wait_ticks, max_wait_ticks, conflict_intensity_sum }
    ConflictNote { tick, object, actor, rival, reason, intensity }
    ChurnWindow { index, by_reason, by_owner }
    SocialNote { tick, kind, first, second, quality }
    SocialLedger { meal_ticks } [notes, conflicts, churn]
    KpiRow { start_tick, self_sufficiency, starvation_incidents, attendance, lateness, relationship_coverage, conflict_escalation, option_thrash, exits_per_day }
    KpiWindow { start_tick, incidents, late, shifts, exits, option_starts, premature_switches, well_ticks, lived_ticks, hungry_streaks, conflict_pairs } [rows]
}
