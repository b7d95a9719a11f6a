"""Ships, fleets, and where they are."""

from dataclasses import dataclass, field

from diorama.worlds.tidebreak.campaign.kinds import Resource, Stance
from diorama.worlds.tidebreak.campaign.state.places import Stock, empty_stock


@dataclass(slots=True, kw_only=True)
class Ship:
    """A hull between battles; shares are 0 to 1.

    Attributes:
        systems: Propulsion, weapons, sensors, power, ballast.
        compartments: Integrity of each, for hulls that have them.
        home: Hub its crew comes from.
        marines: Troops aboard; None for the number of its class.
        captain: Person.
        fleet: None for platforms, cities and merchants.
    """

    id: str
    number: int
    name: str
    class_id: str
    owner: str
    home: str
    hp_share: float = 1.0
    systems: list[float] = field(default_factory=lambda: [1.0] * 5)
    compartments: list[float] = field(default_factory=list)
    crew_share: float = 1.0
    gunnery: float = 0.5
    engineering: float = 0.5
    fatigue: float = 0.0
    ammo_share: float = 1.0
    decoy_share: float = 1.0
    marines: int | None = None
    captain: int | None = None
    fleet: str | None = None


@dataclass(slots=True, kw_only=True)
class Passage:
    """A fleet on a lane."""

    origin: str
    target: str
    days_left: float


@dataclass(slots=True, kw_only=True)
class Fleet:
    """Ships that sail together.

    Attributes:
        node: Where it lies; None while under way.
        passage: The lane it is on.
        came_from: Node it left last; gives the axis of a battle.
        path: Nodes still ahead, the end of the lane it is on excluded.
        supply: Water, food and fuel aboard, in units.
        cargo: Goods of a delivery.
        wins: Days of battles won, the last 14 days at least.
        losses: The same for battles lost.
    """

    id: str
    number: int
    name: str
    owner: str
    node: str | None
    ships: list[str]
    stance: Stance
    supply: dict[Resource, float]
    passage: Passage | None = None
    came_from: str | None = None
    path: list[str] = field(default_factory=list)
    mission: int | None = None
    commander: int | None = None
    cargo: Stock = field(default_factory=empty_stock)
    wins: list[int] = field(default_factory=list)
    losses: list[int] = field(default_factory=list)
