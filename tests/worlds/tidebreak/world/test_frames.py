import json
from typing import Any

import numpy as np
import pytest

from diorama.contracts.values import JsonObject
from diorama.engine.make import make
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.bots import BOTS
from diorama.worlds.tidebreak.contract import N_OPTIONS, Event
from diorama.worlds.tidebreak.explanations import explain_mask
from diorama.worlds.tidebreak.frames import read_frame
from diorama.worlds.tidebreak.picture import draw
from diorama.worlds.tidebreak.render.side_view import seen_by
from diorama.worlds.tidebreak.sentences import EventRow, Names, sentence
from tests.worlds.tidebreak.world.battles import skirmish

KEYS = {
    "schema_version", "headline", "time", "time_remaining", "tick", "view", "battle", "bounds", "map", "weather",
    "storms", "teams", "seats", "units", "munitions", "tracks", "own", "objective", "fields", "domain", "events",
    "outcome",
}  # fmt: skip


@pytest.fixture(scope="module")
def moment() -> tuple[JsonObject, tuple[str, ...], list[int]]:
    """A frame of a strait, fought for a minute by one captain against scripts, with its events and first mask."""
    batch = make("tidebreak", config={"scenario": "strait_passage", "seats": 2}, tier="reference")
    batch.reset([1])
    captains = [BOTS["aggressor"]() for _ in range(batch.rows)]
    for _ in range(40):
        decisions = [
            captain.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) if batch.alive[row] else batch.spec.noop
            for row, captain in enumerate(captains)
        ]
        batch.step(np.array(decisions, np.int32))
    return batch.render_state(0), batch.step_record(0).events, batch.masks[0].tolist()


def plain(frame: JsonObject) -> Any:
    return json.loads(json.dumps(frame, allow_nan=False))


def test_a_frame_has_every_key_and_is_json(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    frame = plain(moment[0])

    assert set(frame) == KEYS
    assert (frame["view"], frame["time"], frame["time_remaining"] > 0) == ("omniscient", 40, True)
    assert set(frame["tracks"]) == {team["team_id"] for team in frame["teams"]}
    assert len(frame["map"]["depth"]["data"]) == 4 * 33 * 33 // 3
    assert read_frame(moment[0]).tick == 40


def test_events_are_told_in_words(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    frame = plain(moment[0])

    assert [event["id"] for event in frame["events"]] == sorted(event["id"] for event in frame["events"])
    assert all(event["text"] and event["tick"] == 39 for event in frame["events"])
    assert {event["kind"].lower() for event in frame["events"]} == set(moment[1])


def test_a_player_sees_tracks_and_no_enemy(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    seen = seen_by(moment[0], 0)
    frame = plain(seen.picture)
    side = frame["view"]

    assert side == plain(moment[0])["seats"][0]["team"]
    assert {unit["team"] for unit in frame["units"]} == {side}
    assert set(frame["tracks"]) == {side}
    assert all(track["contact"] is None for track in frame["tracks"][side])
    own = {unit["id"] for unit in frame["units"]} | {0}
    assert all({event["source"], event["target"]} <= own for event in frame["events"])
    hidden = {unit["ship_id"] for unit in plain(moment[0])["units"]} - {unit["ship_id"] for unit in frame["units"]}
    assert hidden
    assert not any(name in json.dumps(frame) for name in hidden)


def test_a_player_cannot_tell_a_false_echo_from_a_ship(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    frame = plain(moment[0])
    side = frame["seats"][0]["team"]
    own = next(unit["id"] for unit in frame["units"] if unit["team"] == side)
    enemy = next(unit["id"] for unit in frame["units"] if unit["team"] != side)
    contact = {"id": 1, "tick": 39, "kind": "CONTACT_NEW", "source": own, "cause": 0, "f0": 0.0, "f1": 0.0, "i0": 1}
    told = [
        seen_by({**frame, "events": [{**contact, "target": target, "text": text}]}, 0).picture["events"]
        for target, text in ((0, "made contact with a false echo"), (enemy, "made contact with an enemy"))
    ]

    assert told[0] == told[1] != []


def test_a_ship_that_nobody_sank_is_said_to_be_lost_to_the_sea() -> None:
    names = Names(units={1: "red-1"}, weapons=[], teams=[])
    stress = EventRow.read(Event.HAZARD, 8, (3, 0, 1, 0, 5.0, 0.0, 1))
    lost = EventRow.read(Event.DESTROYED, 8, (4, 0, 1, 3, 0.0, 0.0, 0))

    assert sentence(lost, names, {3: stress, 4: lost}) == "red-1 was destroyed by the sea"
    assert sentence(lost, names) == "red-1 was destroyed"


def test_the_picture_is_512_pixels_square(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    for frame in (moment[0], seen_by(moment[0], 0).picture):
        picture = draw(frame, moment[1])
        assert picture.size == (512, 512)
        assert len(picture.getcolors(maxcolors=1 << 20) or ()) > 50


def test_every_option_that_is_masked_is_explained(moment: tuple[JsonObject, tuple[str, ...], list[int]]) -> None:
    frame, _, mask = moment

    for shown in (frame, seen_by(frame, 0).picture):
        reasons = explain_mask(shown, 0)
        assert len(reasons) == N_OPTIONS
        assert all(reason for reason, valid in zip(reasons, mask, strict=True) if not valid)


def test_the_world_offers_all_of_it() -> None:
    world = load_world("tidebreak")

    assert list(world.bots) == list(BOTS)
    assert (world.draw, world.seen_by, world.explain_mask) == (draw, seen_by, explain_mask)


@pytest.mark.parametrize("tier", ["reference", "fast"])
def test_the_frame_of_a_battle_that_follows_another_tells_its_beginning(tier: str) -> None:
    batch = make("tidebreak", config={"package": skirmish(time_limit_s=10)}, tier=tier)
    batch.reset([1])
    for _ in range(10):
        batch.step(np.array([batch.spec.noop], np.int32))

    frame = plain(batch.render_state(0))

    assert batch.truncated.tolist() == [1]
    assert (frame["tick"], frame["events"][0]["kind"]) == (0, "BATTLE_START")
