"""What viewers and players are shown of a town."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.codes import OPTION_NAMES, PRIMITIVE_NAMES, Option, Primitive
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.events import Event, EventKind
from diorama.worlds.townlet.explanations import explain_mask
from diorama.worlds.townlet.frames import read_frame
from diorama.worlds.townlet.picture import draw
from diorama.worlds.townlet.reference.console.executing import execute
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController
from diorama.worlds.townlet.reference.decisions.deciding import action_mask
from diorama.worlds.townlet.reference.names import payload
from diorama.worlds.townlet.reference.simulation import TownletSimulation
from diorama.worlds.townlet.render.news import news_of
from diorama.worlds.townlet.render.rounding import coins, paid, share
from diorama.worlds.townlet.render.seen import seen_by
from diorama.worlds.townlet.render.sentences import SENTENCES
from tests.worlds.townlet.towns import PRIMITIVE, config_of

SEATS = 16
BYTES_PER_FRAME = 8_500  # of JSON before it is packed
LONGEST_EVENT = 12  # values; all 0 stands for the first citizen, object, job and so on
ABOUT_THE_TOWN = (EventKind.PERTURBATION_STARTED,)


@cache
def lived(ticks: int) -> TownletSimulation:
    """A town that has looked after itself for a while."""
    simulation = TownletSimulation(TownletConfig())
    simulation.reset(3)
    controller = BehaviorController()
    for _ in range(ticks):
        simulation.step(
            [
                (0 if citizen is None else controller.decide(simulation.town, citizen),)
                for citizen in simulation.town.seats
            ]
        )
    return simulation


def as_stored(picture: JsonObject) -> dict[str, Any]:
    """A picture after a way through a file."""
    stored: dict[str, Any] = json.loads(json.dumps(picture, separators=(",", ":")))
    return stored


def citizen_of(picture: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    return next(citizen for citizen in picture["citizens"] if citizen["seat"] == seat)


def test_a_moment_has_people_things_and_the_map() -> None:
    simulation = TownletSimulation(TownletConfig())
    simulation.step([(Option.SLEEP,)] * SEATS)

    picture = as_stored(simulation.render_state())

    assert (picture["schema_version"], picture["time"], picture["seat"]) == (1, 1, None)
    assert [citizen["seat"] for citizen in picture["citizens"]] == list(range(8))
    assert citizen_of(picture, 0)["option"] == "Sleep"
    assert {"survival", "total"} <= set(citizen_of(picture, 0)["reward"])
    assert len(picture["map"]["objects"]) == 22
    assert picture["map"]["zones"][0] == {"id": "home_1", "rect": [14, 16, 21, 21], "door": [18, 21]}


def test_a_moment_is_small() -> None:
    picture = lived(250).render_state()

    assert len(json.dumps(picture, separators=(",", ":"))) < BYTES_PER_FRAME


def test_a_restored_moment_shows_the_same_but_for_what_was_only_told_once() -> None:
    simulation = lived(250)
    restored = TownletSimulation(TownletConfig())
    restored.load_words(simulation.snapshot_words())

    was, now = as_stored(simulation.render_state()), as_stored(restored.render_state())

    for picture in (was, now):
        picture["events"] = []
        for citizen in picture["citizens"]:
            citizen["reward"] = {}
    assert now == was


def test_what_happens_is_told_in_words_with_who_took_part() -> None:
    simulation = TownletSimulation(TownletConfig())

    opening = as_stored(simulation.render_state())["events"]

    assert opening[0] == {
        "id": 1,
        "tick": 0,
        "kind": "agent_spawn",
        "text": "Ada comes to town to work as barista",
        "who": ["citizen_000"],
    }
    assert len({event["id"] for event in opening}) == 8


@pytest.mark.parametrize("kind", SENTENCES, ids=lambda kind: kind.name.lower())
def test_every_event_has_a_sentence_with_names_for_ids(kind: EventKind) -> None:
    town = lived(0).town
    record = payload(town, Event(kind, 5, (0.0,) * LONGEST_EVENT))

    (news,) = news_of(town, {kind.name.lower(): {"records": [{"tick": 5, **record}]}})

    assert isinstance(news, Mapping)
    text = str(news["text"])
    assert text
    assert "_" not in text
    assert news["who"] == [] or "Ada" in text or kind in ABOUT_THE_TOWN


def test_an_operators_events_have_sentences_of_their_own() -> None:
    simulation = TownletSimulation(TownletConfig())
    execute(simulation.town, "utility", "power", "off", duration=30)
    simulation.step([(0,)] * SEATS)

    picture = as_stored(simulation.render_state())

    assert picture["utilities"] == {"power": False, "water": True}
    assert [event["kind"] for event in picture["perturbations"]] == ["blackout"]
    assert "The power is out" in [event["text"] for event in picture["events"]]


def test_small_events_are_left_out() -> None:
    assert EventKind.RESERVATION_GRANTED not in SENTENCES
    assert EventKind.AFFORDANCE_START not in SENTENCES


def test_a_player_sees_the_whole_town_and_who_is_led() -> None:
    picture = lived(250).render_state()

    seen = seen_by(picture, 3)

    assert seen.picture == {**picture, "seat": 3}
    assert set(seen.events) <= {kind.name.lower() for kind in EventKind}


@pytest.mark.parametrize("level", ["option", "primitive"])
def test_everything_the_mask_rules_out_has_a_reason(level: str) -> None:
    simulation = TownletSimulation(config_of({"policy_runtime": {"action_level": level}}))
    simulation.load_words(lived(250).snapshot_words())
    picture = simulation.render_state()

    for citizen in simulation.town.living():
        mask = action_mask(simulation.town, citizen)
        reasons = explain_mask(picture, citizen.seat)
        assert len(reasons) == len(mask) == len(OPTION_NAMES if level == "option" else PRIMITIVE_NAMES)
        assert all(reason for bit, reason in zip(mask, reasons, strict=True) if not bit)


def test_reasons_speak_of_work_walls_and_empty_seats() -> None:
    simulation = TownletSimulation(config_of(PRIMITIVE))
    options = TownletSimulation(TownletConfig()).render_state()

    primitives = explain_mask(simulation.render_state(), 0)

    assert explain_mask(options, 0)[Option.GO_TO_WORK] == "too early: the shift begins at 06:28"
    assert primitives[Primitive.MOVE_NORTH] == "no way north"
    assert primitives[Primitive.INTERACT_0] == "nothing usable is in reach"
    assert explain_mask(options, SEATS - 1)[Option.SLEEP] == "nobody has this seat"


@pytest.mark.parametrize("ticks", [0, 250], ids=["night", "morning"])
def test_a_moment_can_be_drawn(ticks: int) -> None:
    picture = draw(lived(ticks).render_state(), ())

    assert picture.size == (640, 400)
    assert len(picture.getcolors(maxcolors=1 << 20) or ()) > 200


def test_a_town_is_darker_at_night() -> None:
    frame = as_stored(lived(0).render_state())

    night, noon = draw(frame, ()), draw({**frame, "tod": 500}, ())

    assert sum(night.getpixel((5, 5))[:3]) < sum(noon.getpixel((5, 5))[:3])  # type: ignore[index]


def test_a_frame_of_another_world_is_refused() -> None:
    with pytest.raises(ValueError, match="citizens"):
        read_frame({"schema_version": 1})


@pytest.mark.parametrize("rounded", [share, coins, paid])
def test_a_picture_shows_no_sign_before_a_zero(rounded: Callable[[float], float]) -> None:
    assert str(rounded(-0.0)) == str(rounded(-1e-9)) == "0.0"
