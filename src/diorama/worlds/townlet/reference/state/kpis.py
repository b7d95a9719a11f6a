"""The open KPI window, and the rows of those that have closed."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.reference.state.marks import SERVICE


@dataclass(slots=True)
class KpiRow:
    """The numbers of one window, in the order of the world's metrics."""

    start_tick: int
    self_sufficiency: float
    starvation_incidents: float
    attendance: float
    lateness: float
    relationship_coverage: float
    conflict_escalation: float
    option_thrash: float
    exits_per_day: float


@dataclass(slots=True)
class KpiWindow:
    """Counts of the open window.

    Attributes:
        start_tick: First tick of the window.
        well_ticks: By seat, ticks with all needs above 0.3; `lived_ticks` all ticks.
        hungry_streaks: By seat, ticks in a row near starvation; these outlast a window.
        conflict_pairs: At lower seat * seats + higher seat: 1 after a conflict, 2 after one that led to avoidance.
        rows: Of the last 50 closed windows.
    """

    start_tick: int = 0
    incidents: int = 0
    late: int = 0
    shifts: int = 0
    exits: int = 0
    option_starts: int = 0
    premature_switches: int = 0
    well_ticks: list[int] = field(default_factory=list)
    lived_ticks: list[int] = field(default_factory=list)
    hungry_streaks: list[int] = field(default_factory=list)
    conflict_pairs: list[int] = field(default_factory=list)
    rows: list[KpiRow] = field(default_factory=list, metadata=SERVICE)


@dataclass(slots=True)
class TickReport:
    """What the last tick paid and ended, by seat; told to callers and kept nowhere."""

    rewards: dict[int, "RewardBreakdown"] = field(default_factory=dict)
    exits: dict[int, int] = field(default_factory=dict)
    invalid: set[int] = field(default_factory=set)
    commit_enforced: set[int] = field(default_factory=set)
    effective: dict[int, int] = field(default_factory=dict)
    primitives: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class RewardBreakdown:
    """One tick's reward of one citizen, part by part."""

    survival: float = 0.0
    needs_penalty: float = 0.0
    shaping: float = 0.0
    wage: float = 0.0
    punctuality: float = 0.0
    social_bonus: float = 0.0
    social_penalty: float = 0.0
    social_avoidance: float = 0.0
    curiosity: float = 0.0
    terminal_penalty: float = 0.0
    clip_adjustment: float = 0.0
    total: float = 0.0
    guardrail_active: bool = False
    clipped: bool = False

    @property
    def social(self) -> float:
        """Sum of the three social parts."""
        return self.social_bonus + self.social_penalty + self.social_avoidance
