"""`diorama serve` as somebody types it."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from diorama.cli.app import run
from diorama.cli.serving.run import check_root
from diorama.contracts.errors import ConfigError
from diorama.server.settings import ServerSettings
from tests.runs.factories import empty_run
from tests.server.event_stream import following


@dataclass(frozen=True, slots=True)
class Started:
    """A server, where it answers, and what it said."""

    process: subprocess.Popen[str]
    url: str
    banner: str


@contextmanager
def started(*arguments: str, cwd: Path) -> Iterator[Started]:
    """Start a server on a free port and yield it, once it answers."""
    command = [sys.executable, "-m", "diorama", "serve", "--port", "0", *arguments]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        banner = "".join(iter(process.stdout.readline, "  Ctrl-C stops the server.\n"))
        found = re.search(r"http://\S+", banner)
        assert found is not None, banner
        # The address listens before it is printed, so this waits for the first answer and needs no second try.
        assert httpx.get(f"{found[0]}/health", timeout=60).json() == {"status": "ok"}
        yield Started(process, found[0], banner)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def first_run_with_a_replay(url: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        runs: list[dict[str, Any]] = httpx.get(f"{url}/api/runs").json()["runs"]
        if runs and runs[0]["replay_count"]:
            return runs[0]
        time.sleep(0.1)
    raise AssertionError("no demo replay was made")


def test_a_server_answers_to_the_name_it_was_told_to_listen_on(tmp_path: Path) -> None:
    short_number = "127.1"  # for programs a name like any other with a dot

    with started("--host", short_number, "--no-demo", "--run-root", ".", cwd=tmp_path) as server:
        assert server.url.startswith(f"http://{short_number}:")


def test_a_server_that_listens_everywhere_tells_how_it_gets_names(tmp_path: Path) -> None:
    with started("--host", "0.0.0.0", "--no-demo", "--run-root", ".", cwd=tmp_path) as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert "names with a dot must be in DIORAMA_HOSTS" in server.banner


@pytest.mark.slow
def test_an_empty_root_is_filled_with_demo_data_and_a_stop_is_graceful(tmp_path: Path) -> None:
    with started(cwd=tmp_path) as server:
        process, url = server.process, server.url
        row = first_run_with_a_replay(url)
        (replay, *_) = httpx.get(f"{url}/api/runs/{row['run_id']}/replays").json()["replays"]
        page = httpx.get(f"{url}/api/runs/{row['run_id']}/replays/{replay['replay_id']}/frames").json()
        with following(url, row["run_id"]) as events:
            next(events)
            process.send_signal(signal.SIGINT)
            rest = [event.name for event in events]
        words, _ = process.communicate(timeout=30)

    assert "demo" in row["tags"]
    assert page["count"] >= 1
    assert set(rest) <= {"replay", "status"}  # the stream came to its end instead of being cut
    assert process.returncode == 0
    assert words.rstrip().endswith("stopped")
    assert "Traceback" not in words
    status = status_in(tmp_path / "runs" / row["run_id"])
    assert status in {"stopped", "completed"}  # the process that made it has put it in order


def status_in(directory: Path) -> str:
    found = re.search(r'"status": "(\w+)"', (directory / "run_metadata.json").read_text())
    assert found is not None
    return found[1]


def test_a_root_with_runs_is_served_as_it_is(tmp_path: Path) -> None:
    empty_run(tmp_path / "mine", "only")

    with started("--run-root", "mine", cwd=tmp_path) as server:
        listing = httpx.get(f"{server.url}/api/runs").json()
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate(timeout=30)

    assert [row["run_id"] for row in listing["runs"]] == ["only"]
    assert "1 run in mine" in server.banner
    assert server.process.returncode == 0


def test_a_port_that_is_taken_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])

        code = run(["serve", "--port", port, "--run-root", str(tmp_path)])

    assert code == 2
    assert capsys.readouterr().err == (
        f"diorama: cannot listen on 127.0.0.1:{port} (address already in use); choose another with --port\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--run-root", "missing"], "missing does not exist", id="no-root"),
        pytest.param(["--run-root", "missing", "--no-demo"], "missing does not exist", id="no-root-no-demo"),
        pytest.param(["--no-demo"], "runs does not exist", id="no-default-root-no-demo"),
        pytest.param(["--host", "no such host"], "'no such host' is no address", id="host"),
        pytest.param(["--port", "65536"], "--port", id="port"),
        pytest.param(["--cors-origin-regex", "("], "no regular expression", id="regex"),
    ],
)
def test_bad_input_is_one_line_and_makes_nothing(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DIORAMA_RUNS_ROOT", raising=False)

    code = run(["serve", "--port", "0", *arguments])

    assert code == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_its_extra_it_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diorama.cli.serving.packages._PACKAGES", ("fastapi", "a_package_nobody_has"))

    assert run(["serve"]) == 2
    assert capsys.readouterr().err == "diorama: diorama serve needs the extra 'serve': pip install 'diorama[serve]'\n"


def test_a_file_in_place_of_the_root_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ConfigError, match="is no directory"):
        check_root(ServerSettings(runs_root=tmp_path / "file"), demo=None)


def test_a_root_is_made_where_demo_data_was_asked_for(tmp_path: Path) -> None:
    check_root(ServerSettings(runs_root=tmp_path / "new"), demo=True)
    with pytest.raises(ConfigError, match="or add --demo"):
        check_root(ServerSettings(runs_root=tmp_path / "new"), demo=None)
