"""Compartments of tier-2 hulls: where a hit lands, which systems live there, how fire and water spread."""

from typing import Final

from diorama.numerics import PI, fmax, fmin
from diorama.worlds.tidebreak.codes import System
from diorama.worlds.tidebreak.reference.components import Compartment
from diorama.worlds.tidebreak.reference.state import Unit

HULL_COMPARTMENTS: Final = 8
INNER_DISTRICTS: Final = 4  # upper city, lower decks, CIC tower, government seat; from index 8 on
INNER_CHANCE: Final = 0.2
BOW: Final = 0
STERN: Final = 7

DROWNED_FROM: Final = 0.8  # a host with more water than this carries nothing
HOST_LEAST: Final = 0.1
BREACH_FLOOD_PER_TICK: Final = 0.01
FIRE_SPREADS_FROM: Final = 0.5
FIRE_SPREAD: Final = 0.01
FLOOD_SPREADS_FROM: Final = 0.7
FLOOD_SPREAD: Final = 0.006

# Host compartments of each system with their weights, by `System`.
Hosts = tuple[tuple[int, float], ...]
_SIDES: Final[Hosts] = tuple((index, 1.0 / 6.0) for index in range(1, 7))
HULL_HOSTS: Final[tuple[Hosts, ...]] = (
    ((5, 0.25), (6, 0.25), (7, 0.5)),
    ((0, 0.2), (1, 0.2), (2, 0.2), (3, 0.1), (4, 0.1), (5, 0.1), (6, 0.1)),
    ((0, 0.3), (3, 0.35), (4, 0.35)),
    ((3, 0.3), (4, 0.3), (7, 0.4)),
    _SIDES,
)
DISTRICT_HOSTS: Final[tuple[Hosts, ...]] = (
    ((7, 0.5), (9, 0.5)),
    _SIDES,
    ((10, 0.7), (0, 0.3)),
    ((9, 0.6), (7, 0.4)),
    _SIDES,
)
HULL_DOORS: Final = (
    *((0, 1), (0, 2), (1, 2), (1, 3), (2, 4), (3, 4)),
    *((3, 5), (4, 6), (5, 6), (5, 7), (6, 7)),
)
DISTRICT_DOORS: Final = (
    *HULL_DOORS,
    *((8, 3), (8, 4), (8, 10), (8, 11), (9, 5), (9, 6), (9, 7), (9, 3), (9, 4)),
)


def struck_compartment(bearing: float) -> int:
    """Which of the eight outer compartments a hit from this relative bearing lands in; port is positive."""
    off_bow = abs(bearing)
    if off_bow < PI / 8.0:
        return BOW
    if off_bow > 7.0 * PI / 8.0:
        return STERN
    pair = 0 if off_bow < 3.0 * PI / 8.0 else (1 if off_bow < 5.0 * PI / 8.0 else 2)
    return 2 * pair + (1 if bearing > 0.0 else 2)


def usable(unit: Unit, system: System) -> float:
    """What a system can give: its fraction, on tier-2 hulls at most what the compartments it lives in allow."""
    fraction = unit.hull.systems[system]
    if not unit.compartments:
        return fraction
    hosts = HULL_HOSTS if len(unit.compartments) == HULL_COMPARTMENTS else DISTRICT_HOSTS
    cap = 0.0
    for index, weight in hosts[system]:
        cap += weight * _host_value(unit.compartments[index])
    return fmin(fraction, cap)


def lose_integrity(unit: Unit, index: int, effective: float) -> None:
    """Take a hit's share of the hull from one compartment; at nothing it is breached."""
    compartment = unit.compartments[index]
    loss = effective * float(len(unit.compartments)) / unit.spec.hull.hp_max
    compartment.integrity = fmax(0.0, compartment.integrity - loss)
    if compartment.integrity == 0.0:
        compartment.breached = True


def spread_fire_and_flood(unit: Unit) -> None:
    """Let breached compartments take water, and fire and water pass the doors, all from the values as they stand."""
    doors = HULL_DOORS if len(unit.compartments) == HULL_COMPARTMENTS else DISTRICT_DOORS
    leak = 1.0 - unit.spec.hull.bulkhead
    fires = [compartment.fire for compartment in unit.compartments]
    floods = [compartment.flood for compartment in unit.compartments]
    for compartment in unit.compartments:
        if compartment.breached:
            compartment.flood += BREACH_FLOOD_PER_TICK
    for one, other in doors:
        for here, there in ((one, other), (other, one)):
            if fires[here] > FIRE_SPREADS_FROM:
                unit.compartments[there].fire += FIRE_SPREAD * fires[here] * leak
            if floods[here] > FLOOD_SPREADS_FROM:
                unit.compartments[there].flood += FLOOD_SPREAD * floods[here] * leak
    for compartment in unit.compartments:
        compartment.fire = fmin(compartment.fire, 1.0)
        compartment.flood = fmin(compartment.flood, 1.0)


def average_over_compartments(unit: Unit) -> None:
    """Set the hull's fire and flood to the means of its compartments."""
    fire = flood = 0.0
    for compartment in unit.compartments:
        fire += compartment.fire
        flood += compartment.flood
    count = float(len(unit.compartments))
    unit.hull.fire, unit.hull.flood = fire / count, flood / count


def _host_value(compartment: Compartment) -> float:
    return 0.0 if compartment.flood > DROWNED_FROM else fmax(compartment.integrity, HOST_LEAST)
