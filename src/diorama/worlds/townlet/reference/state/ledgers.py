"""The town's own books: prices, rules an operator may change, exits, embedding slots, queue and social metrics."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NEVER
from diorama.worlds.townlet.reference.state.marks import SERVICE


@dataclass(slots=True)
class EconomyState:
    """Prices and utilities.

    Attributes:
        baselines: By price.
        live: By price: baseline times the factors of running spikes.
        outages: By utility, how many running events turn it off.
    """

    baselines: list[float] = field(default_factory=list)
    live: list[float] = field(default_factory=list)
    outages: list[int] = field(default_factory=lambda: [0, 0])


@dataclass(slots=True)
class LiveRules:
    """Rules that begin as configured and that an operator may change."""

    mortality: bool
    max_exits_per_day: int
    daily_exit_cap: int
    spawn_delay_min: int
    spawn_delay_max: int
    collapse_threshold: float
    collapse_ticks: int


@dataclass(slots=True)
class Ticket:
    """A replacement on its way: when it is due, and whom it replaces."""

    due_tick: int
    replaces: int


@dataclass(slots=True)
class Departure:
    """A citizen who left, for the record."""

    number: int
    reason: int
    tick: int
    lived_days: float
    afi: float


@dataclass(slots=True)
class LifecycleLedger:
    """Exits and arrivals.

    Attributes:
        vacated: By seat, when somebody last left it.
        departures: The last five exits.
    """

    exits_today: int = 0
    last_exit_tick: int = NEVER
    tickets: list[Ticket] = field(default_factory=list)
    pool_exhausted_told: bool = False
    vacated: list[int] = field(default_factory=list)
    departures: list[Departure] = field(default_factory=list, metadata=SERVICE)


@dataclass(slots=True)
class EmbeddingPool:
    """Slots that stand for citizens.

    Attributes:
        holders: Citizen number by slot, -1 for a free one.
        released: Tick by slot at which it was released, long ago for one never used.
    """

    holders: list[int] = field(default_factory=list)
    released: list[int] = field(default_factory=list)
    allocations_total: int = 0
    forced_reuse_count: int = 0


@dataclass(slots=True)
class QueueMetrics:
    """Counts since the start."""

    requests: int = 0
    grants: int = 0
    timeouts: int = 0
    cooldown_events: int = 0
    ghost_step_events: int = 0
    ghost_move_events: int = 0
    rotation_events: int = 0
    wait_ticks: int = 0
    max_wait_ticks: int = 0
    conflict_intensity_sum: float = 0.0


@dataclass(slots=True)
class ConflictNote:
    """A conflict, for the record."""

    tick: int
    object: int
    actor: int
    rival: int
    reason: int
    intensity: float


@dataclass(slots=True)
class ChurnWindow:
    """Ties dropped in one window: by reason, and by owner's seat."""

    index: int
    by_reason: list[int] = field(default_factory=list)
    by_owner: list[int] = field(default_factory=list)


@dataclass(slots=True)
class SocialNote:
    """A meeting of two citizens, for the record: `EventKind`, citizen numbers, and how good it was."""

    tick: int
    kind: int
    first: int
    second: int
    quality: float


@dataclass(slots=True)
class SocialLedger:
    """What pairs share.

    Attributes:
        meal_ticks: When two last shared a meal, at lower seat * seats + higher seat.
        notes: The last 100 chats, shared meals and kept appointments.
        conflicts: The last 120 conflicts.
        churn: The last eight windows.
    """

    meal_ticks: list[int] = field(default_factory=list)
    notes: list[SocialNote] = field(default_factory=list, metadata=SERVICE)
    conflicts: list[ConflictNote] = field(default_factory=list, metadata=SERVICE)
    churn: list[ChurnWindow] = field(default_factory=list, metadata=SERVICE)
