"""What happened and what is about to: news, encounters, battles that were fought."""

from dataclasses import dataclass, field

from diorama.worlds.tidebreak.campaign.kinds import EncounterKind
from diorama.worlds.tidebreak.campaign.state.forces import Ship
from diorama.worlds.tidebreak.campaign.state.places import Stock, empty_stock


@dataclass(slots=True, kw_only=True)
class News:
    """One thing that happened; `cause` is the number of the news it follows from."""

    number: int
    day: int
    topic: str
    text: str
    factions: list[str]
    node: str | None
    cause: int | None


@dataclass(slots=True, kw_only=True)
class Force:
    """One side of an encounter.

    Attributes:
        faction: Whose side.
        fleets: Who takes part.
        fixtures: Ships outside fleets: a platform or a city.
        merchants: Freighters that exist for this shipment alone.
        origin: Node it comes from; gives the axis of the battle.
    """

    faction: str
    fleets: list[str]
    fixtures: list[str] = field(default_factory=list)
    merchants: list[Ship] = field(default_factory=list)
    origin: str | None = None


@dataclass(slots=True, kw_only=True)
class Encounter:
    """Two forces that will fight today.

    Attributes:
        number: Of the day, from 1.
        node: Place whose sea bed and weather it has.
        key: The two numbers that key its draws.
        cargo: Goods of an attacked shipment.
        receiver: Hub they are for.
        sender_faction: Who sent them.
    """

    battle_id: str
    number: int
    kind: EncounterKind
    node: str
    attacker: Force
    defender: Force
    key: tuple[int, int]
    cause: int | None
    cargo: Stock = field(default_factory=empty_stock)
    receiver: str | None = None
    sender: str | None = None

    @property
    def factions(self) -> tuple[str, str]:
        """Both sides, the attacker first."""
        return self.attacker.faction, self.defender.faction


@dataclass(slots=True, kw_only=True)
class BattleRecord:
    """A battle that was fought and taken into account."""

    battle_id: str
    day: int
    node: str
    factions: list[str]
    winner: str | None
    sha256: str
    summary: str


@dataclass(slots=True, kw_only=True)
class Ending:
    """How the campaign ended."""

    day: int
    reason: str
    winner: str | None
