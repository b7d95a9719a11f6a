"""What became of a ship, once the battle is over."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.codes import CaptureMethod, ShipFate, SizeClass, Terrain, UnitStatus
from diorama.worlds.tidebreak.reference.judge.score import remaining_cost
from diorama.worlds.tidebreak.reference.judge.standing import hp_share
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.terrain import depth_below
from diorama.worlds.tidebreak.resolve.terrain import terrain_of

NO_TEAM: Final = -1
MEDIUM_SALVAGE: Final = 0.3
SHALLOW_WRECK: Final = 0.1
LARGE_SALVAGE: Final = 0.4
REACHABLE: Final = (Terrain.SHALLOWS, Terrain.SHELF)


@dataclass(frozen=True, slots=True)
class Fate:
    """A fate; method and captor only for what was captured."""

    fate: ShipFate
    method: CaptureMethod | None = None
    captor_team: int | None = None

    @property
    def is_loss(self) -> bool:
        """Whether its owner has lost it for the battle."""
        return self.fate is not ShipFate.OPERATIONAL


def final_fate(battle: Battle, unit: Unit) -> Fate:
    """Read the fate off the status; who surrendered is captured if an enemy is left to do it."""
    if unit.has(UnitStatus.DESTROYED):
        return Fate(ShipFate.DESTROYED)
    if unit.has(UnitStatus.SCUTTLED):
        return Fate(ShipFate.SCUTTLED)
    if unit.has(UnitStatus.CAPTURED):
        captor = unit.memory.captor_team
        return Fate(ShipFate.CAPTURED, CaptureMethod(unit.memory.capture_method), None if captor == NO_TEAM else captor)
    if unit.has(UnitStatus.SURRENDERED):
        captor = _strongest_enemy(battle, unit)
        if captor == NO_TEAM:
            return Fate(ShipFate.DISABLED)
        return Fate(ShipFate.CAPTURED, CaptureMethod.SURRENDERED, captor)
    return Fate(ShipFate.DISABLED if unit.has(UnitStatus.DISABLED) else ShipFate.OPERATIONAL)


def _strongest_enemy(battle: Battle, unit: Unit) -> int:
    """Enemy team with most cost left, the lowest index on a tie; none if no enemy is effective."""
    best, best_cost = NO_TEAM, 0.0
    for team in battle.spec.teams[unit.team].enemies:
        is_standing = any(other.team == team and other.is_effective for other in battle.units)
        cost = remaining_cost(battle, team)
        if is_standing and (best == NO_TEAM or cost > best_cost):
            best, best_cost = team, cost
    return best


def salvage_value(battle: Battle, unit: Unit, fate: ShipFate) -> float:
    """Share of a ship's worth that can be raised or towed home."""
    size = unit.identity.size
    if size == SizeClass.M:
        is_reachable = terrain_of(depth_below(battle, unit.x, unit.y)) in REACHABLE
        wreck = SHALLOW_WRECK if fate is ShipFate.DESTROYED and is_reachable else 0.0
        return MEDIUM_SALVAGE * hp_share(unit) + wreck
    if size == SizeClass.L:
        return LARGE_SALVAGE + LARGE_SALVAGE * hp_share(unit)
    return 0.0
