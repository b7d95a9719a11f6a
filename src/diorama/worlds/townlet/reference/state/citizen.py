"""A citizen."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NEVER, NOTHING, Option, Primitive
from diorama.worlds.townlet.reference.state.employment import Shift
from diorama.worlds.townlet.reference.state.facts import TickFacts
from diorama.worlds.townlet.reference.state.ties import Tie

BUCKETS = 10  # of a tenth of a day each, for what is looked at over the last day


@dataclass(slots=True)
class Plan:
    """What a citizen has set out to do.

    Attributes:
        option: `Option`.
        has_ended: Whether it ended by its own rule or became infeasible; the next selection is free.
        commit_until: First tick at which another option may be selected.
        since_tick: When it was selected.
        goal: Tile it leads to, -1 for none.
        chats: Successful chats since it was selected.
    """

    option: int = Option.IDLE
    has_ended: bool = True
    commit_until: int = 0
    since_tick: int = 0
    goal: int = NOTHING
    chats: int = 0


@dataclass(slots=True)
class Tally:
    """Counts of a lifetime."""

    meals_cooked: int = 0
    meals_consumed: int = 0
    showers_taken: int = 0
    sleep_sessions: int = 0
    chats_ok: int = 0
    chats_failed: int = 0
    wages_earned: float = 0.0
    wages_withheld: float = 0.0
    lateness_counter: int = 0
    attempts: int = 0
    invalid_actions: int = 0
    selections: int = 0  # by the perturbation scheduler


@dataclass(slots=True)
class Decline:
    """How near a citizen is to leaving.

    Attributes:
        rent_arrears: Days.
        notice_day: Day on which the arrears became too many, -1 for none.
        is_evicted: Found at the last midnight; `is_unemployed` likewise.
        collapse_streak: Ticks in a row with hunger at or below the threshold.
        neglect: Ticks of neglect in the last ten tenths of a day, oldest first, the open one last.
        is_neglected: Found when the last tenth closed.
        deferred_reason: `ExitReason` that has been told as deferred, -1 for none.
        deferred_tick: Last tick at which an exit was held back.
        kill_requested: Whether an operator has asked for it.
        is_exit_pending: Whether it stands in the exit queue.
        lifespan_days: 0 for no end.
    """

    rent_arrears: int = 0
    notice_day: int = -1
    is_evicted: bool = False
    is_unemployed: bool = False
    collapse_streak: int = 0
    neglect: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    is_neglected: bool = False
    deferred_reason: int = -1
    deferred_tick: int = NEVER
    kill_requested: bool = False
    is_exit_pending: bool = False
    lifespan_days: int = 0


@dataclass(slots=True)
class RewardAccount:
    """What the reward engine remembers of a citizen.

    Attributes:
        episode_sum: All that was paid since it came.
        potential: Of the needs at the end of the last tick.
        has_potential: False until its first tick has ended.
        avoidance_tick: When avoidance was last paid.
    """

    episode_sum: float = 0.0
    potential: float = 0.0
    has_potential: bool = False
    avoidance_tick: int = NEVER


@dataclass(slots=True)
class Fitness:
    """Sums over the last ten tenths of a day, oldest first, the open one last."""

    returns: list[float] = field(default_factory=lambda: [0.0] * BUCKETS)
    deficits: list[float] = field(default_factory=lambda: [0.0] * BUCKETS)
    ticks: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    violations: list[int] = field(default_factory=lambda: [0] * BUCKETS)


@dataclass(slots=True)
class Appointment:
    """Where a citizen is expected; event 0 stands for no appointment."""

    event: int = 0
    zone: int = NOTHING
    from_tick: int = 0
    until_tick: int = 0


@dataclass(slots=True)
class Citizen:
    """Somebody who lives in the town.

    Attributes:
        number: Counts citizens in the order they came; never used again.
        seat: Row of the batch; taken for life.
        slot: Embedding slot.
        profile: Personality profile.
        traits: Extroversion, forgiveness, ambition, with jitter.
        home: Zone it lives in.
        bed: Object it sleeps in.
        tile: Where it stands.
        needs: Hunger, hygiene, energy; 1 is satisfied.
        inventory: By item.
        job: -1 for none.
        holding: Object it has reserved, -1 for none; while it is running, that one too.
        queued: Object it waits for, -1 for none.
        is_running: Whether it is doing something with what it holds.
        blocked_streak: Failed moves in a row.
        chat_ready_tick: First tick at which it may speak again.
        meal_tick: When it last finished a meal, in the zone `meal_zone`.
        meet_ready_tick: First tick at which it may be asked to meet somebody again.
        last_primitive: What it did last, whether that worked, and how long it takes.
        ctx_reset: Whether its next observation says that its memory must be cleared.
        possessed_primitive: What its possessor wants next, -1 for nothing.
        ties: In the order they came to be.
    """

    number: int
    seat: int
    slot: int
    profile: int
    traits: list[float] = field(default_factory=list)
    home: int = NOTHING
    bed: int = NOTHING
    spawn_tick: int = 0
    tile: int = NOTHING
    needs: list[float] = field(default_factory=list)
    wallet: float = 0.0
    inventory: list[int] = field(default_factory=list)
    job: int = NOTHING
    holding: int = NOTHING
    queued: int = NOTHING
    is_running: bool = False
    blocked_streak: int = 0
    chat_ready_tick: int = NEVER
    meal_tick: int = NEVER
    meal_zone: int = NOTHING
    meet_ready_tick: int = NEVER
    last_primitive: int = Primitive.WAIT
    last_success: bool = True
    last_duration: int = 1
    ctx_reset: bool = True
    is_possessed: bool = False
    possessed_primitive: int = NOTHING
    plan: Plan = field(default_factory=Plan)
    shift: Shift = field(default_factory=Shift)
    tally: Tally = field(default_factory=Tally)
    decline: Decline = field(default_factory=Decline)
    account: RewardAccount = field(default_factory=RewardAccount)
    fitness: Fitness = field(default_factory=Fitness)
    appointment: Appointment = field(default_factory=Appointment)
    ties: list[Tie] = field(default_factory=list)
    facts: TickFacts = field(default_factory=TickFacts)
