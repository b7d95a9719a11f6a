"""What seats see as arrays, and decisions of other seats that a client takes itself."""

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from pydantic import JsonValue
from websockets.sync.client import connect

from diorama.contracts.errors import ConfigError
from diorama.runs.replays.scene import Scene
from diorama.server.models.play import SeatDecision, SeatRows, SessionMoments
from diorama.server.play.describing import moments_of
from diorama.server.play.errors import ActionRefused, SessionConflict
from diorama.server.play.hindsight import Hindsight
from diorama.server.play.limits import PlayLimits
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.seat_rows import RowQuestion, rows_of
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting, open_setting
from diorama.server.play.undo import STRIDE
from diorama.server.reading.shelf import RunShelf
from diorama.worlds.tidebreak.scenarios.named import load_scenario
from tests.server.loopback import serving
from tests.server.play_factories import CASH_OUT, HOLD, belt_session, opened, stepped, toy_setting
from tests.server.toy_worlds import DUO, registered

ID = "0" * 32


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        registered(),
        serving(tmp_path_factory.mktemp("rows")) as server,
        httpx.Client(base_url=server.base_url, timeout=20) as client,
    ):
        yield client


def array(rows: SeatRows, name: str) -> NDArray[Any]:
    """Return an array of an answer, decisions by seats by numbers."""
    told = rows.arrays[name]
    return np.frombuffer(b64decode(told.data), told.dtype).reshape(rows.count, len(rows.seats), told.width)


def asked(first: int, *seats: int, extras: tuple[str, ...] = ()) -> RowQuestion:
    return RowQuestion(seats=seats, first=first, extras=extras)


def test_rows_are_what_the_seat_saw_before_every_decision() -> None:
    session, hindsight = belt_session(seed=3), Hindsight()
    for action in (HOLD, 1, HOLD, 2, HOLD):
        session.step(action)
    scene = Scene(session.setting.venue, 3)
    expected = []
    for step in range(6):
        expected.append([np.array(part[0]) for part in scene.view])
        if step < 5:
            scene.step(session.decided(step))
    scene.close()

    whole = rows_of(ID, session, asked(0, 0), hindsight)
    tail = rows_of(ID, session, asked(4, 0), hindsight)

    assert (whole.steps, whole.first, whole.count, tail.count) == (5, 0, 6, 2)
    np.testing.assert_array_equal(array(whole, "obs")[:, 0], [obs for obs, _, _ in expected])
    np.testing.assert_array_equal(array(whole, "mask")[:, 0], [mask for _, _, mask in expected])
    np.testing.assert_array_equal(array(whole, "starts").ravel(), [1, 0, 0, 0, 0, 0])
    np.testing.assert_array_equal(array(tail, "obs"), array(whole, "obs")[4:])
    session.undo(3)
    session.step(7)
    again = rows_of(ID, session, asked(0, 0), hindsight)
    np.testing.assert_array_equal(array(again, "obs")[:3], array(whole, "obs")[:3])
    assert (array(again, "obs")[3] != array(whole, "obs")[3]).any()
    hindsight.close()
    session.close()


def test_the_opening_that_is_met_again_begins_anew() -> None:
    session = belt_session()
    session.step(HOLD)
    before = array(rows_of(ID, session, asked(1, 0), Hindsight()), "starts")
    session.undo(1)

    assert before.ravel().tolist() == [0]
    assert array(rows_of(ID, session, asked(0, 0), Hindsight()), "starts").ravel().tolist() == [1]
    session.close()


def test_so_many_steps_are_taken_again_and_those_near_the_end_begin_where_undo_would() -> None:
    session, near, far = Session(toy_setting(DUO, length=200), 0, PlayLimits()), Hindsight(8), Hindsight()
    for step in range(100):
        session.step([step % 3, 0])

    assert near.distance(session, 90) < STRIDE
    tail, whole = rows_of(ID, session, asked(90, 0), near), rows_of(ID, session, asked(0, 0), far)
    np.testing.assert_array_equal(array(tail, "obs"), array(whole, "obs")[90:])
    np.testing.assert_array_equal(array(tail, "starts"), array(whole, "starts")[90:])
    with pytest.raises(SessionConflict, match=r"decision 16 is 16 steps .* ask from 8 on first"):
        near.before(session, 16)
    near.before(session, 8)
    np.testing.assert_array_equal(near.before(session, 16).view[0][0], array(whole, "obs")[16, 0])
    for copy in (near, far, session):
        copy.close()


def test_a_client_decides_for_other_seats_and_the_bot_looks_on() -> None:
    session = Session(toy_setting(DUO, others="counting", length=9), 0, PlayLimits())

    session.step([1, 0], [SeatDecision(seat=1, action=[2, 1])])
    session.step([1, 0])
    rows = rows_of(ID, session, asked(2, 1, 0), Hindsight())

    assert session.decisions()[:, 1].tolist() == [[2, 1], [2, 0]]
    assert array(rows, "obs").ravel().tolist() == [0.0, 2.0]
    assert array(rows, "obs_u8")[0].tolist() == [[1, 2], [0, 2]]
    session.undo(1)
    assert session.decisions()[:, 1].tolist() == [[2, 1]]
    for wrong, words in (
        ([(0, [1, 0])], "two decisions"),
        ([(1, [1, 0]), (1, [1, 0])], "two decisions"),
        ([(2, [1, 0])], "seat 2 does not exist"),
        ([(1, [3, 0])], "does not exist"),
    ):
        with pytest.raises(ActionRefused, match=words):
            session.step([1, 0], [SeatDecision(seat=seat, action=action) for seat, action in wrong])
    assert session.steps == 1


def test_rows_and_other_decisions_travel_over_http(player: httpx.Client) -> None:
    state = opened(player, world="toy", config={"length": 2})
    call = f"/api/play/session/{state['session_id']}"

    rows = SeatRows.model_validate(player.get(f"{call}/rows", params={"seat": [1], "first": 0}).json())
    body = {"action": [1, 0], "others": [{"seat": 1, "action": [2, 0]}]}
    player.post(f"{call}/step", json=body).raise_for_status()
    own = SeatRows.model_validate(player.get(f"{call}/rows").json())

    assert (rows.seats, rows.count, own.seats, own.first) == ([1], 1, [0], 1)
    assert array(own, "obs").ravel().tolist() == [float(state["seed"] % 10) + 1.0]
    stepped(player, state["session_id"], [0, 0])
    for query, status, words in (
        ("first=2", 409, "its episode is over"),
        ("first=0&seat=5", 422, "seat 5 does not exist"),
        ("first=0&extra=moods", 404, "moods"),
    ):
        refused = player.get(f"{call}/rows?{query}")
        assert (refused.status_code, words in refused.json()["detail"]) == (status, True), refused.text


def test_moments_are_what_was_shown_before_and_after_every_decision() -> None:
    session, hindsight = belt_session(seed=3, time_max=40.0), Hindsight()
    shown = [session.scene.render_state()]
    for action in (0, HOLD, 1, HOLD):
        session.step(action)
        shown.append(session.scene.render_state())

    whole = moments_of(ID, session, 0, hindsight)
    tail = moments_of(ID, session, 3, hindsight)

    assert (whole.steps, whole.first, whole.count, whole.render_states) == (4, 0, 5, shown)
    assert (tail.first, tail.count, tail.render_states) == (3, 2, shown[3:])
    session.undo(3)
    session.step(HOLD)
    assert moments_of(ID, session, 0, hindsight).render_states == [*shown[:2], session.scene.render_state()]
    hindsight.close()
    session.close()


def test_moments_end_with_the_episode() -> None:
    session, hindsight = belt_session(seed=3), Hindsight()
    session.step(HOLD)
    session.step(CASH_OUT)

    told = moments_of(ID, session, 1, hindsight)

    assert session.is_over
    assert [moment["time"] for moment in told.render_states] == [1, 2]
    hindsight.close()
    session.close()


def test_many_moments_are_told_in_several_answers() -> None:
    session, hindsight = belt_session(seed=3), Hindsight()
    for _ in range(300):
        session.step(HOLD)

    first = moments_of(ID, session, 0, hindsight)
    second = moments_of(ID, session, first.count, hindsight)

    assert (first.count, second.first, second.count) == (256, 256, 45)
    assert [moment["time"] for moment in second.render_states] == list(range(256, 301))
    hindsight.close()
    session.close()


def test_moments_travel_over_http(player: httpx.Client) -> None:
    state = opened(player, world="prospector", seed=9)
    call = f"/api/play/session/{state['session_id']}"
    after = stepped(player, state["session_id"], HOLD).json()

    told = SessionMoments.model_validate(player.get(f"{call}/moments").json())
    refused = player.get(f"{call}/moments", params={"first": 2})

    assert told.render_states == [state["render_state"], after["render_state"]]
    assert refused.status_code == 409
    assert "after 2 decisions" in refused.json()["detail"]
    assert player.get(f"{call}/moments", params={"first": -1}).status_code == 422


def test_both_sides_of_a_battle_have_seats_where_there_is_somebody_to_decide_for_them(player: httpx.Client) -> None:
    config = {"stage": 2, "observation": "compact"}
    alone = opened(player, world="tidebreak", config=config, seed=3)
    duel = opened(player, world="tidebreak", config=config, seed=3, both_sides=True)
    call = f"/api/play/session/{duel['session_id']}/rows"
    rows = SeatRows.model_validate(player.get(call, params={"seat": [0, 1]}).json())
    refused = player.post("/api/play/session", json={"world": "prospector", "both_sides": True})

    assert (alone["agents"], duel["agents"]) == (1, 2)
    assert (alone["sides"], duel["sides"]) == ([1], [0, 1])
    assert array(rows, "starts").ravel().tolist() == [1, 1]
    assert array(rows, "obs").any(axis=2).all()
    assert (refused.status_code, "not fought by sides" in refused.json()["detail"]) == (400, True)


@pytest.mark.parametrize("battle", [{"stage": 7}, {"stage": 8}, {"scenario": "convoy_run"}], ids=str)
def test_both_sides_have_seats_in_every_episode(battle: Mapping[str, JsonValue], tmp_path: Path) -> None:
    setting = _sides_setting(tmp_path, {**battle, "observation": "compact"})
    session = Session(setting, 3, PlayLimits())
    matches = setting.venue.world.matches
    assert matches is not None
    for seed in (3, 4, 5, 6):
        session.reset(seed)
        sides = matches.sides(session.setting.venue.config, session.record)
        assert {0, 1} <= set(sides)
        assert session.setting.others is not None, "mates of the person's do not drift"
    session.close()


def test_every_ship_of_a_larger_battle_has_a_seat_after_a_reset(tmp_path: Path) -> None:
    config: Mapping[str, JsonValue] = {"stage": 8, "observation": "compact"}
    small, large = (_sides_setting(tmp_path, config, seed=seed) for seed in (4, 11))
    session = Session(small, 4, PlayLimits())

    session.reset(11)

    assert small.spec.agents < large.spec.agents
    assert session.setting.venue == large.venue
    session.close()


def test_every_ship_of_a_battle_by_sides_has_a_seat(player: httpx.Client) -> None:
    alone = opened(player, world="tidebreak", config={"scenario": "convoy_run"}, seed=3)
    convoy = opened(player, world="tidebreak", config={"scenario": "convoy_run"}, seed=3, both_sides=True)
    pilot = opened(player, world="prospector", seed=3)

    ships = len(load_scenario("convoy_run").ships)
    assert (alone["agents"], convoy["agents"], len(convoy["sides"])) == (1, ships, ships)
    assert set(convoy["sides"]) == {0, 1}
    assert (convoy["others"], pilot["sides"]) == ("auto", None)


def test_seats_that_are_given_to_ships_of_one_side_stay_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="on one side"):
        _sides_setting(tmp_path, {"scenario": "convoy_run", "ships": ["blue-01-corvette"]})


def _sides_setting(root: Path, config: Mapping[str, JsonValue], *, seed: int = 3) -> Setting:
    shelf = PolicyShelf(RunShelf(root))
    return open_setting(
        shelf, world_id="tidebreak", env_time_max=None, config=config, seat=0, others=None, both_sides_of=seed
    )


def test_decisions_of_other_seats_are_held_over_the_socket(player: httpx.Client) -> None:
    state = opened(player, world="toy", config={"length": 6}, seed=0)
    address = f"{str(player.base_url).replace('http', 'ws', 1).rstrip('/')}/ws/play/session/{state['session_id']}"
    with connect(f"{address}?speed=100&paused=true") as connection:
        held = [{"seat": 1, "action": [2, 0]}]
        connection.send(json.dumps({"action": [1, 0], "others": held, "paused": False}))
        while json.loads(connection.recv(timeout=20))["type"] == "state":
            pass
    rows = SeatRows.model_validate(
        player.get(f"/api/play/session/{state['session_id']}/rows", params={"seat": [0, 1], "first": 0}).json()
    )

    # Seat 1 drops out one step early, and sees nothing from then on.
    assert array(rows, "obs")[:, :, 0].tolist() == [[0, 0], [1, 2], [2, 4], [3, 6], [4, 8], [5, 0]]
