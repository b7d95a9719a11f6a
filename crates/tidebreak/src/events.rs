//! What happened, as records that name their source, their cause and the root of their chain.

#![expect(missing_docs, reason = "a kind is its name")]

/// Cause of what has none.
pub const NO_EVENT: i64 = 0;
/// Kinds of events.
pub const EVENT_KINDS: usize = 39;

/// Kinds of events; the order is part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EventKind {
    BattleStart = 0,
    BattleEnd = 1,
    WeaponFired = 2,
    MunitionSpent = 3,
    Hit = 4,
    Damage = 5,
    Critical = 6,
    Destroyed = 7,
    Disabled = 8,
    Surrendered = 9,
    Captured = 10,
    Scuttled = 11,
    Exited = 12,
    Collision = 13,
    Grounding = 14,
    TransitionStart = 15,
    TransitionComplete = 16,
    TransitionBotched = 17,
    Ping = 18,
    ContactNew = 19,
    ContactUpgraded = 20,
    ContactLost = 21,
    Decoy = 22,
    PdKill = 23,
    FireStarted = 24,
    FloodingStarted = 25,
    BoardingState = 26,
    Beachhead = 27,
    Repulsed = 28,
    SquadronLaunched = 29,
    SquadronLost = 30,
    ObjectiveCompleted = 31,
    ObjectiveFailed = 32,
    Lightning = 33,
    Hazard = 34,
    FieldSaturated = 35,
    MunitionCap = 36,
    Conflict = 37,
    Operator = 38,
}

/// Names of the kinds, by code.
pub const EVENT_NAMES: [&str; EVENT_KINDS] = [
    "battle_start",
    "battle_end",
    "weapon_fired",
    "munition_spent",
    "hit",
    "damage",
    "critical",
    "destroyed",
    "disabled",
    "surrendered",
    "captured",
    "scuttled",
    "exited",
    "collision",
    "grounding",
    "transition_start",
    "transition_complete",
    "transition_botched",
    "ping",
    "contact_new",
    "contact_upgraded",
    "contact_lost",
    "decoy",
    "pd_kill",
    "fire_started",
    "flooding_started",
    "boarding_state",
    "beachhead",
    "repulsed",
    "squadron_launched",
    "squadron_lost",
    "objective_completed",
    "objective_failed",
    "lightning",
    "hazard",
    "field_saturated",
    "munition_cap",
    "conflict",
    "operator",
];

/// What there is to say of an event; written as `News { source, f0, ..News::of(kind) }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct News {
    pub kind: EventKind,
    /// Id of the entity that did it, 0 for nobody.
    pub source: i64,
    /// Id of the entity it was done to, 0 for nobody.
    pub target: i64,
    /// Id of the event that led to it, 0 for none.
    pub cause: i64,
    /// First number of the kind.
    pub f0: f64,
    /// Second number of the kind.
    pub f1: f64,
    /// Integer of the kind.
    pub i0: i64,
}

impl News {
    /// An event of which nothing but its kind is said.
    #[must_use]
    pub const fn of(kind: EventKind) -> Self {
        Self { kind, source: 0, target: 0, cause: NO_EVENT, f0: 0.0, f1: 0.0, i0: 0 }
    }
}

/// One thing that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// From 1, ascending in a battle.
    pub id: i64,
    pub tick: i64,
    /// Id of the first event of the chain of causes; its own without a cause.
    pub trace: i64,
    pub news: News,
}

/// Which events a log keeps; the numbers are the same either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeping {
    /// None: training only counts.
    #[default]
    Nothing,
    /// All of them.
    Everything,
}

/// Numbers events, and keeps them if it is told to.
#[derive(Clone, Debug)]
pub struct EventLog {
    /// Part of the state, so that causes stay true after a restore.
    pub next_event_id: i64,
    /// Bit of every kind that has happened since it was cleared.
    pub seen_kinds: u64,
    keeping: Keeping,
    events: Vec<Event>,
    first_unseen: usize,
}

impl EventLog {
    /// Begins without events.
    #[must_use]
    pub const fn new(keeping: Keeping) -> Self {
        Self { next_event_id: 1, seen_kinds: 0, keeping, events: Vec::new(), first_unseen: 0 }
    }

    /// Notes an event and returns its id, which later events may name as their cause.
    pub fn record(&mut self, tick: i64, news: News) -> i64 {
        let id = self.next_event_id;
        self.next_event_id += 1;
        self.seen_kinds |= 1 << news.kind as u8;
        if self.keeping == Keeping::Everything {
            let trace = if news.cause == NO_EVENT { id } else { self.trace_of(news.cause) };
            self.events.push(Event { id, tick, trace, news });
        }
        id
    }

    /// All events kept, by id.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Events kept since the last call.
    pub fn since_last_look(&mut self) -> &[Event] {
        let first = std::mem::replace(&mut self.first_unseen, self.events.len());
        &self.events[first..]
    }

    /// Forgets the events kept so far and which kinds there were.
    pub fn clear(&mut self) {
        self.events.clear();
        self.first_unseen = 0;
        self.seen_kinds = 0;
    }

    /// The root of an event's chain; one that is not kept is its own.
    fn trace_of(&self, cause: i64) -> i64 {
        let Some(first) = self.events.first() else { return cause };
        let place = usize::try_from(cause - first.id).ok();
        place.and_then(|place| self.events.get(place)).map_or(cause, |event| event.trace)
    }
}
