"""Appointments: whether those who were asked to meet do meet."""

from itertools import combinations
from typing import Final

from diorama.worlds.townlet.codes import PerturbationKind, RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.notes import note_meeting
from diorama.worlds.townlet.reference.systems.presence import zone_of
from diorama.worlds.townlet.reference.systems.ties import apply_event

PAIR_BASE: Final = 64  # seats; a pair is lower seat * 64 + higher seat


def has_appointment(town: Town, citizen: Citizen) -> bool:
    """Whether a citizen is expected somewhere now."""
    appointment = citizen.appointment
    return appointment.event != 0 and appointment.from_tick <= town.tick < appointment.until_tick


def keep_appointments(town: Town) -> None:
    """Note every pair of participants who are in their zone together for the first time."""
    for event in town.perturbations.active:
        if event.kind != PerturbationKind.ARRANGED_MEET:
            continue
        there = sorted(seat for seat in event.participants if zone_of(town, town.citizen(seat)) == event.zone)
        for first, second in combinations(there, 2):
            pair = first * PAIR_BASE + second
            if pair in event.met:
                continue
            event.met.append(pair)
            citizen, other = town.citizen(first), town.citizen(second)
            apply_event(town, citizen, other, RelationEvent.APPOINTMENT_KEPT)
            town.record(EventKind.ARRANGED_MEET_KEPT, event.number, event.zone, citizen.number, other.number)
            note_meeting(town, EventKind.ARRANGED_MEET_KEPT, citizen, other)
