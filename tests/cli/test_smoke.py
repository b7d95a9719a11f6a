"""`diorama smoke` against real servers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from diorama.cli.app import app, run
from tests.runs.factories import empty_run, recorded
from tests.server.loopback import LoopbackServer, serving

PLACES = ("/", "/watch", "/play", "/analytics")
NAMES = [
    "health",
    "run catalogue",
    "CORS simple request",
    "CORS preflight",
    "replay discovery",
    "frames over HTTP",
    "frames over WebSocket",
    *(f"client route {place}" for place in PLACES),
]
TRACKER = [
    "tracker status",
    "tracker latest runs",
    "tracker summary",
    "tracker history",
    "tracker iteration view",
    "tracker status again",
]


@pytest.fixture(scope="module")
def client_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A client of one page."""
    directory = tmp_path_factory.mktemp("client")
    (directory / "index.html").write_text("<!doctype html><title>Diorama</title>")
    return directory


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, client_dir: Path) -> Iterator[LoopbackServer]:
    """A server with one replay."""
    root = tmp_path_factory.mktemp("runs")
    recorded(empty_run(root))
    with serving(root, client_dir=client_dir) as running:
        yield running


def smoke(report: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(app, ["smoke", *arguments, "--json", str(report)], standalone_mode=False)
    assert result.exception is None, result.output
    return result.return_value, json.loads(report.read_text())


def failed(report: dict[str, Any]) -> list[str]:
    return [check["name"] for check in report["checks"] if not check["ok"]]


def test_a_whole_deployment_passes_every_check_in_order(server: LoopbackServer, tmp_path: Path) -> None:
    code, report = smoke(tmp_path / "smoke.json", "--backend", f"{server.base_url}/", "--skip-wandb")

    assert code == 0
    assert [check["name"] for check in report["checks"]] == NAMES
    assert all(set(check) == {"name", "ok", "elapsed_ms", "detail"} for check in report["checks"])
    assert report["summary"] == {"pass": True, "checks": len(NAMES), "failed": []}
    assert {"generated_at", "run_id", "config", "system", "artifacts"} <= set(report)


def test_without_a_tracker_its_checks_fail_and_say_how_to_leave_them_out(
    server: LoopbackServer, tmp_path: Path
) -> None:
    code, report = smoke(tmp_path / "smoke.json", "--backend", server.base_url, "--require-clean-wandb-status")

    assert code == 1
    assert [check["name"] for check in report["checks"]] == NAMES + TRACKER
    assert failed(report) == TRACKER[1:]
    assert "--skip-wandb" in report["checks"][-2]["detail"]


def test_a_server_without_runs_passes_only_where_that_is_allowed(tmp_path: Path, client_dir: Path) -> None:
    (tmp_path / "runs").mkdir()
    with serving(tmp_path / "runs", client_dir=client_dir) as empty:
        asked = ("--backend", empty.base_url, "--skip-wandb")
        refused = smoke(tmp_path / "a.json", *asked)
        allowed = smoke(tmp_path / "b.json", *asked, "--allow-empty-runs")

    assert (refused[0], allowed[0]) == (1, 0)
    assert failed(refused[1]) == ["run catalogue", "replay discovery", "frames over HTTP", "frames over WebSocket"]


def test_a_client_of_another_origin_must_be_let_in(server: LoopbackServer, client_dir: Path, tmp_path: Path) -> None:
    with serving(server.run_root, client_dir=client_dir) as pages:
        asked = ("--client", pages.base_url, "--skip-wandb")
        with serving(server.run_root, client_dir=client_dir, cors_origins=(pages.base_url,)) as open_to_it:
            let_in = smoke(tmp_path / "a.json", "--backend", open_to_it.base_url, *asked)
        with serving(server.run_root, client_dir=client_dir, cors_localhost=False) as closed_to_it:
            shut_out = smoke(tmp_path / "b.json", "--backend", closed_to_it.base_url, *asked)

    assert (let_in[0], shut_out[0]) == (0, 1)
    assert failed(shut_out[1]) == ["CORS simple request", "CORS preflight", "frames over WebSocket"]


def test_a_server_that_is_not_there_fails_in_words(tmp_path: Path) -> None:
    code, report = smoke(tmp_path / "smoke.json", "--backend", "http://127.0.0.1:9", "--skip-wandb")

    assert code == 1
    assert report["checks"][0]["detail"].endswith("does not answer: connection refused")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--backend", "127.0.0.1:8000"], id="no-scheme"),
        pytest.param(["--client", "http://host:99999"], id="port"),
        pytest.param(["--skip-wandb", "--require-clean-wandb-status"], id="contradiction"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["smoke", *arguments])

    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1
