"""Who meets whom in each stage."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose

_LINE_SHIPS: Final = ("cutter", "corvette", "frigate")
_PAIR_SHIPS: Final = ("cutter", "corvette", "frigate", "attack_sub")
_FLEET_SHIPS: Final = ("skimmer", "cutter", "corvette", "frigate", "attack_sub")
_SCREEN_SHIPS: Final = ("corvette", "frigate")
_CAPITALS: Final = ("dreadnought", "carrier")
_COST_MARGIN: Final = 0.1
_FLEET_TRIES: Final = 64
_PER_TRY: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Forces:
    """Classes of the two sides, in the order they line up; the named ships have roles in the objectives.

    Attributes:
        first: Classes of one side.
        second: Classes of the other.
        crippled: Class of the second side that starts badly damaged.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    crippled: str | None = None


def forces_of(draws: Draws, content: Content) -> Forces:
    """Draw the two sides of a stage from 1 to 11."""
    return _BY_STAGE[draws.stage](draws, content)


def _corvettes(_draws: Draws, _content: Content) -> Forces:
    return Forces(first=("corvette",), second=("corvette",))


def _dive(_draws: Draws, _content: Content) -> Forces:
    return Forces(first=("attack_sub",), second=("corvette", "corvette"))


def _equal_line_ships(draws: Draws, _content: Content) -> Forces:
    hull = _one(draws, _LINE_SHIPS, Purpose.FORCES, 0)
    return Forces(first=(hull,), second=(hull,))


def _pairs(draws: Draws, _content: Content) -> Forces:
    pair = tuple(_one(draws, _PAIR_SHIPS, Purpose.FORCES, index) for index in range(2))
    return Forces(first=pair, second=pair)


def _convoy(draws: Draws, _content: Content) -> Forces:
    freighters = draws.whole(2, 4, Purpose.FORCES, 0)
    escorts = draws.whole(2, 3, Purpose.FORCES, 1)
    submarines = draws.whole(1, 2, Purpose.FORCES, 2)
    return Forces(first=("corvette",) * escorts + ("freighter",) * freighters, second=("attack_sub",) * submarines)


def _fleets(draws: Draws, content: Content) -> Forces:
    first = _fleet(draws, Purpose.FORCES_FIRST, 0, (3, 8))
    return Forces(first=first, second=_match(draws, first, (3, 8), content))


def _capital(draws: Draws, content: Content) -> Forces:
    capital = _one(draws, _CAPITALS, Purpose.FORCES, 0)
    screen = tuple(
        _one(draws, _SCREEN_SHIPS, Purpose.FORCES_FIRST, index) for index in range(draws.whole(2, 4, Purpose.FORCES, 1))
    )
    middle = len(screen) // 2
    first = (*screen[:middle], capital, *screen[middle:])
    return Forces(first=first, second=_match(draws, first, (5, 12), content))


def _boarding(draws: Draws, _content: Content) -> Forces:
    if draws.whole(0, 1, Purpose.FORCES, 0) == 0:
        target = _one(draws, _CAPITALS, Purpose.FORCES, 1)
        return Forces(first=("corvette", "assault_transport", "assault_transport"), second=(target,), crippled=target)
    boarders = ("frigate", "assault_transport", "assault_transport", "assault_transport", "frigate")
    return Forces(first=boarders, second=("arcology",), crippled="arcology")


_BY_STAGE: Final[Mapping[int, Callable[[Draws, Content], Forces]]] = {
    1: _corvettes,
    2: _corvettes,
    3: _dive,
    4: _equal_line_ships,
    5: _equal_line_ships,
    6: _equal_line_ships,
    7: _pairs,
    8: _convoy,
    9: _fleets,
    10: _capital,
    11: _boarding,
}


def fleet_cost(classes: Sequence[str], content: Content) -> float:
    """Sum of the classes' costs."""
    return sum(content.classes[name].cost for name in classes)


def _one(draws: Draws, names: Sequence[str], purpose: Purpose, index: int) -> str:
    return names[draws.whole(0, len(names) - 1, purpose, index)]


def _fleet(draws: Draws, purpose: Purpose, attempt: int, size: tuple[int, int]) -> tuple[str, ...]:
    base = attempt * _PER_TRY
    count = draws.whole(*size, purpose, base)
    return tuple(_one(draws, _FLEET_SHIPS, purpose, base + 1 + index) for index in range(count))


def _match(draws: Draws, against: tuple[str, ...], size: tuple[int, int], content: Content) -> tuple[str, ...]:
    """Draw fleets until one costs what the other side does, within a tenth; else mirror that side."""
    cost = fleet_cost(against, content)
    for attempt in range(_FLEET_TRIES):
        fleet = _fleet(draws, Purpose.FORCES_SECOND, attempt, size)
        if abs(fleet_cost(fleet, content) - cost) <= _COST_MARGIN * cost:
            return fleet
    return against
