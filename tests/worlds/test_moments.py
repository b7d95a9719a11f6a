"""Moments that no world writes are refused, or drawn as quickly as any other."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

import pytest

from diorama.contracts.errors import WorkStopped
from diorama.contracts.work import Work, working
from diorama.engine.venue import open_venue
from diorama.worlds.moments import MOST_LEVELS, MOST_VALUES, check_moment
from diorama.worlds.registry import load_world

_REFUSED: Final = (ArithmeticError, LookupError, TypeError, ValueError)
_PATIENCE_SECONDS: Final = 10.0
WORLDS: Final = ("prospector", "townlet", "tidebreak", "gameboy", "morphogenesis")


def moment(world_id: str) -> dict[str, Any]:
    venue = open_venue(world_id, threads=1)
    batch = venue.batch(venue.config, 1)
    batch.reset([7])
    state = dict(batch.render_state(0))
    batch.close()
    return state


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Name every kind of number of a moment once: of lists, the first."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*way, key))
    elif isinstance(value, list):
        if value:
            yield from places(value[0], (*way, 0))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield way


def replaced(state: dict[str, Any], way: tuple[Any, ...], value: object) -> dict[str, Any]:
    changed = deepcopy(state)
    part: Any = changed
    for key in way[:-1]:
        part = part[key]
    part[way[-1]] = value
    return changed


def draw_or_refuse(world_id: str, state: dict[str, Any]) -> None:
    draw = load_world(world_id).draw
    assert draw is not None
    try:
        with working(Work(_PATIENCE_SECONDS)):
            check_moment(state)
            draw(state, ())
    except WorkStopped:
        pytest.fail("drawing took too long")
    except _REFUSED:
        pass


@pytest.mark.parametrize("world_id", WORLDS)
@pytest.mark.parametrize(
    ("number", "most"),
    [
        pytest.param(10**9, 6, id="some"),
        pytest.param(10**9, 10_000, id="large", marks=pytest.mark.slow),
        pytest.param(2**63 - 1, 10_000, id="largest", marks=pytest.mark.slow),
    ],
)
def test_no_number_of_a_moment_makes_drawing_take_long(world_id: str, number: int, most: int) -> None:
    state = moment(world_id)
    ways = list(places(state))
    for way in ways[:: -(-len(ways) // most)]:
        draw_or_refuse(world_id, replaced(state, way, number))


def test_numbers_that_lead_nowhere_are_refused() -> None:
    for number in (2**63, -(2**63), 1e300, float("inf"), float("nan"), 10**5000):
        with pytest.raises(ValueError, match="numbers lie between"):
            check_moment({"map": {"zones": [{"rect": [0, 0, number, 1]}]}})


@pytest.mark.parametrize(
    "state",
    [
        pytest.param({"rows": [[0] * 1000] * (MOST_VALUES // 1000)}, id="values"),
        pytest.param({"text": "x" * (1 << 20) + "y"}, id="text"),
        pytest.param({"x" * (1 << 20) + "y": 1}, id="keys"),
    ],
)
def test_moments_that_hold_too_much_are_refused(state: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="it holds more than"):
        check_moment(state)


def test_moments_have_so_many_levels() -> None:
    state: dict[str, Any] = {}
    for _ in range(MOST_LEVELS + 1):
        state = {"in": state}

    with pytest.raises(ValueError, match="levels"):
        check_moment(state)


def test_a_town_is_no_larger_than_towns_are() -> None:
    town = moment("townlet")
    draw = load_world("townlet").draw
    assert draw is not None

    for way in (("map", "zones", 0, "rect", 2), ("map", "size", 0)):
        with pytest.raises(ValueError, match="less than or equal to 128"):
            draw(replaced(town, way, 129), ())


def test_a_history_of_accuracies_is_one_of_percents() -> None:
    host = moment("morphogenesis")
    draw = load_world("morphogenesis").draw
    assert draw is not None

    with pytest.raises(ValueError, match="less than or equal to 100"):
        draw(replaced(host, ("history", "accuracy"), [1e9]), ())
