"""Departures: everything that happens when a citizen leaves for good."""

from typing import Final

from diorama.worlds.townlet.codes import NEVER, NOBODY, ExitReason, FailReason
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.ledgers import Departure, Ticket
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import fail_running
from diorama.worlds.townlet.reference.systems.embedding import release_slot
from diorama.worlds.townlet.reference.systems.fitness import agent_fitness_index
from diorama.worlds.townlet.reference.systems.queues import give_up
from diorama.worlds.townlet.reference.systems.ties import forget

DEPARTURES_KEPT: Final = 5


def lived_days(town: Town, citizen: Citizen) -> float:
    """Days since a citizen came."""
    return (town.tick - citizen.spawn_tick) / town.ticks_per_day


def remove_citizen(town: Town, citizen: Citizen, reason: ExitReason) -> None:
    """Take a citizen out of the town; a replacement is on its way, one draw of `world`."""
    if citizen.is_running:
        fail_running(town, citizen, FailReason.AGENT_REMOVED)
    give_up(town, citizen)
    town.objects[citizen.bed].owner = NOBODY
    _forget_everywhere(town, citizen)
    release_slot(town, citizen.number)
    days, afi = lived_days(town, citizen), agent_fitness_index(citizen)
    town.record(EventKind.AGENT_EXIT, citizen.number, reason, days, afi)
    town.lifecycle.departures.append(Departure(citizen.number, reason, town.tick, days, afi))
    del town.lifecycle.departures[:-DEPARTURES_KEPT]
    delay = town.streams.world.randint_inclusive(town.rules.spawn_delay_min, town.rules.spawn_delay_max)
    town.lifecycle.tickets.append(Ticket(town.tick + delay, citizen.number))
    town.occupancy[citizen.tile] -= 1
    town.seats[citizen.seat] = None
    town.lifecycle.vacated[citizen.seat] = town.tick
    town.kpis.exits += 1


def _forget_everywhere(town: Town, citizen: Citizen) -> None:
    seat = citizen.seat
    forget(town, seat)
    town.employment.queue = [entry for entry in town.employment.queue if entry.seat != seat]
    town.employment.approvals = [approved for approved in town.employment.approvals if approved != seat]
    for event in (*town.perturbations.active, *town.perturbations.pending):
        event.participants = [participant for participant in event.participants if participant != seat]
    for state in town.objects:
        state.cooldowns[seat] = NEVER
    for other in range(len(town.seats)):
        pair = town.pair(seat, other)
        town.social.meal_ticks[pair] = NEVER
        town.kpis.conflict_pairs[pair] = 0
    town.kpis.well_ticks[seat] = town.kpis.lived_ticks[seat] = town.kpis.hungry_streaks[seat] = 0
