"""What befalls the town: running and planned events, and what the scheduler remembers."""

from dataclasses import dataclass, field

from diorama.worlds.townlet.codes import NEVER, NOTHING


@dataclass(slots=True)
class CityEvent:
    """One event.

    Attributes:
        number: `evt_<number>`.
        spec: Row of the perturbation it came from.
        kind: `PerturbationKind`.
        ends_at: First tick at which it is over.
        magnitude: Factor on prices.
        prices: Bits of the prices it multiplies.
        utility: What it turns off, -1 for nothing.
        zone: Where the participants are expected, -1 for nowhere.
        participants: By seat.
        met: Pairs that have met, each as lower seat * 64 + higher seat.
    """

    number: int
    spec: int
    kind: int
    started_at: int
    ends_at: int
    magnitude: float = 1.0
    prices: int = 0
    utility: int = NOTHING
    zone: int = NOTHING
    is_manual: bool = False
    participants: list[int] = field(default_factory=list)
    met: list[int] = field(default_factory=list)


@dataclass(slots=True)
class WindowStart:
    """A start that counts against the limit of its fairness bucket."""

    bucket: int
    tick: int


@dataclass(slots=True)
class PerturbationState:
    """What the scheduler remembers.

    Attributes:
        active: In the order they started; `pending` in the order they were asked for.
        ready_ticks: By perturbation, first tick at which it may start again.
        last_start: Tick of the last start of any.
        starts: Of the last window, oldest first.
        next_event: Number of the next event.
        utility_tick: Last tick with a blackout or outage; `price_tick` with a price spike.
    """

    active: list[CityEvent] = field(default_factory=list)
    pending: list[CityEvent] = field(default_factory=list)
    ready_ticks: list[int] = field(default_factory=list)
    last_start: int = NEVER
    starts: list[WindowStart] = field(default_factory=list)
    next_event: int = 1
    utility_tick: int = NEVER
    price_tick: int = NEVER
