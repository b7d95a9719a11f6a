"""Why an action cannot be taken now, in words for a pilot.

Read from the render state, so that whoever sees a moment can explain it without simulating anything.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.prospector.contract import COMMODITIES, MAX_ASTEROIDS, MAX_NEIGHBORS, SELL_PERCENTS
from diorama.worlds.prospector.reference.constants import (
    DECOY_COST,
    DECOYS_MAX,
    FUEL_LARGE,
    FUEL_MAX,
    FUEL_MED,
    FUEL_SMALL,
    HULL_MAX,
    OVERHAUL_COST,
    REFINE_INPUTS,
    REPAIR_KIT_COST,
    REPAIR_KITS_MAX,
    STABILIZER_COST,
    STABILIZERS_MAX,
    STATION,
    TOOL_MAX,
)

_COMMODITY_WORDS: Final = ("iron", "nickel", "water ice", "platinum group", "rare isotopes", "volatiles")
_POSSIBLE: Final = ""
_NOT_DOCKED: Final = "only at the station"
_NOTHING_SELECTED: Final = "select an asteroid first"


def explain_mask(state: JsonObject, seat: int) -> tuple[str, ...]:
    """Return for each action what it lacks, empty where it lacks nothing.

    Args:
        state: A render state; its numbers are rounded, so that an amount of less than a millionth reads as none.
        seat: Always 0; a belt has one pilot.
    """
    view = _View(state)
    return (
        *(_travel(view, slot) for slot in range(MAX_NEIGHBORS)),
        _POSSIBLE,  # hold
        _POSSIBLE,  # emergency burn
        _POSSIBLE if view.asteroids else "no asteroids here",
        view.lacks_selection,
        view.lacks_selection,
        _POSSIBLE,  # listen
        *(_select(view, slot) for slot in range(MAX_ASTEROIDS)),
        view.lacks_selection,
        view.lacks_selection,
        view.lacks_selection,
        view.lacks_selection or _needs(view.amount("stabilizers") > 0, "no stabilizers left"),
        _needs(any(view.cargo[commodity] > 0 for commodity in REFINE_INPUTS), "needs iron or nickel in the hold"),
        _POSSIBLE,  # cooldown
        _repair(view, "tool", TOOL_MAX),
        _repair(view, "hull", HULL_MAX),
        *(_carried(view, commodity) for commodity in range(len(COMMODITIES))),
        view.lacks_station,
        *(
            view.lacks_station or _carried(view, commodity)
            for commodity in range(len(COMMODITIES))
            for _ in SELL_PERCENTS
        ),
        *(_buy(view, offer.cost, "fuel", FUEL_MAX) for offer in (FUEL_SMALL, FUEL_MED, FUEL_LARGE)),
        _buy(view, REPAIR_KIT_COST, "repair_kits", REPAIR_KITS_MAX),
        _buy(view, STABILIZER_COST, "stabilizers", STABILIZERS_MAX),
        _buy(view, DECOY_COST, "decoys", DECOYS_MAX),
        _overhaul(view),
        view.lacks_station,
    )


class _View:
    """The parts of a render state that preconditions speak of."""

    def __init__(self, state: JsonObject) -> None:
        self._ship = _object(state["ship"])
        self.neighbors = len(_list(state["neighbors"]))
        self.asteroids = [_object(rock) for rock in _list(state["asteroids"])]
        self.cargo = [_number(units) for units in _list(self._ship["cargo"])]
        self.credits = _number(state["credits"])
        self.lacks_station = _needs(_object(state["node"])["index"] == STATION, _NOT_DOCKED)
        self.lacks_selection = _needs(any(rock["selected"] for rock in self.asteroids), _NOTHING_SELECTED)

    def amount(self, name: str) -> float:
        return _number(self._ship[name])


def _travel(view: _View, slot: int) -> str:
    return _needs(slot < view.neighbors, "no route in this direction")


def _select(view: _View, slot: int) -> str:
    if slot >= len(view.asteroids):
        return "no such asteroid here"
    return _needs(_number(view.asteroids[slot]["depletion"]) < 1.0, "this asteroid is mined out")


def _carried(view: _View, commodity: int) -> str:
    return _needs(view.cargo[commodity] > 0, f"no {_COMMODITY_WORDS[commodity]} in the hold")


def _repair(view: _View, part: str, limit: float) -> str:
    if view.amount("repair_kits") <= 0:
        return "no repair kits left"
    return _needs(view.amount(part) < limit, f"the {part} is in perfect condition")


def _buy(view: _View, cost: float, item: str, limit: float) -> str:
    if lacking := view.lacks_station or _afford(view, cost):
        return lacking
    full = "the tank is full" if item == "fuel" else f"no room for more {item.replace('_', ' ')}"
    return _needs(view.amount(item) < limit, full)


def _overhaul(view: _View) -> str:
    if lacking := view.lacks_station or _afford(view, OVERHAUL_COST):
        return lacking
    is_worn = view.amount("hull") < HULL_MAX or view.amount("tool") < TOOL_MAX
    return _needs(is_worn, "hull and tool are in perfect condition")


def _afford(view: _View, cost: float) -> str:
    return _needs(view.credits >= cost, f"costs {cost:g} credits")


def _needs(is_met: bool, otherwise: str) -> str:
    return _POSSIBLE if is_met else otherwise


def _object(value: JsonValue) -> Mapping[str, JsonValue]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no object of a render state")
    return value


def _list(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{value!r} is no list of a render state")
    return value


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number of a render state")
    return float(value)
