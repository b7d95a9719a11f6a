//! `employment`: lateness, absence and the exit queue.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use serde::Deserialize;

/// The employment loop.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Employment {
    pub enforce_job_loop: bool,
    pub grace_ticks: i64,
    pub absent_cutoff: i64,
    pub absence_slack: i64,
    pub late_tick_penalty: f64,
    pub absence_penalty: f64,
    pub max_absent_shifts: i64,
    pub attendance_window: i64,
    pub daily_exit_cap: i64,
    pub exit_queue_limit: i64,
    pub exit_review_window: i64,
    pub job_preassign_prob: f64,
}
