"""Why an order cannot be given now, in words for a captain; read from the frame."""

from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.tidebreak.contract import (
    FIRST_FOCUS_ORDER,
    HEADS,
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
)
from diorama.worlds.tidebreak.frames import OwnPart, UnitPart, read_frame
from diorama.worlds.tidebreak.layout import HOSTILE_ROWS

_POSSIBLE: Final = ""
_OUT: Final = "the ship cannot fight any more"
_EMPTY: Final = "nobody sits here"
_NO_TARGET: Final = "no contact can be engaged: too far, outside the arc or known too poorly"
_SURFACE, _ABYSSAL = 0, 2
_GROUP_WORDS: Final = {
    "GUN": "guns",
    "TORPEDO": "torpedoes",
    "MISSILE": "missiles",
    "ASW": "depth charges",
    "MINE": "mines",
    "AIR": "air wings",
}


def explain_mask(state: JsonObject, seat: int) -> tuple[str, ...]:
    """Return for every option of all heads what it lacks.

    Where the mask rules an option out the reason is given as far as the frame tells it; for the rest it is the most
    likely one, so only ask about options that are masked.

    Args:
        state: A frame; what one side sees of it is enough.
        seat: Who asks.
    """
    frame = read_frame(state)
    own = next((entry for entry in frame.own if entry.seat == seat), None)
    unit = None if own is None else frame.unit(own.unit)
    if own is None or unit is None:
        return _everywhere(_EMPTY)
    if not unit.is_effective:
        return _everywhere(_OUT)
    return (
        *_helm(own),
        *_layer(unit),
        *_emissions(unit),
        *_weapons(own),
        *_targets(own),
        *_support(own),
    )


def _everywhere(reason: str) -> tuple[str, ...]:
    return tuple(_POSSIBLE if option == head.noop else reason for head in HEADS for option in range(len(head.options)))


def _helm(own: OwnPart) -> list[str]:
    throttle = "the ship lies dead in the water" if own.speed_limit <= 0.0 else "the ship is made fast"
    reasons = []
    for head, reason in ((Head.THROTTLE, throttle), (Head.RUDDER, "the ship is made fast")):
        reasons += [_POSSIBLE if option == HEADS[head].noop else reason for option in range(len(HEADS[head].options))]
    return reasons


def _layer(unit: UnitPart) -> list[str]:
    busy = "the ship is changing its layer" if unit.mode else "the hull, the water or its damage do not allow it"
    reasons = dict.fromkeys(LayerOrder, busy)
    reasons[LayerOrder.HOLD] = _POSSIBLE
    if not unit.mode:
        if unit.layer == _SURFACE:
            reasons[LayerOrder.UP] = "the ship is on the surface"
        if unit.layer == _ABYSSAL:
            reasons[LayerOrder.DOWN] = "the ship is as deep as it goes"
        reasons[LayerOrder.POP_UP] = "only a submerged ship with weapons for it can pop up"
    return list(reasons.values())


def _emissions(unit: UnitPart) -> list[str]:
    return [
        _POSSIBLE if order is EmissionsOrder.KEEP or order - 1 != unit.emissions else "that is the present posture"
        for order in EmissionsOrder
    ]


def _weapons(own: OwnPart) -> list[str]:
    lacking = {group: _weapon(own, group) for group in _GROUP_WORDS}
    return [_POSSIBLE, *lacking.values(), _NO_TARGET]


def _weapon(own: OwnPart, group: str) -> str:
    aboard = next((weapon for weapon in own.weapons if weapon.group == group), None)
    words = _GROUP_WORDS[group]
    if aboard is None:
        return f"there are no {words} aboard"
    if aboard.ammo == 0:
        return f"the {words} have no ammunition left"
    if aboard.ready == 0:
        return f"the {words} are not ready"
    return _POSSIBLE if group == "MINE" else _NO_TARGET


def _targets(own: OwnPart) -> list[str]:
    filled = {contact.row for contact in own.contacts if contact.kind == "track"}
    rows = range(len(HEADS[Head.TARGET].options) - 1)
    return [_POSSIBLE, *(_target(row, is_filled=row in filled) for row in rows)]


def _target(row: int, *, is_filled: bool) -> str:
    if row >= HOSTILE_ROWS:
        return "friends and munitions cannot be designated"
    return _POSSIBLE if is_filled else "no contact stands in this row"


def _support(own: OwnPart) -> list[str]:
    reasons = dict.fromkeys(SupportOrder, _POSSIBLE)
    reasons[SupportOrder.DECOY] = "no decoys left" if own.decoys <= 0 else "the launcher is being reloaded"
    reasons[SupportOrder(FIRST_FOCUS_ORDER + own.dc_focus)] = "damage control does that already"
    reasons[SupportOrder.BOARD] = "no marines aboard" if own.marines <= 0.0 else "no ship to board within 3 km"
    reasons[SupportOrder.SCUTTLE] = "the ship is not in such straits"
    return list(reasons.values())
