from typing import Any

import numpy as np
import pytest

from diorama.contracts.values import U8, JsonObject
from diorama.worlds.prospector.contract import Act, Event
from diorama.worlds.prospector.picture import draw
from diorama.worlds.prospector.picture.facts import RenderFacts
from diorama.worlds.prospector.picture.rail import place_words
from tests.worlds.prospector.conftest import Fly


@pytest.fixture
def field(fly: Fly) -> JsonObject:
    pilot = fly(seed=42)
    for action in (Act.TRAVEL_NEIGHBOR, Act.SELECT_ASTEROID + 1, Act.STABILIZE_SELECTED):
        pilot.step(action)
    return pilot.batch.render_state(0)


def pixels(render_state: JsonObject, *events: str) -> U8:
    return np.asarray(draw(render_state, events))


def test_every_picture_has_the_same_size(fly: Fly, field: JsonObject) -> None:
    station = fly(seed=42).batch.render_state(0)

    assert draw(station, []).size == draw(field, [Event.MINE]).size == (984, 520)
    assert draw(station, []).mode == "RGB"


def test_the_same_moment_is_drawn_the_same(field: JsonObject) -> None:
    assert (pixels(field, Event.MINE) == pixels(field, Event.MINE)).all()


@pytest.mark.parametrize(
    "event",
    [
        *(Event.MINE, Event.SCAN, Event.TRAVEL, Event.EMERGENCY_BURN, Event.STABILIZE, Event.FRACTURE),
        *(Event.PIRATE_ENCOUNTER, Event.OVERHEAT_TICK, Event.INVALID_ACTION, Event.DESTROYED, Event.STRANDED),
    ],
)
def test_events_can_be_seen(event: Event, field: JsonObject) -> None:
    assert (pixels(field, event) != pixels(field)).any()


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        *(("ship", key, 5.0) for key in ("fuel", "hull", "heat", "tool", "alert")),
        ("ship", "cargo", [100.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ("ship", "repair_kits", 9),
        ("ship", "alert", 71.0),
        ("node", "type", "hazard"),
        ("node", "steps_to_station", 4),
        ("market", "price", [100.0] * 6),
        ("market", "delta", [9.0] * 6),
    ],
)
def test_instruments_show_the_state(part: str, key: str, value: object, field: Any) -> None:
    changed = {**field, part: {**field[part], key: value}}

    assert (pixels(changed) != pixels(field)).any()


def test_a_red_border_warns(field: Any) -> None:
    in_danger = {**field, "ship": {**field["ship"], "hull": 5.0}}

    assert tuple(pixels(field)[1, 300]) != (248, 84, 84)
    assert tuple(pixels(in_danger)[1, 300]) == (248, 84, 84)
    assert tuple(pixels(field, Event.PIRATE_ENCOUNTER)[518, 1]) == (248, 84, 84)


def test_rocks_shrink_as_they_are_used_up(field: Any) -> None:
    def lit(depletion: float) -> int:
        rocks = [{**rock, "depletion": depletion} for rock in field["asteroids"]]
        return int((pixels({**field, "asteroids": rocks})[:, :560].max(axis=2) > 60).sum())

    assert lit(0.1) > lit(0.5) > lit(0.9)


@pytest.mark.parametrize(
    ("node", "survival", "words"),
    [
        pytest.param({"index": 0, "type": "station", "steps_to_station": 0}, 1.0, "docked at the station", id="docked"),
        pytest.param({"index": 0, "type": "station", "steps_to_station": 0}, 0.0, "lost at the station", id="lost"),
        pytest.param({"index": 4, "type": "hazard", "steps_to_station": 2}, 1.0, "hazard 4, 2 from station", id="out"),
    ],
)
def test_only_a_ship_that_is_there_is_docked(node: JsonObject, survival: float, words: str, field: JsonObject) -> None:
    facts = RenderFacts.model_validate({**field, "node": node, "survival": survival})

    assert place_words(facts) == words
