"""Which ships take part in a battle, and in what order of importance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.strength import ship_class, ship_cost
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Fleet, Force, Ship
from diorama.worlds.tidebreak.codes import UnitKind
from diorama.worlds.tidebreak.limits import UNITS_MAX


@dataclass(frozen=True, slots=True, kw_only=True)
class Combatant:
    """A ship in a battle and the fleet it sails in, None for platforms, cities and merchants."""

    ship: Ship
    fleet: Fleet | None
    is_merchant: bool = False

    @property
    def is_fixed(self) -> bool:
        """Whether it stands where it is: a platform or a city."""
        row = ship_class(self.ship.class_id)
        return row.kind is UnitKind.PLATFORM or row.name == "arcology"

    @property
    def is_submarine(self) -> bool:
        """Whether it starts below the surface."""
        return ship_class(self.ship.class_id).speed.submerged is not None

    @property
    def keeps_behind(self) -> bool:
        """Whether it starts behind the line: it carries goods or troops."""
        return self.ship.class_id in ("freighter", "assault_transport")

    @property
    def is_freighter(self) -> bool:
        """Whether it carries goods and keeps behind."""
        return self.ship.class_id == "freighter"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Both sides of a battle, the attacker first; what is too many waits in reserve."""

    attackers: tuple[Combatant, ...]
    defenders: tuple[Combatant, ...]
    reserves: int

    @property
    def all(self) -> tuple[Combatant, ...]:
        """Everybody, in the order of the package."""
        return (*self.attackers, *self.defenders)


_KEPT_PER_SIDE: Final = 1


def roster_of(state: CampaignState, encounter: Encounter) -> Roster:
    """Muster both sides; of more than 64 units the cheapest wait."""
    attackers = list(_muster(state, encounter.attacker))
    defenders = list(_muster(state, encounter.defender))
    everybody = sorted([*attackers, *defenders], key=lambda c: (-ship_cost(c.ship), c.ship.number))
    taken = everybody[:UNITS_MAX]
    for side in (attackers, defenders):
        if side and not any(combatant in taken for combatant in side):
            taken[-_KEPT_PER_SIDE] = side[0]
    return Roster(
        attackers=tuple(c for c in attackers if c in taken),
        defenders=tuple(c for c in defenders if c in taken),
        reserves=len(everybody) - len(taken),
    )


def _muster(state: CampaignState, force: Force) -> Iterator[Combatant]:
    for name in force.fixtures:
        ship = state.find_ship(name)
        if ship is not None:
            yield Combatant(ship=ship, fleet=None)
    for fleet_id in force.fleets:
        fleet = state.find_fleet(fleet_id)
        if fleet is not None:
            yield from (Combatant(ship=ship, fleet=fleet) for ship in state.ships_of(fleet))
    yield from (Combatant(ship=ship, fleet=None, is_merchant=True) for ship in force.merchants)
