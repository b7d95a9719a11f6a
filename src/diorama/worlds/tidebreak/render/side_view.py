"""A frame as the player of one seat may see it: own units, tracks instead of enemies, and no other secrets."""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.contracts.world import Seen

_NOBODY: Final = 0
# Kinds whose sentence says who did it.
_NAME_THEIR_SOURCE: Final = frozenset(
    {"HIT", "DESTROYED", "DISABLED", "CAPTURED", "COLLISION", "WEAPON_FIRED", "SQUADRON_LOST", "BOARDING_STATE"}
)
# What a side hears of its own contacts: the same words for a ship and for a false echo.
_OF_CONTACTS: Final = {
    "CONTACT_NEW": "has a new contact",
    "CONTACT_UPGRADED": "has a better fix on a contact",
    "CONTACT_LOST": "lost a contact",
}
_KNOWN_TO_ALL: Final = frozenset({"BATTLE_START", "BATTLE_END"})
_MUNITION_ROW: Final = "munition"


def seen_by(frame: JsonObject, seat: int) -> Seen:
    """Return what the side of a seat knows.

    Args:
        frame: An omniscient frame.
        seat: Whose side; an empty seat sees the map and nobody.
    """
    side = _object(_list(frame["seats"])[seat])["team"]
    own_units = [unit for unit in _objects(frame["units"]) if unit["team"] == side]
    own_ids = {unit["id"] for unit in own_units}
    own = [entry for entry in _objects(frame["own"]) if entry["unit"] in own_ids]
    sensed = _sensed_munitions(own)
    names = {unit["id"]: unit["ship_id"] for unit in own_units}
    events = [told for event in _objects(frame["events"]) if (told := _told(event, names)) is not None]
    picture: JsonObject = {
        **frame,
        "view": side,
        "headline": {"win": _object(frame["headline"])["win"], "cost_margin": None},
        "teams": [_team(team, side) for team in _objects(frame["teams"])],
        "seats": [entry if entry["team"] == side else _hidden_seat(entry) for entry in _objects(frame["seats"])],
        "units": [{**unit, "target": None} for unit in own_units],
        "munitions": [
            munition
            for munition in _objects(frame["munitions"])
            if munition["team"] == side or munition["id"] in sensed
        ],
        "tracks": {str(side): [{**track, "contact": None} for track in _own_tracks(frame, side)]},
        "own": own,
        "objective": [entry for entry in _objects(frame["objective"]) if entry["unit"] in own_ids],
        "fields": {},
        "events": events,
    }
    return Seen(picture=picture, events=tuple(dict.fromkeys(str(event["kind"]).lower() for event in events)))


def _own_tracks(frame: JsonObject, side: JsonValue) -> Sequence[JsonObject]:
    tracks = _object(frame["tracks"])
    return _objects(tracks[str(side)]) if str(side) in tracks else []


def _sensed_munitions(own: Sequence[JsonObject]) -> set[JsonValue]:
    contacts = [contact for entry in own for contact in _objects(entry["contacts"])]
    return {contact["id"] for contact in contacts if contact["kind"] == _MUNITION_ROW}


def _team(team: JsonObject, side: JsonValue) -> JsonObject:
    return team if team["team_id"] == side else {**team, "cost_share": None, "units": None, "effective": None}


def _hidden_seat(entry: JsonObject) -> JsonObject:
    return {"seat": entry["seat"], "unit": _NOBODY, "ship_id": None, "team": entry["team"], "alive": False}


def _told(event: JsonObject, names: Mapping[JsonValue, JsonValue]) -> JsonObject | None:
    """What a side hears of an event: all of its own, that something was done to or by its ships, nothing else."""
    kind = str(event["kind"])
    is_by_own, is_on_own = event["source"] in names, event["target"] in names
    if kind in _OF_CONTACTS:
        text = f"{names.get(event['source'])} {_OF_CONTACTS[kind]}"
        return {**event, "target": _NOBODY, "f0": 0.0, "f1": 0.0, "text": text} if is_by_own else None
    if kind in _KNOWN_TO_ALL or (is_by_own and (is_on_own or event["target"] == _NOBODY)):
        return event
    plain = kind.replace("_", " ").lower()
    if is_on_own:
        text = plain if kind in _NAME_THEIR_SOURCE else str(event["text"])
        return {**event, "source": _NOBODY, "text": text}
    return {**event, "target": _NOBODY, "f0": 0.0, "f1": 0.0, "text": plain} if is_by_own else None


def _object(value: JsonValue) -> JsonObject:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no object of a frame")
    return value


def _list(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{value!r} is no list of a frame")
    return value


def _objects(value: JsonValue) -> list[JsonObject]:
    return [_object(item) for item in _list(value)]
