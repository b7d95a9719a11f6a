//! The open KPI window, the rows of those that have closed, and what the last tick paid and ended.

#![expect(missing_docs, reason = "fields are told of in the readable tier")]

/// The numbers of one window, in the order of the world's metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct KpiRow {
    pub start_tick: i64,
    pub self_sufficiency: f64,
    pub starvation_incidents: f64,
    pub attendance: f64,
    pub lateness: f64,
    pub relationship_coverage: f64,
    pub conflict_escalation: f64,
    pub option_thrash: f64,
    pub exits_per_day: f64,
}

/// Counts of the open window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KpiWindow {
    pub start_tick: i64,
    pub incidents: i64,
    pub late: i64,
    pub shifts: i64,
    pub exits: i64,
    pub option_starts: i64,
    pub premature_switches: i64,
    pub well_ticks: Vec<i64>,
    pub lived_ticks: Vec<i64>,
    pub hungry_streaks: Vec<i64>,
    pub conflict_pairs: Vec<i64>,
    /// Kept in snapshots and left out of the hash.
    pub rows: Vec<KpiRow>,
}

/// What the last tick paid and ended, by seat; told to callers and kept nowhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TickReport {
    pub rewards: Vec<Option<RewardBreakdown>>,
    /// Seats and `exit_reason` in exit order.
    pub exits: Vec<(usize, i64)>,
    pub invalid: Vec<bool>,
    pub commit_enforced: Vec<bool>,
    pub effective: Vec<i64>,
    pub primitives: Vec<i64>,
}

impl TickReport {
    /// An empty report for so many seats.
    #[must_use]
    pub fn of_seats(seats: usize) -> Self {
        Self {
            rewards: vec![None; seats],
            exits: Vec::new(),
            invalid: vec![false; seats],
            commit_enforced: vec![false; seats],
            effective: vec![0; seats],
            primitives: vec![0; seats],
        }
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.rewards.fill(None);
        self.exits.clear();
        self.invalid.fill(false);
        self.commit_enforced.fill(false);
        self.effective.fill(0);
        self.primitives.fill(0);
    }

    /// Whether the citizen on a seat left in this tick.
    #[must_use]
    pub fn has_left(&self, seat: usize) -> bool {
        self.exits.iter().any(|&(left, _)| left == seat)
    }
}

/// One tick's reward of one citizen, part by part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RewardBreakdown {
    pub survival: f64,
    pub needs_penalty: f64,
    pub shaping: f64,
    pub wage: f64,
    pub punctuality: f64,
    pub social_bonus: f64,
    pub social_penalty: f64,
    pub social_avoidance: f64,
    pub curiosity: f64,
    pub terminal_penalty: f64,
    pub clip_adjustment: f64,
    pub total: f64,
    pub guardrail_active: bool,
    pub clipped: bool,
}

impl RewardBreakdown {
    /// Sum of the three social parts.
    #[must_use]
    pub fn social(&self) -> f64 {
        self.social_bonus + self.social_penalty + self.social_avoidance
    }
}
