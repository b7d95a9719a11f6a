"""A unit's first state, with carried-over damage and the effects of leadership, supply and siege."""

from typing import Final

from diorama.numerics import fmin, norm2pi
from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.packages.damage import CompartmentReport, DamageReport
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.resolve.hulls import lending_class
from diorama.worlds.tidebreak.resolve.siege import INTEGRITY_CAP, contested_compartments, system_cap
from diorama.worlds.tidebreak.resolve.unit_records import (
    ResolvedCompartment,
    ResolvedCrew,
    ResolvedHull,
    ResolvedStart,
)

_COMMAND: Final = 0.5
_SHORT_SUPPLY: Final = 0.85
_NO_SUPPLY: Final = 0.6
_SUPPLY_DAYS: Final = 7.0
_SUPPLY_QUALITY: Final = 0.5
_BURNING: Final = 0.3  # of a compartment that is said to burn or flood without a number: one critical hit's worth


def resolve_crew(ship: ShipSnapshot, content: Content) -> ResolvedCrew:
    """Count the people and weigh their skills."""
    base = lending_class(ship, content)
    skill = _supply_factor(ship)
    return ResolvedCrew(
        crew_start=ship.crew.crew_count or base.crew,
        gunnery=ship.crew.gunnery * skill,
        engineering=ship.crew.engineering * skill,
        fatigue=ship.crew.fatigue,
        morale=ship.crew.morale,
        command=_COMMAND if ship.leadership is None else ship.leadership.command_competence,
        marines=base.stores.marines if ship.marines is None else ship.marines,
        security=base.stores.security if ship.security is None else ship.security,
    )


def resolve_start(ship: ShipSnapshot, hull: ResolvedHull, crew_start: int, content: Content) -> ResolvedStart:
    """Place the unit and give it its damage."""
    state = ship.initial_state
    damage = ship.damage_state or DamageReport()
    stores = lending_class(ship, content).stores
    compartments = _compartments(ship, damage, hull.compartments, crew_start)
    fractions = [_system(damage, system) for system in System]
    caps = [system_cap(ship, system) for system in System]
    return ResolvedStart(
        x=state.x,
        y=state.y,
        heading=norm2pi(state.heading),
        speed_ms=state.speed,
        layer=int(state.layer),
        hp=hull.hp_max if state.hp is None else state.hp,
        systems=tuple(fmin(fraction, cap) for fraction, cap in zip(fractions, caps, strict=True)),
        # A lost share lowers the ceiling of its repair by half of it; what is contested cannot be repaired at all.
        ceilings=tuple(fmin(1.0 - (1.0 - fraction) / 2.0, cap) for fraction, cap in zip(fractions, caps, strict=True)),
        fire=_mean([part.fire for part in compartments]) if compartments else damage.fire,
        flood=_mean([part.flood for part in compartments]) if compartments else damage.flood,
        compartments=compartments,
        fuel_s=fuel_capacity(ship, content),
        decoys=stores.decoys if ship.decoys is None else ship.decoys,
    )


def fuel_capacity(ship: ShipSnapshot, content: Content) -> float:
    """Seconds at full speed, -1 without end."""
    fuel = lending_class(ship, content).stores.fuel_s
    return -1.0 if fuel is None else fuel


def _supply_factor(ship: ShipSnapshot) -> float:
    supply = ship.supply
    if supply is None:
        return 1.0
    if supply.days_of_supply == 0.0:
        return _NO_SUPPLY
    is_short = supply.days_of_supply < _SUPPLY_DAYS or supply.supply_quality < _SUPPLY_QUALITY
    return _SHORT_SUPPLY if is_short else 1.0


def _system(damage: DamageReport, system: System) -> float:
    report = damage.systems.get(system)
    return 1.0 if report is None else report.fraction


def _compartments(
    ship: ShipSnapshot, damage: DamageReport, count: int, crew_start: int
) -> tuple[ResolvedCompartment, ...]:
    reports = {report.id: report for report in damage.compartments or ()}
    contested = contested_compartments(ship, count)
    share = crew_start // count if count else 0
    return tuple(
        _compartment(reports.get(index), damage, is_contested=index in contested, crew=share) for index in range(count)
    )


def _compartment(
    report: CompartmentReport | None, damage: DamageReport, *, is_contested: bool, crew: int
) -> ResolvedCompartment:
    integrity, fire, flood, breached = 1.0, 0.0, 0.0, False
    if report is not None:
        integrity, breached = report.integrity, report.breached or report.integrity == 0.0
        fire = report.fire if report.fire is not None else (_BURNING if report.on_fire else 0.0)
        flood = report.flood if report.flood is not None else (_BURNING if report.flooded else 0.0)
        crew = crew if report.crew is None else report.crew
    elif damage.compartments is None:
        fire, flood = damage.fire, damage.flood
    if is_contested:
        integrity = fmin(integrity, INTEGRITY_CAP)
    return ResolvedCompartment(integrity=integrity, fire=fire, flood=flood, breached=breached, crew=crew)


def _mean(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / float(len(values))
