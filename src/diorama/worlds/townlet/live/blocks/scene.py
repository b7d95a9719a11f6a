"""`Scene`: a live town at the moment it is told, with what blocks look at more than once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from diorama.contracts.live.world import Opinion, PolicyIdentity
from diorama.worlds.townlet.config.economy import basket_cost
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import TickReport
from diorama.worlds.townlet.reference.state.town import Town

SLOW_TICKS: Final = 10  # how often numbers are told that move a little in every tick


class TieRow(NamedTuple):
    """A tie at this moment: the other's id, and what its owner feels."""

    other: str
    trust: float
    familiarity: float
    rivalry: float


@dataclass(slots=True)
class Decisions:
    """How the decisions of a tick came about.

    Attributes:
        policy: Who was asked.
        by_seat: Whose word counted: also `possessed` and `committed`.
        opinions: By seat, where a learned policy was asked.
    """

    policy: PolicyIdentity = field(default_factory=PolicyIdentity)
    by_seat: Mapping[int, str] = field(default_factory=dict)
    opinions: Mapping[int, Opinion] = field(default_factory=dict)


@dataclass(slots=True)
class Scene:
    """A town and what has just happened in it.

    Attributes:
        report: What the last tick paid.
        ids: By seat, the citizen's id; empty for a free one.
        ties: By seat.
        basket: What a day costs now.
        slow: Changes every few ticks.
        edition: Changes when the town was given other tables or another configuration.
    """

    town: Town
    report: TickReport = field(default_factory=TickReport)
    decisions: Decisions = field(default_factory=Decisions)
    ids: list[str] = field(default_factory=list)
    ties: list[tuple[TieRow, ...]] = field(default_factory=list)
    basket: float = 0.0
    slow: int = -1
    edition: int = 0
    _known_ids: dict[int, str] = field(default_factory=dict)

    def look(self) -> None:
        """Take note of this moment."""
        town = self.town
        self.ids = ["" if citizen is None else self.id_of(citizen.number) for citizen in town.seats]
        self.ties = [() if citizen is None or not citizen.ties else self._ties_of(citizen) for citizen in town.seats]
        self.basket = basket_cost(town.economy.live)
        self.slow = town.tick // SLOW_TICKS

    def id_of(self, number: int) -> str:
        """Id of a citizen by number."""
        known = self._known_ids.get(number)
        if known is None:
            known = self._known_ids[number] = agent_id(self.town, number)
        return known

    def id_at(self, seat: int) -> str | None:
        """Id of the citizen on a seat, None for nobody."""
        return self.ids[seat] or None if seat >= 0 else None

    def object_id(self, index: int) -> str | None:
        """Id of an object, None for nothing."""
        return self.town.tables.objects[index].id if index >= 0 else None

    def _ties_of(self, citizen: Citizen) -> tuple[TieRow, ...]:
        rule, tick, ids = self.town.config.conflict.rivalry, self.town.tick, self.ids
        low, decay = rule.min_value, rule.decay_per_tick
        return tuple(
            TieRow(
                ids[tie.other], tie.trust, tie.familiarity, max(low, tie.rivalry - decay * (tick - tie.rivalry_tick))
            )
            for tie in citizen.ties
        )
