"""Play sessions against a real server."""

import io
import random
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from diorama.cli.app import app as command_line
from diorama.runs.layout import RunLayout
from diorama.runs.replays.index import read_index
from diorama.runs.replays.reader import open_replay
from tests.runs.factories import empty_run, recorded
from tests.server.loopback import LoopbackServer, serving
from tests.server.play_factories import CASH_OUT, HOLD, SELL_IRON, opened, stepped
from tests.server.toy_worlds import registered

UNKNOWN = "f" * 32
MINER = "miner"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server of its own with few places and worlds for tests."""
    root = tmp_path_factory.mktemp("play")
    with (
        registered(),
        serving(root, play_max_sessions=3) as server,
        httpx.Client(base_url=server.base_url, timeout=30) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopbackServer]:
    """A server over a run with one replay: a whole episode of a bot that digs, sells and is attacked."""
    root = tmp_path_factory.mktemp("arcade")
    recorded(empty_run(root, MINER), seed=11, max_steps=5000)
    with serving(root) as server:
        yield server


@pytest.fixture(scope="module")
def player(arcade: LoopbackServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=arcade.base_url, timeout=30) as client:
        yield client


def path(state: dict[str, Any], call: str = "") -> str:
    return f"/api/play/session/{state['session_id']}{call}"


def replay_id(arcade: LoopbackServer) -> str:
    return read_index(RunLayout(arcade.run_root / MINER)).entries[0].replay_id


def test_a_session_is_opened_stepped_reset_and_deleted(client: httpx.Client) -> None:
    state = opened(client, world="prospector", seed=5, env_time_max=500)
    assert len(state["session_id"]) == 32
    assert (state["world"], state["seed"], state["env_time_max"], state["steps"]) == ("prospector", 5, 500.0, 0)
    assert (len(state["obs"]), len(state["action_mask"]), state["action"]) == (260, 69, None)

    after = stepped(client, state["session_id"], HOLD).json()
    assert (after["action"], after["steps"], after["dt"]) == (HOLD, 1, 1)
    assert after["render_state"]["time"] == 1
    assert client.get(path(state)).json() == after

    again = client.post(path(state, "/reset"))
    assert (again.json()["seed"], again.json()["steps"]) == (6, 0)
    assert client.post(path(state, "/reset"), json={"seed": 5}).json()["obs"] == state["obs"]

    assert client.delete(path(state)).json() == {"session_id": state["session_id"], "deleted": True}
    assert client.get(path(state)).status_code == 404


def test_without_a_seed_every_session_gets_another(client: httpx.Client) -> None:
    seeds = {opened(client)["seed"] for _ in range(3)}

    assert len(seeds) == 3


def test_the_largest_seed_is_followed_by_the_first(client: httpx.Client) -> None:
    state = opened(client, seed=(1 << 64) - 1)

    assert client.post(path(state, "/reset"), json={}).json()["seed"] == 0


def test_an_action_the_mask_rules_out_is_stepped_and_reported(client: httpx.Client) -> None:
    state = opened(client, seed=1)
    assert state["action_mask"][SELL_IRON] == 0
    assert state["action_reasons"][SELL_IRON] == "no iron in the hold"

    after = stepped(client, state["session_id"], SELL_IRON).json()

    assert "invalid_action" in after["events"]
    assert (after["info"]["action"], after["info"]["action_received"], after["action"]) == (HOLD, SELL_IRON, SELL_IRON)


def test_a_finished_episode_is_a_conflict_until_it_is_reset_or_taken_back(client: httpx.Client) -> None:
    state = opened(client, seed=1)
    assert stepped(client, state["session_id"], CASH_OUT).json()["terminated"]

    refused = stepped(client, state["session_id"], HOLD)

    assert refused.status_code == 409
    assert "reset or undo" in refused.json()["detail"]
    assert client.get(path(state, "/hint"), params={"policy": "trained"}).status_code == 409
    assert client.post(path(state, "/undo")).json()["is_over"] is False


@pytest.mark.parametrize(
    "action", [69, -1, 1 << 70, "6", 6.0, True, None, [6], [], {"a": 1}], ids=lambda action: repr(action)[:12]
)
def test_what_is_no_action_is_unprocessable_and_changes_nothing(client: httpx.Client, action: object) -> None:
    state = opened(client, seed=1)

    assert stepped(client, state["session_id"], action).status_code == 422
    assert client.get(path(state)).json()["steps"] == 0
    client.delete(path(state))


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        pytest.param({"world": "nowhere"}, 404, "no world is called 'nowhere'", id="world"),
        pytest.param({"seed": -1}, 422, "body.seed", id="negative-seed"),
        pytest.param({"seed": 1 << 64}, 422, "body.seed", id="seed-beyond-64-bits"),
        pytest.param({"seed": "7"}, 422, "body.seed", id="seed-text"),
        pytest.param({"env_time_max": 0}, 422, "body.env_time_max", id="no-time"),
        pytest.param({"config": {"time_max": -3}}, 422, "prospector.time_max", id="config-value"),
        pytest.param({"config": {"gravity": 1}}, 422, "there is no such key", id="config-key"),
        pytest.param({"config": {"time_max": 5}, "env_time_max": 6}, 400, "give one", id="two-budgets"),
        pytest.param({"seat": 1}, 422, "seat 1 does not exist", id="seat"),
        pytest.param({"others": "idle"}, 400, "has one seat", id="no-others"),
        pytest.param({"colour": "red"}, 422, "body.colour", id="unknown-key"),
    ],
)
def test_a_session_that_cannot_be_says_why(
    client: httpx.Client, body: dict[str, object], status: int, words: str
) -> None:
    answer = client.post("/api/play/session", json=body)

    assert answer.status_code == status
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("call", ["/step", "/reset", "/undo", "/hint?policy=x", "/standings", "/export", ""])
def test_an_unknown_session_is_not_found(client: httpx.Client, call: str) -> None:
    is_post = call in ("/step", "/reset", "/undo")
    body = {"action": 0} if call == "/step" else {}
    url = f"/api/play/session/{UNKNOWN}{call}"

    answer = client.post(url, json=body) if is_post else client.get(url)

    assert answer.status_code == 404
    assert "deleted, has expired or never was" in answer.json()["detail"]


def test_there_is_room_for_so_many_sessions_and_no_more(small: httpx.Client) -> None:
    states = [opened(small) for _ in range(3)]

    refused = small.post("/api/play/session", json={})
    assert refused.status_code == 429
    assert "3 play sessions are open" in refused.json()["detail"]

    for state in states:
        small.delete(path(state))
    small.delete(path(opened(small)))


def test_a_session_that_cannot_be_opened_takes_no_place(small: httpx.Client) -> None:
    for _ in range(5):
        assert small.post("/api/play/session", json={"world": "nowhere"}).status_code == 404

    states = [opened(small) for _ in range(3)]

    for state in states:
        small.delete(path(state))


def test_an_idle_session_expires(tmp_path: Path) -> None:
    with serving(tmp_path, play_idle_seconds=0, play_max_sessions=1) as server:
        state = httpx.post(f"{server.base_url}/api/play/session").json()

        assert httpx.get(f"{server.base_url}{path(state)}").status_code == 404
        assert httpx.post(f"{server.base_url}/api/play/session").status_code == 200


def test_steps_at_the_same_time_come_one_after_another(client: httpx.Client) -> None:
    state = opened(client, seed=1)
    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(lambda _: stepped(client, state["session_id"], HOLD), range(40)))

    assert {answer.status_code for answer in answers} == {200}
    assert sorted(answer.json()["steps"] for answer in answers) == list(range(1, 41))


def test_deleting_while_stepping_ends_in_steps_and_then_in_nothing(client: httpx.Client) -> None:
    for _ in range(5):
        state = opened(client, seed=1)
        with ThreadPoolExecutor(8) as many:
            steps = [many.submit(stepped, client, state["session_id"], HOLD) for _ in range(12)]
            deleted = many.submit(client.delete, path(state))

        assert deleted.result().status_code == 200
        assert {step.result().status_code for step in steps} <= {200, 404}
        assert client.get(path(state)).status_code == 404


def test_undo_takes_back_and_refuses_what_is_not_kept(client: httpx.Client) -> None:
    state = opened(client, seed=1)
    for _ in range(5):
        stepped(client, state["session_id"], HOLD)

    assert client.post(path(state, "/undo"), json={"steps": 6}).status_code == 409
    assert client.post(path(state, "/undo"), json={"steps": 5}).json()["obs"] == state["obs"]
    for wrong in (0, 65, -1, "1", True, 1.0):
        assert client.post(path(state, "/undo"), json={"steps": wrong}).status_code == 422


def test_a_fork_continues_a_replay_exactly(player: httpx.Client, arcade: LoopbackServer) -> None:
    replay = replay_id(arcade)
    frames = list(open_replay(RunLayout(arcade.run_root / MINER), replay).frames(0, 42))
    body = {"run_id": MINER, "replay_id": replay, "frame": 40}

    answer = player.post("/api/play/session/fork", json=body)

    assert answer.status_code == 200, answer.text
    state = answer.json()
    assert (state["steps"], state["ticks"], state["seed"]) == (41, frames[40].t, 11)
    assert state["render_state"] == frames[40].render_state
    assert state["forked_from"] == body
    after = stepped(player, state["session_id"], frames[41].action).json()
    assert (after["render_state"], after["reward"]) == (frames[41].render_state, frames[41].reward)
    back = player.post(path(state, "/undo"), json={"steps": 11}).json()
    assert (back["render_state"], back["forked_from"]["frame"]) == (frames[30].render_state, 30)


def test_a_fork_of_the_opening_is_the_opening(player: httpx.Client, arcade: LoopbackServer) -> None:
    body = {"run_id": MINER, "replay_id": replay_id(arcade), "frame": -1}

    state = player.post("/api/play/session/fork", json=body).json()

    assert (state["steps"], state["seed"]) == (0, 11)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        pytest.param({"run_id": "nobody"}, 404, id="run"),
        pytest.param({"replay_id": "replay-000000-00000000"}, 404, id="replay"),
        pytest.param({"frame": 1 << 30}, 422, id="frame-beyond-the-end"),
        pytest.param({"frame": -2}, 422, id="frame-before-the-opening"),
        pytest.param({"frame": "3"}, 422, id="frame-text"),
        pytest.param({"run_id": "../etc"}, 422, id="traversal"),
        pytest.param({"seat": 3}, 422, id="seat"),
    ],
)
def test_a_fork_that_cannot_be_says_why(
    player: httpx.Client, arcade: LoopbackServer, changes: dict[str, object], status: int
) -> None:
    body = {"run_id": MINER, "replay_id": replay_id(arcade), "frame": 3, **changes}

    assert player.post("/api/play/session/fork", json=body).status_code == status


def test_nothing_follows_the_end(player: httpx.Client, arcade: LoopbackServer) -> None:
    replay = replay_id(arcade)
    count = open_replay(RunLayout(arcade.run_root / MINER), replay).frame_count
    body = {"run_id": MINER, "replay_id": replay, "frame": count - 1}

    answer = player.post("/api/play/session/fork", json=body)

    assert answer.status_code == 409


@pytest.mark.parametrize("is_forked", [False, True], ids=["fresh", "forked"])
def test_an_export_is_a_replay_that_verifies(
    player: httpx.Client, arcade: LoopbackServer, tmp_path: Path, is_forked: bool
) -> None:
    if is_forked:
        body = {"run_id": MINER, "replay_id": replay_id(arcade), "frame": 20}
        state = player.post("/api/play/session/fork", json=body).json()
    else:
        state = opened(player, seed=9, env_time_max=400)
    dice = random.Random(4)
    for _ in range(30):
        valid = [action for action, is_valid in enumerate(state["action_mask"]) if is_valid and action != CASH_OUT]
        state = stepped(player, state["session_id"], dice.choice(valid)).json()
    state = stepped(player, state["session_id"], SELL_IRON).json()

    answer = player.get(path(state, "/export"))
    assert answer.headers["content-type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path)
    run = f"play-{state['session_id']}"
    verified = CliRunner().invoke(command_line, ["replay", "verify", run, "--pictures", "--run-root", str(tmp_path)])

    assert verified.exit_code == 0, verified.output
    layout = RunLayout(tmp_path / run)
    (entry,) = read_index(layout).entries
    reader = open_replay(layout, entry.replay_id)
    assert entry.steps == state["steps"]
    assert entry.return_total == pytest.approx(state["return_total"])
    assert reader.sidecar.players[0].kind == "human"
    assert list(reader.frames())[-1].render_state == state["render_state"]
    assert (entry.forked_from is not None) == is_forked


def test_nothing_played_cannot_be_exported(client: httpx.Client) -> None:
    answer = client.get(path(opened(client), "/export"))

    assert answer.status_code == 409
    assert "nothing has been decided yet" in answer.json()["detail"]


def test_standings_put_the_session_beside_every_baseline(client: httpx.Client) -> None:
    state = opened(client, seed=3, env_time_max=600)
    stepped(client, state["session_id"], CASH_OUT)

    first = client.get(path(state, "/standings")).json()

    names = [row["name"] for row in first["rows"]]
    assert names[0] == "you"
    assert {"cash_out", "idle", "greedy_miner"} <= set(names)
    assert (first["headline"], first["complete"]) == (["net_profit", "survival"], True)
    you, cash_out = first["rows"][0], first["rows"][names.index("cash_out")]
    assert (you["metrics"], you["end_reason"], you["ticks"]) == (cash_out["metrics"], "cash_out", cash_out["ticks"])
    assert you["return_total"] == pytest.approx(cash_out["return_total"])
    assert client.get(path(state, "/standings")).json() == first


def test_a_world_of_several_seats_and_heads_is_played_over_http(small: httpx.Client) -> None:
    state = opened(small, world="toy", seat=1, others="counting", config={"length": 6}, seed=2)
    assert (state["agents"], state["seat"], state["others"]) == (2, 1, "counting")
    assert (state["env_time_max"], len(state["action_mask"]), state["obs"]) == (None, 5, [2.0])

    after = stepped(small, state["session_id"], [2, 1]).json()

    assert (after["action"], after["reward"], after["obs"]) == ([2, 1], -2.0, [0.0])
    assert stepped(small, state["session_id"], 1).status_code == 422
    assert small.post("/api/play/session", json={"world": "toy", "env_time_max": 5}).status_code == 400
    assert small.post("/api/play/session", json={"world": "toy", "others": "nobody"}).status_code == 404
    small.delete(path(state))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
bodies = st.one_of(
    json_values,
    st.dictionaries(
        st.sampled_from(["world", "seed", "env_time_max", "config", "seat", "others", "action", "steps", "run_id"]),
        json_values,
        max_size=4,
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(call=st.sampled_from(["", "/fork", "/{id}/step", "/{id}/reset", "/{id}/undo"]), body=bodies)
def test_no_body_breaks_the_server(client: httpx.Client, call: str, body: object) -> None:
    state = opened(client, seed=1)

    answer = client.post(f"/api/play/session{call.replace('{id}', state['session_id'])}", json=body)

    assert answer.status_code in (200, 400, 404, 409, 422)
    if answer.status_code == 200:
        client.delete(path(answer.json()))
    client.delete(path(state))


def test_what_is_no_json_is_unprocessable(client: httpx.Client) -> None:
    state = opened(client)

    for content in (b"{", b"\xff\xfe", b"[" * 5000, b'{"action": NaN}'):
        answer = client.post(path(state, "/step"), content=content, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422), content[:10]
