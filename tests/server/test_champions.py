"""Champions over HTTP: cards, files, replays like those of runs, hints and the best replay of a world."""

import json
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from diorama.runs import champions
from diorama.runs.champions import open_champion
from diorama.server.models.champions import BestReplays, ChampionDetail, ChampionList
from diorama.server.models.frames import FramePage
from tests.runs.factories import empty_run, recorded
from tests.server.loopback import LoopbackServer, serving

RUN = "champion:prospector"
FOLDER = f"/api/runs/{RUN}/replays"


@pytest.fixture
def no_champions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(champions, "world_folder", lambda world: tmp_path / "package" / world)


def test_champions_are_listed_and_shown_with_their_card(client: httpx.Client) -> None:
    listed = ChampionList.model_validate_json(client.get("/api/champions").content).champions
    shown = ChampionDetail.model_validate_json(client.get("/api/champions/prospector").content)

    card = open_champion("prospector").card()
    assert RUN in [row.run_id for row in listed]
    assert (shown.run_id, shown.replay.replay_id) == (RUN, card.replay_id)
    assert shown.card.policy.sha256 == card.policy.sha256
    assert shown.card.evaluation.rows[0].name == "champion/prospector"


@pytest.mark.parametrize(("file", "path"), [("policy.onnx", "onnx_path"), ("policy.safetensors", "policy_path")])
def test_the_policy_of_a_champion_is_a_file(file: str, path: str, client: httpx.Client) -> None:
    answer = client.get(f"/api/champions/prospector/{file}")

    assert answer.content == getattr(open_champion("prospector"), path)().read_bytes()
    assert client.get("/api/champions/prospector/card.json").status_code == 422


def test_the_onnx_file_is_served_as_the_export_of_a_run(client: httpx.Client) -> None:
    assert client.get(f"/api/exports/{RUN}").content == open_champion("prospector").onnx_path().read_bytes()
    assert client.get("/api/exports").json()["exports"][0]["run_id"] == RUN


def test_the_replay_of_a_champion_is_read_like_that_of_a_run(server: LoopbackServer, client: httpx.Client) -> None:
    replay_id = open_champion("prospector").card().replay_id
    (entry,) = client.get(FOLDER).json()["replays"]
    page = FramePage.model_validate_json(client.get(f"{FOLDER}/{replay_id}/frames", params={"limit": 3}).content)

    assert entry["replay_id"] == replay_id
    assert [frame.frame_index for frame in page.frames] == [0, 1, 2]
    assert client.get(f"{FOLDER}/{replay_id}/world").json()["world"] == "prospector"
    assert client.get(f"/api/runs/{RUN}").json()["metadata"]["status"] == "completed"
    assert client.get(f"/api/runs/{RUN}/metrics/windows").json()["windows"] == []
    with connect(f"{server.ws_url}/ws/runs/{RUN}/replays/{replay_id}/frames?limit=2") as socket:
        messages = [json.loads(text) for text in socket]
    assert [frame["frame_index"] for message in messages for frame in message.get("frames", [])] == [0, 1]


def test_a_champion_gives_hints_and_is_compared_with(client: httpx.Client) -> None:
    session = client.post("/api/play/session", json={"world": "prospector", "seed": 7, "env_time_max": 200.0}).json()
    path = f"/api/play/session/{session['session_id']}"

    hint = client.get(f"{path}/hint", params={"policy": RUN}).json()
    rows = client.get(f"{path}/standings", params={"policy": RUN}).json()["rows"]

    assert hint["policy"]["sha256"] == open_champion("prospector").card().policy.sha256
    assert rows[-1]["name"] == RUN


def test_a_session_goes_on_with_the_replay_of_a_champion(client: httpx.Client) -> None:
    body = {"run_id": RUN, "replay_id": open_champion("prospector").card().replay_id, "frame": 2}

    forked = client.post("/api/play/session/fork", json=body).json()

    assert (forked["steps"], forked["forked_from"]["run_id"]) == (3, RUN)


@pytest.mark.usefixtures("no_champions")
def test_a_world_without_a_champion_has_none(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url) as client:
        assert client.get("/api/champions").json() == {"champions": []}
        for path in ("/api/champions/prospector", f"/api/runs/{RUN}", f"/api/exports/{RUN}"):
            answer = client.get(path)
            assert (answer.status_code, "has no champion yet" in answer.json()["detail"]) == (404, True)
        assert client.get("/api/champions/atlantis").status_code == 404
        assert client.get("/api/best-replays").json() == {"replays": []}


@pytest.mark.usefixtures("no_champions")
def test_the_best_replay_is_not_the_newest(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    rich = recorded(empty_run(runs, "rich"), bot="prudent_hauler", seed=7)
    recorded(empty_run(runs, "late"), bot="cash_out", seed=7)
    with serving(runs) as server, httpx.Client(base_url=server.base_url) as client:
        found = BestReplays.model_validate_json(client.get("/api/best-replays").content).replays

    assert [(row.world, row.run_id, row.replay.replay_id) for row in found] == [("prospector", "rich", rich.replay_id)]
    assert (found[0].metric, found[0].value) == ("net_profit", rich.metrics["net_profit"])


def test_the_replay_of_a_champion_may_be_the_best(tmp_path: Path) -> None:
    with serving(tmp_path) as server, httpx.Client(base_url=server.base_url) as client:
        found = client.get("/api/best-replays", params={"world": "prospector"}).json()["replays"]
        nowhere = client.get("/api/best-replays", params={"world": "atlantis"})

    assert [row["run_id"] for row in found] == [RUN]
    assert nowhere.status_code == 404
