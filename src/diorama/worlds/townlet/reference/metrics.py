"""The metrics of a seat: those of the town, then those of its citizen."""

from dataclasses import astuple

from diorama.worlds.townlet.codes import NEED_NAMES
from diorama.worlds.townlet.contract import CITIZEN_METRICS
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.departures import lived_days
from diorama.worlds.townlet.reference.systems.kpis import latest_row

NO_CITIZEN = (0.0,) * len(CITIZEN_METRICS)


def town_metrics(town: Town) -> tuple[float, ...]:
    """Metrics of the whole town, over the day so far; over the last day at midnight."""
    _, *values = astuple(latest_row(town))
    return tuple(values)


def citizen_metrics(town: Town, citizen: Citizen) -> tuple[float, ...]:
    """Metrics of one citizen."""
    total = 0.0
    for need in citizen.needs:
        total += need
    return lived_days(town, citizen), total / len(NEED_NAMES), citizen.wallet, citizen.tally.wages_earned
