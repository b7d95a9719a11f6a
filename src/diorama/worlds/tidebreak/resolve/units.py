"""Units in the order of their ids."""

from collections.abc import Mapping

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.resolve.equipment import resolve_mounts, resolve_sensors, resolve_signature
from diorama.worlds.tidebreak.resolve.hulls import lending_class, resolve_hull
from diorama.worlds.tidebreak.resolve.objectives import resolve_objective
from diorama.worlds.tidebreak.resolve.start import fuel_capacity, resolve_crew, resolve_start
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedUnit


def unit_ids(package: BattlePackage) -> dict[str, int]:
    """Unit id by ship id: from 1, by ascending byte order."""
    names = sorted((ship.ship_id for ship in package.ships), key=lambda name: name.encode())
    return {name: index + 1 for index, name in enumerate(names)}


def resolve_units(package: BattlePackage, content: Content) -> tuple[ResolvedUnit, ...]:
    """Expand every ship."""
    ids = unit_ids(package)
    teams = {team.team_id: index for index, team in enumerate(package.teams)}
    units = [_unit(ship, index, ids, teams, content) for index, ship in enumerate(package.ships)]
    return tuple(sorted(units, key=lambda unit: unit.id))


def _unit(
    ship: ShipSnapshot, index: int, ids: Mapping[str, int], teams: Mapping[str, int], content: Content
) -> ResolvedUnit:
    hull = resolve_hull(ship, content)
    crew = resolve_crew(ship, content)
    return ResolvedUnit(
        id=ids[ship.ship_id],
        ship_id=ship.ship_id,
        package_index=index,
        team=teams[ship.team_id],
        is_flagship=ship.is_flagship,
        no_surrender=ship.no_surrender,
        fleet_id=ship.fleet_id,
        fuel_capacity_s=fuel_capacity(ship, content),
        hull=hull,
        signature=resolve_signature(lending_class(ship, content).signature),
        sensors=resolve_sensors(ship, content),
        mounts=resolve_mounts(ship, content),
        crew=crew,
        start=resolve_start(ship, hull, crew.crew_start, content),
        objective=None if ship.objective is None else resolve_objective(ship.objective, ids),
    )
