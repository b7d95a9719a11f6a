//! A citizen's shift, and the queue of those who may lose their place in town.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

use crate::codes::{NEVER, shift_state};

/// Arrival of somebody who has not come yet.
pub const NOT_ARRIVED: i64 = -1;

/// Where a citizen stands with its work.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    pub state: i64,
    pub arrival_tod: i64,
    pub last_present_tick: i64,
    pub present_ticks: i64,
    pub on_time_ticks: i64,
    pub late_ticks: i64,
    pub paid_this_shift: f64,
    pub late_charged: bool,
    pub absence_charged: bool,
    pub warned: bool,
    pub is_finalized: bool,
    pub is_excused: bool,
    pub is_on_shift: bool,
    pub attendance: Vec<f64>,
    pub absences: Vec<i64>,
    pub wages_today: f64,
    pub wageless_days: i64,
}

impl Default for Shift {
    fn default() -> Self {
        Self {
            state: shift_state::NONE,
            arrival_tod: NOT_ARRIVED,
            last_present_tick: NEVER,
            present_ticks: 0,
            on_time_ticks: 0,
            late_ticks: 0,
            paid_this_shift: 0.0,
            late_charged: false,
            absence_charged: false,
            warned: false,
            is_finalized: false,
            is_excused: false,
            is_on_shift: false,
            attendance: Vec::new(),
            absences: Vec::new(),
            wages_today: 0.0,
            wageless_days: 0,
        }
    }
}

impl Shift {
    /// Absences that still count.
    #[must_use]
    pub const fn absent_shifts_7d(&self) -> i64 {
        self.absences.len() as i64
    }

    /// Mean of the samples, 0 without any.
    #[must_use]
    pub fn attendance_ratio(&self) -> f64 {
        if self.attendance.is_empty() {
            return 0.0;
        }
        let mut total = 0.0;
        for sample in &self.attendance {
            total += sample;
        }
        total / self.attendance.len() as f64
    }
}

/// A citizen in the exit queue, by seat, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitEntry {
    pub seat: i64,
    pub since_tick: i64,
}

/// The exit queue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmploymentLedger {
    pub queue: Vec<ExitEntry>,
    pub approvals: Vec<i64>,
    pub exits_today: i64,
    pub overflow_told: bool,
}
