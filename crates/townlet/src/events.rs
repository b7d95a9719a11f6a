//! What happens in a town: kinds in bit order, and the events of a tick with their values as numbers.

#![expect(missing_docs, reason = "a kind is its name")]

/// Events by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    AgentSpawn,
    AgentExit,
    ExitDeferred,
    AgentNearDeath,
    AgentFainted,
    NeedCritical,
    AffordanceStart,
    AffordanceFinish,
    AffordanceFail,
    AffordancePreconditionFail,
    ReservationGranted,
    ReservationTimeout,
    QueueTimeout,
    QueueConflict,
    QueueInteraction,
    GhostStep,
    ChatSuccess,
    ChatFailure,
    SharedMeal,
    PolicyGuardrailBlock,
    RelationshipTieEvicted,
    JobLate,
    ShiftAbsent,
    ShiftDepartedEarly,
    ShiftCompleted,
    JobAssigned,
    EmploymentWarning,
    EmploymentHelpedWhenLate,
    EmploymentTookMyShift,
    EmploymentExitPending,
    EmploymentExitProcessed,
    EmploymentExitManualRequest,
    EmploymentExitDeferred,
    EmploymentExitQueueOverflow,
    RentPaid,
    RentMissed,
    StockReplenish,
    EconomyPriceUpdate,
    EconomyWarning,
    PerturbationStarted,
    PerturbationEnded,
    PerturbationCancelled,
    ArrangedMeetKept,
    ArrangedMeetMissed,
    ShowerComplete,
    SleepComplete,
    ShowerPowerOutage,
    EmbeddingForcedReuse,
    EmbeddingPoolExhausted,
    AgentTeleported,
    AgentPossessed,
    AgentReleased,
}

/// Number of kinds.
pub const EVENT_KINDS: usize = EventKind::AgentReleased as usize + 1;

/// Names by kind, as they are told.
pub const EVENT_NAMES: [&str; EVENT_KINDS] = [
    "agent_spawn",
    "agent_exit",
    "exit_deferred",
    "agent_near_death",
    "agent_fainted",
    "need_critical",
    "affordance_start",
    "affordance_finish",
    "affordance_fail",
    "affordance_precondition_fail",
    "reservation_granted",
    "reservation_timeout",
    "queue_timeout",
    "queue_conflict",
    "queue_interaction",
    "ghost_step",
    "chat_success",
    "chat_failure",
    "shared_meal",
    "policy_guardrail_block",
    "relationship_tie_evicted",
    "job_late",
    "shift_absent",
    "shift_departed_early",
    "shift_completed",
    "job_assigned",
    "employment_warning",
    "employment_helped_when_late",
    "employment_took_my_shift",
    "employment_exit_pending",
    "employment_exit_processed",
    "employment_exit_manual_request",
    "employment_exit_deferred",
    "employment_exit_queue_overflow",
    "rent_paid",
    "rent_missed",
    "stock_replenish",
    "economy_price_update",
    "economy_warning",
    "perturbation_started",
    "perturbation_ended",
    "perturbation_cancelled",
    "arranged_meet_kept",
    "arranged_meet_missed",
    "shower_complete",
    "sleep_complete",
    "shower_power_outage",
    "embedding_forced_reuse",
    "embedding_pool_exhausted",
    "agent_teleported",
    "agent_possessed",
    "agent_released",
];

/// Something that happened: `count` numbers from `from` on are the fields of its kind, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    pub kind: EventKind,
    pub tick: i64,
    pub from: usize,
    pub count: usize,
}

/// Events in the order they happened; cleared without giving memory back.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    entries: Vec<Event>,
    values: Vec<f64>,
}

impl EventLog {
    /// Notes an event.
    #[inline]
    pub fn push(&mut self, kind: EventKind, tick: i64, values: &[f64]) {
        self.entries.push(Event { kind, tick, from: self.values.len(), count: values.len() });
        self.values.extend_from_slice(values);
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.values.clear();
    }

    /// Events in order.
    #[must_use]
    pub fn entries(&self) -> &[Event] {
        &self.entries
    }

    /// The numbers of an event.
    #[must_use]
    pub fn values_of(&self, event: &Event) -> &[f64] {
        &self.values[event.from..event.from + event.count]
    }

    /// Replaces a number of an event, by the place of the event and that of the number in it.
    pub fn set_value(&mut self, index: usize, place: usize, value: f64) {
        let from = self.entries[index].from;
        self.values[from + place] = value;
    }

    /// Leaves an event only its first `count` numbers.
    pub fn cut(&mut self, index: usize, count: usize) {
        self.entries[index].count = count;
    }

    /// A bit for every kind that happened.
    #[must_use]
    pub fn kinds(&self) -> u64 {
        self.entries.iter().fold(0, |bits, event| bits | 1 << event.kind as u64)
    }
}
