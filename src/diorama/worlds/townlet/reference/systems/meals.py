"""Shared meals: who eats in the same place at about the same time grows closer."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING, RelationEvent
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.notes import note_meeting
from diorama.worlds.townlet.reference.systems.ties import apply_event

PAIR_PAUSE_TICKS: Final = 200


def share_meal(town: Town, citizen: Citizen, object_index: int) -> None:
    """Note a finished meal, and what it means for everybody who has just eaten in the same zone."""
    zone = town.tables.map.zone_of[citizen.tile]
    citizen.meal_tick, citizen.meal_zone = town.tick, zone
    if zone == NOTHING:
        return
    window = town.config.relationships.shared_meal_window
    for other in town.living():
        if other is citizen or other.meal_zone != zone or town.tick - other.meal_tick > window:
            continue
        pair = town.pair(citizen.seat, other.seat)
        if town.tick - town.social.meal_ticks[pair] < PAIR_PAUSE_TICKS:
            continue
        town.social.meal_ticks[pair] = town.tick
        apply_event(town, citizen, other, RelationEvent.SHARED_MEAL)
        town.record(EventKind.SHARED_MEAL, object_index, citizen.number, other.number)
        note_meeting(town, EventKind.SHARED_MEAL, citizen, other)
