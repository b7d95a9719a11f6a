"""Factions, what they think of each other, and what they have agreed on."""

from dataclasses import dataclass, field

from diorama.worlds.tidebreak.campaign.kinds import (
    GoalKind,
    MissionKind,
    MissionStatus,
    Resource,
    Role,
    RouteKind,
    RouteStatus,
    Trait,
    TreatyKind,
)


@dataclass(slots=True, kw_only=True)
class Creed:
    """Philosophy of a faction, each weight 0 to 1."""

    militarism: float
    commercialism: float
    isolationism: float
    expansionism: float
    traditionalism: float

    @property
    def aggression(self) -> float:
        """How ready it is to attack."""
        return 0.6 * self.militarism + 0.4 * self.expansionism

    @property
    def alliance(self) -> float:
        """How ready it is to agree."""
        return 0.5 * self.commercialism + 0.3 * (1.0 - self.isolationism) + 0.2


@dataclass(slots=True, kw_only=True)
class Goal:
    """Something a faction strives for today; `target` is a faction id where the goal has one."""

    kind: GoalKind
    target: str | None
    score: float


@dataclass(slots=True, kw_only=True)
class Loss:
    """Cost of ships lost on a day."""

    day: int
    cost: float


@dataclass(slots=True, kw_only=True)
class Faction:
    """A power.

    Attributes:
        number: Keys its draws.
        is_major: Its defeat ends the campaign.
        capital: Hub id.
        base_morale: From legitimacy and prosperity.
        battle_modifier: Of battles, fading.
        attrition_modifier: Of ships lost.
        goals: The two strongest of today, the strongest first.
        vengeance: Points against other factions.
        reputation: Of the player with this faction, 0 to 1.
        fleet_costs: Cost of all ships, one entry a day, the last 61.
        goods_planned: Units its routes were to bring or take.
        goods_delivered: Units that arrived.
        defeated_day: None while it exists.
        returns: How often it came back.
    """

    id: str
    number: int
    name: str
    is_major: bool
    creed: Creed
    tech_tags: list[str]
    capital: str
    base_morale: float = 0.6
    battle_modifier: float = 0.0
    attrition_modifier: float = 0.0
    action_points: float = 0.0
    goals: list[Goal] = field(default_factory=list)
    vengeance: dict[str, float] = field(default_factory=dict)
    reputation: float = 0.5
    leader: int | None = None
    losses: list[Loss] = field(default_factory=list)
    fleet_costs: list[float] = field(default_factory=list)
    goods_planned: float = 0.0
    goods_delivered: float = 0.0
    defeated_day: int | None = None
    returns: int = 0


@dataclass(slots=True, kw_only=True)
class Relation:
    """What two factions, `a` before `b` by number, are to each other; disposition is -1 to 1."""

    a: str
    b: str
    disposition: float
    is_at_war: bool = False
    since_day: int = 0
    cause: int | None = None


@dataclass(slots=True, kw_only=True)
class Treaty:
    """An agreement; `end_day` None lasts. The overlord of a vassalage is `a`."""

    number: int
    kind: TreatyKind
    a: str
    b: str
    signed_day: int
    end_day: int | None
    news: int


@dataclass(slots=True, kw_only=True)
class Offer:
    """A treaty that was offered to the player and waits for an answer."""

    number: int
    kind: TreatyKind
    by: str
    to: str
    expires_day: int
    news: int


@dataclass(slots=True, kw_only=True)
class Embargo:
    """Nothing is traded with a faction."""

    by: str
    against: str
    since_day: int


@dataclass(slots=True, kw_only=True)
class Route:
    """A standing shipment between two hubs; goods are units per day, limited by the capacity of each direction."""

    id: str
    number: int
    name: str
    kind: RouteKind
    origin: str
    destination: str
    path: list[str]
    capacity: float
    goods: dict[Resource, float]
    goods_back: dict[Resource, float]
    status: RouteStatus = RouteStatus.OPEN
    threat: float = 0.0
    moved: dict[Resource, float] = field(default_factory=dict)
    moved_back: dict[Resource, float] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Mission:
    """A task for a fleet.

    Attributes:
        target: A node, route, fleet or hub, as the kind asks.
        node: Where it takes place.
        fleets: Who is on it; the first leads.
        rendezvous: Where the fleets of an invasion gather first.
        stay_days: Days on station so far.
        visibility: Reputation from which the player is told.
        reputation: Gained by success, lost by failure.
    """

    number: int
    kind: MissionKind
    issuer: str
    target: str
    node: str
    created_day: int
    deadline_day: int
    reward: dict[Resource, float]
    reputation: float
    visibility: float
    status: MissionStatus = MissionStatus.OPEN
    fleets: list[str] = field(default_factory=list)
    rendezvous: str | None = None
    is_gathered: bool = False
    stay_days: int = 0
    news: int | None = None


@dataclass(slots=True, kw_only=True)
class Siege:
    """Troops inside a city; control is 0 to 1, purged at 0 and conquered at 1."""

    number: int
    hub: str
    attacker: str
    defender: str
    control: float
    troops: float
    breach_quality: float
    started_day: int
    attacker_next_day: int
    defender_next_day: int
    news: int


@dataclass(slots=True, kw_only=True)
class Person:
    """Somebody with a name and an office; abilities are 0 to 1.

    Attributes:
        faction: None for those who wait to be hired.
        post: Hub, fleet or ship of the office, faction for a leader.
        grudges: Against factions, fading.
    """

    number: int
    name: str
    faction: str | None
    role: Role
    post: str | None
    command: float
    operations: float
    engineering: float
    intelligence: float
    politics: float
    traits: list[Trait]
    loyalty: float
    ambition: float
    grudges: dict[str, float] = field(default_factory=dict)
