"""Will to fight: what wears it down, and when a crew gives up."""

from collections.abc import Collection
from typing import Final

from diorama.numerics import clamp, hyp
from diorama.worlds.tidebreak.codes import Emissions, SizeClass, UnitKind, UnitStatus
from diorama.worlds.tidebreak.reference.draws import Stream, uniform
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.casualties import alive_share

MORALE_RATE: Final = 0.05
CHECK_EVERY_TICKS: Final = 10
SURRENDER_MORALE: Final = 0.25
SURRENDER_HP: Final = 0.35  # of hp_max
SURRENDER_ENEMY_M: Final = 6_000.0
SURRENDER_CHANCE: Final = 0.5
DEAD_IN_WATER_CHANCE: Final = 0.2
COMPARTMENT_TIER: Final = 2
LOST_STATUS: Final = (
    UnitStatus.DESTROYED | UnitStatus.SCUTTLED | UnitStatus.DISABLED | UnitStatus.CAPTURED | UnitStatus.SURRENDERED
)


def resolve_morale(battle: Battle, _outputs: Outputs) -> None:
    """Move everybody's morale, then let those give up who have had enough."""
    teams = range(len(battle.spec.teams))
    lost = [lost_share(battle, [team]) for team in teams]
    enemies_lost = [lost_share(battle, battle.spec.teams[team].enemies) for team in teams]
    crews = [unit for unit in battle.present_units() if unit.identity.kind != UnitKind.SQUADRON]
    for unit in crews:
        target = morale_target(unit, lost[unit.team], enemies_lost[unit.team])
        unit.morale.morale += MORALE_RATE * (target - unit.morale.morale)
    if battle.rules.surrender:
        for unit in crews:
            if _gives_up(battle, unit):
                surrender(battle, unit)


def lost_share(battle: Battle, teams: Collection[int]) -> float:
    """Share of the teams' starting cost that is out of the fight for good; who left the map is not."""
    total = gone = 0.0
    for spec in battle.spec.units:
        if spec.team in teams:
            total += spec.hull.cost
            if battle.unit(spec.id).has(LOST_STATUS):
                gone += spec.hull.cost
    return gone / total if total > 0.0 else 0.0


def morale_target(unit: Unit, lost_friends: float, lost_enemies: float) -> float:
    """Where morale tends to."""
    hull = unit.hull
    stress = (
        0.55 * (1.0 - hull.hp / unit.spec.hull.hp_max)
        + 0.25 * (1.0 - alive_share(unit))
        + 0.10 * hull.fire
        + 0.10 * hull.flood
        + 0.10 * lost_friends
        - 0.05 * lost_enemies
    )
    return clamp(unit.morale.morale_start - stress + 0.2 * (unit.crew.command - 0.5), 0.0, 1.0)


def surrender_chance(unit: Unit) -> float:
    """Probability that a check ends in surrender, once all it requires is there."""
    chance = SURRENDER_CHANCE * (SURRENDER_MORALE - unit.morale.morale) / SURRENDER_MORALE
    return chance + DEAD_IN_WATER_CHANCE if unit.has(UnitStatus.DEAD_IN_WATER) else chance


def surrender(battle: Battle, unit: Unit) -> None:
    """Stop fighting: helm amidships, weapons silent, nothing emitted."""
    unit.mark(UnitStatus.SURRENDERED)
    unit.motion.cmd_throttle = unit.motion.cmd_rudder = 0.0
    unit.posture.emissions = Emissions.SILENT
    battle.record(EventKind.SURRENDERED, unit.id, cause=unit.memory.last_damage_event, f0=unit.morale.morale)


def _gives_up(battle: Battle, unit: Unit) -> bool:
    if (battle.tick + unit.id) % CHECK_EVERY_TICKS != 0 or not unit.is_effective or not _may_surrender(unit):
        return False
    is_broken = unit.morale.morale < SURRENDER_MORALE and unit.hull.hp < SURRENDER_HP * unit.spec.hull.hp_max
    if not is_broken or not _has_enemy_near(battle, unit):
        return False
    return uniform(battle, Stream.MORALE, unit.id, 0, 0) < surrender_chance(unit)


def _may_surrender(unit: Unit) -> bool:
    is_fortress = unit.identity.kind == UnitKind.PLATFORM and unit.identity.tier == COMPARTMENT_TIER
    return unit.identity.size != SizeClass.XL and not is_fortress and not unit.spec.no_surrender


def _has_enemy_near(battle: Battle, unit: Unit) -> bool:
    return any(
        other.is_effective
        and battle.are_enemies(unit.team, other.team)
        and hyp(other.x - unit.x, other.y - unit.y) <= SURRENDER_ENEMY_M
        for other in battle.units
    )
