"""Worlds, runs and windows over HTTP."""

import httpx
import pytest
from pydantic import TypeAdapter

from diorama.runs.run import open_run
from diorama.server.models.runs import RunConfig, RunDetail, RunList
from diorama.server.models.windows import WindowList
from diorama.server.models.worlds import WorldDescriptor, WorldList
from diorama.worlds.registry import world_ids
from tests.server.conftest import LONG, TRAINED
from tests.server.loopback import LoopbackServer

BAD_IDS = ["..%2F..%2Fetc", ".hidden", "a%20b", "x" * 129, "%00", "ä"]


def test_the_server_says_that_it_is_up(client: httpx.Client) -> None:
    answer = client.get("/health")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_worlds_are_listed_and_described(client: httpx.Client) -> None:
    listing = WorldList.model_validate_json(client.get("/api/worlds").content)
    descriptor = WorldDescriptor.model_validate_json(client.get("/api/worlds/prospector").content)

    assert "prospector" in listing.worlds
    assert listing.count == len(listing.worlds) == len(listing.summaries)
    assert (descriptor.world, descriptor.obs_dim, descriptor.n_actions) == ("prospector", 260, 69)
    assert descriptor.presentation.effects == "/assets/prospector/action_effects_manifest.json"


def test_an_unknown_world_is_told_with_those_there_are(client: httpx.Client) -> None:
    answer = client.get("/api/worlds/atlantis")

    assert answer.status_code == 404
    assert answer.json() == {"detail": f"no world is called 'atlantis'; there are: {', '.join(world_ids())}"}


def test_runs_are_listed_newest_first(client: httpx.Client, server: LoopbackServer) -> None:
    listing = RunList.model_validate_json(client.get("/api/runs").content)
    row = next(row for row in listing.runs if row.run_id == TRAINED)
    metadata = open_run(server.run_root, TRAINED).metadata()

    assert (listing.count, listing.total) == (2, 2)
    assert [run.updated_at for run in listing.runs] == sorted((run.updated_at for run in listing.runs), reverse=True)
    assert (row.status, row.env_steps_total, row.replay_count) == ("completed", metadata.env_steps_total, 2)
    assert row.latest_window is not None
    assert row.latest_window.window_id == 3
    assert row.latest_replay is not None
    assert "every_window" in row.tags


@pytest.mark.parametrize(
    ("query", "shown", "total"),
    [
        pytest.param({"limit": 1}, 1, 2, id="limit"),
        pytest.param({"world": "prospector"}, 2, 2, id="world"),
        pytest.param({"world": "tidebreak"}, 0, 0, id="another-world"),
        pytest.param({"search": "TRAI"}, 1, 1, id="search-id"),
        pytest.param({"search": "completed"}, 1, 1, id="search-status"),
        pytest.param({"search": "best_so_far"}, 2, 2, id="search-tag"),
        pytest.param({"search": "%"}, 0, 0, id="search-is-no-pattern"),
        pytest.param({"offset": 1}, 1, 2, id="offset"),
        pytest.param({"offset": 9}, 0, 2, id="offset-beyond"),
    ],
)
def test_a_part_of_the_runs_can_be_asked_for(
    query: dict[str, str | int], shown: int, total: int, client: httpx.Client
) -> None:
    listing = client.get("/api/runs", params=query).json()

    assert (len(listing["runs"]), listing["count"], listing["total"]) == (shown, shown, total)


def test_a_run_is_shown_with_its_metadata_and_its_configuration(client: httpx.Client, server: LoopbackServer) -> None:
    detail = RunDetail.model_validate_json(client.get(f"/api/runs/{TRAINED}").content)
    config = RunConfig.model_validate_json(client.get(f"/api/runs/{TRAINED}/config").content)
    run = open_run(server.run_root, TRAINED)

    assert (detail.run_id, detail.replay_count, detail.metadata.windows_emitted) == (TRAINED, 2, 4)
    assert config.config == run.config()


def test_windows_come_in_either_order(client: httpx.Client, server: LoopbackServer) -> None:
    rows = open_run(server.run_root, TRAINED).windows()

    newest = WindowList.model_validate_json(client.get(f"/api/runs/{TRAINED}/metrics/windows").content)
    oldest = client.get(f"/api/runs/{TRAINED}/metrics/windows", params={"order": "asc", "limit": 3}).json()

    assert [row.window_id for row in newest.windows] == [3, 2, 1, 0]
    assert (newest.count, newest.total, newest.metrics_path) == (4, 4, "metrics/windows.jsonl")
    assert oldest["windows"] == rows[:3]
    assert (oldest["count"], oldest["total"]) == (3, 4)


def test_a_run_without_windows_has_an_empty_list(client: httpx.Client) -> None:
    answer = client.get(f"/api/runs/{LONG}/metrics/windows")

    assert answer.status_code == 200
    assert answer.json()["windows"] == []
    assert answer.json()["total"] == 0


@pytest.mark.parametrize(
    "path", ["", "/config", "/metrics/windows", "/replays", "/replays/replay-1", "/replays/replay-1/frames", "/follow"]
)
def test_an_unknown_run_is_told(path: str, client: httpx.Client) -> None:
    answer = client.get(f"/api/runs/ghost{path}")

    assert answer.status_code == 404
    assert "there is no run 'ghost'" in answer.json()["detail"]


@pytest.mark.parametrize("run_id", BAD_IDS)
@pytest.mark.parametrize("path", ["", "/metrics/windows", "/replays", "/replays/replay-1/frames", "/follow"])
def test_an_id_that_is_not_allowed_is_refused(run_id: str, path: str, client: httpx.Client) -> None:
    answer = client.get(f"/api/runs/{run_id}{path}")

    assert answer.status_code in {404, 422}
    assert isinstance(answer.json()["detail"], str)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        pytest.param("", {"limit": 0}, id="runs-limit-low"),
        pytest.param("", {"limit": 501}, id="runs-limit-high"),
        pytest.param("", {"offset": -1}, id="runs-offset"),
        pytest.param(f"/{TRAINED}/metrics/windows", {"limit": 0}, id="windows-limit-low"),
        pytest.param(f"/{TRAINED}/metrics/windows", {"limit": 5001}, id="windows-limit-high"),
        pytest.param(f"/{TRAINED}/metrics/windows", {"order": "down"}, id="windows-order"),
        pytest.param(f"/{TRAINED}/replays", {"limit": 0}, id="replays-limit-low"),
        pytest.param(f"/{TRAINED}/replays", {"limit": 5001}, id="replays-limit-high"),
        pytest.param(f"/{TRAINED}/replays", {"window_id": "x"}, id="replays-window"),
        pytest.param(f"/{TRAINED}/replays/r/frames", {"offset": -1}, id="frames-offset"),
        pytest.param(f"/{TRAINED}/replays/r/frames", {"limit": 0}, id="frames-limit-low"),
        pytest.param(f"/{TRAINED}/replays/r/frames", {"limit": 5001}, id="frames-limit-high"),
        pytest.param(f"/{TRAINED}/replays/r/frames", {"limit": "9" * 5000}, id="frames-limit-huge"),
    ],
)
def test_a_parameter_out_of_bounds_is_refused_with_its_name(
    path: str, query: dict[str, str | int], client: httpx.Client
) -> None:
    answer = client.get(f"/api/runs{path}", params=query)

    assert answer.status_code == 422
    assert next(iter(query)) in TypeAdapter(str).validate_python(answer.json()["detail"])


def test_what_is_not_there_is_told_in_json(client: httpx.Client) -> None:
    missing, wrong_method = client.get("/api/nothing"), client.post("/api/runs")

    assert missing.status_code == 404
    assert "/api/nothing" in missing.json()["detail"]
    assert wrong_method.status_code == 405
    assert wrong_method.headers["allow"] == "GET"
    assert wrong_method.json() == {"detail": "POST is not allowed here; use GET"}
