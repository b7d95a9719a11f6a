"""Scoreboards over HTTP: what is known, missing results made aside, and people who played."""

import time
from collections.abc import Callable
from pathlib import Path

import httpx

from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import open_run
from diorama.server.models.scoreboard import Scoreboard, ScoreboardRow
from diorama.worlds.registry import load_world
from tests.server.loopback import serving
from tests.server.play_factories import CASH_OUT, HOLD

SEED = 7_000_000
PATH = "/api/scoreboard/prospector"


def read(client: httpx.Client) -> Scoreboard:
    return Scoreboard.model_validate_json(client.get(PATH).content)


def wait_for(client: httpx.Client, is_wanted: Callable[[ScoreboardRow], bool]) -> ScoreboardRow:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = [row for row in read(client).rows if is_wanted(row)]
        if found:
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"never came: {read(client)}")


def cash_out(client: httpx.Client, seed: int, **body: object) -> str:
    """Play an episode of one decision to its end."""
    opened = client.post("/api/play/session", json={"world": "prospector", "seed": seed, **body}).json()
    path = f"/api/play/session/{opened['session_id']}"
    assert client.post(f"{path}/step", json={"action": CASH_OUT}).json()["is_over"]
    return path


def test_nobody_plays_for_a_look(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url) as client:
        board = read(client)
        unknown = client.get("/api/scoreboard/atlantis")

    assert {row.status for row in board.rows} == {"missing"}
    assert [row.name for row in board.rows] == [*load_world("prospector").bots, "champion/prospector"]
    assert (board.is_playing, board.is_playable) == (False, True)
    assert [metric.key for metric in board.metrics] == ["net_profit", "survival"]
    assert unknown.status_code == 404
    assert not (tmp_path / ".scoreboard").exists()


def test_those_who_have_not_played_play_aside_one_world_at_a_time(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        begun = Scoreboard.model_validate_json(client.post(f"{PATH}/evaluation").content)
        again = client.post(f"{PATH}/evaluation")
        other = client.post("/api/scoreboard/townlet/evaluation")
        first = wait_for(client, lambda row: row.status == "known")

    assert begun.is_playing
    assert [row.name for row in begun.rows if row.status == "playing"] == ["cash_out"]
    assert (again.status_code, other.status_code) == (200, 429)
    assert (first.name, first.episodes) == ("cash_out", 20)
    assert first.scores is not None
    assert first.scores["survival"].value == 1.0
    assert first.replay_run_id == "scoreboard-prospector"
    assert [entry.replay_id for entry in open_run(tmp_path, "scoreboard-prospector").replay_index().entries]


def test_a_person_who_plays_a_seed_of_the_board_is_on_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        cash_out(client, SEED)
        person = wait_for(client, lambda row: row.kind == "person")

    assert (person.seed, person.episodes) == (SEED, 1)
    assert person.scores is not None
    assert person.scores["survival"].value == 1.0
    layout = open_run(tmp_path, str(person.replay_run_id)).layout
    reader = open_replay(layout, str(person.replay_id))
    assert [player.kind.value for player in reader.sidecar.players] == ["human"]
    assert verify_replay(reader).is_faithful


def test_other_seeds_configurations_and_forks_do_not_count(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        cash_out(client, SEED + 500)
        cash_out(client, SEED, env_time_max=300.0)
        path = cash_out(client, SEED + 1)
        wait_for(client, lambda row: row.kind == "person")
        client.post(f"{path}/undo")
        client.post(f"{path}/step", json={"action": HOLD})
        people = [row for row in read(client).rows if row.kind == "person"]

    assert [row.seed for row in people] == [SEED + 1]
