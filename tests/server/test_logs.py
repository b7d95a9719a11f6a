"""The log of a server: one line a request where that is wished, as text or JSON, in files that are put aside."""

import json
import logging
from pathlib import Path

import httpx
import pytest

from diorama.contracts.errors import ConfigError
from diorama.operate.console.audit import REMOVED
from diorama.server.logs import SecretRemover, logging_of
from diorama.server.settings import read_settings
from tests.server.loopback import serving

SECRET = "0123456789abcdef-of-the-tracker"


def test_every_request_is_a_json_line_without_its_query(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "server.jsonl"
    settings = read_settings(log_file=log, log_format="json")
    with (
        logging_of(settings),
        serving(tmp_path / "runs") as server,
        httpx.Client(base_url=server.base_url, timeout=30) as client,
    ):
        client.get("/api/runs/none?token=a-secret-in-an-address", headers={"Authorization": "Bearer a-secret"})
        client.head("/health")

    first, second = (json.loads(line) for line in log.read_text().splitlines())
    assert {**first, "time": "", "ms": 0, "bytes": 0} == {
        "event": "request",
        "level": "info",
        "logger": "diorama.access",
        "time": "",
        "method": "GET",
        "path": "/api/runs/none",
        "route": "/api/runs/{run_id}",
        "status": 404,
        "ms": 0,
        "bytes": 0,
        "client": "127.0.0.1",
    }
    assert (second["method"], second["path"], second["status"]) == ("HEAD", "/health", 200)
    assert "a-secret" not in log.read_text()


def test_without_a_file_requests_leave_no_line_and_errors_are_text(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with logging_of(read_settings()), serving(tmp_path / "runs") as server:
        httpx.get(f"{server.base_url}/health", timeout=30)
        logging.getLogger("diorama.somewhere").error("the %s is full", "disk")

    told = capfd.readouterr().err
    assert told.count("\n") == 1
    assert "the disk is full" in told
    assert "diorama.somewhere" in told


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_secret_reaches_a_log(form: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    environment = {"WANDB_API_KEY": SECRET, "HOME": "/home/olga-and-her-mule"}
    with logging_of(read_settings(log_file=log, log_format=form), environment):
        told = logging.getLogger("diorama.test")
        told.error("refused %s", SECRET)
        told.error("sent Authorization: Bearer abc.def and ?access_token=xyz123&a=1 at %s", environment["HOME"])
        told.error("with fields", extra={"token": "raw-token", "wandb": {"api_key": "raw-key", "run": "a"}})
        try:
            raise ValueError(f"no such key {SECRET}")
        except ValueError:
            told.exception("it failed")

    text = log.read_text()
    assert text.count(REMOVED) >= 5
    for secret in (SECRET, "abc.def", "xyz123", "raw-token", "raw-key"):
        assert secret not in text
    for kept in ("a=1", environment["HOME"], "ValueError: no such key"):
        assert kept in text


def test_short_values_of_variables_are_no_secrets() -> None:
    assert SecretRemover({"A_TOKEN": "on"}).text("it goes on") == "it goes on"


def test_files_are_put_aside_and_the_oldest_go(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    with logging_of(read_settings(log_file=log, log_rotate_bytes=4096, log_rotate_keep=2)):
        for number in range(300):
            logging.getLogger("diorama.test").error("line %d %s", number, "x" * 60)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["server.log", "server.log.1", "server.log.2"]
    assert all(path.stat().st_size <= 4096 for path in tmp_path.iterdir())
    assert "line 299" in log.read_text()


def test_a_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(ConfigError) as refused, logging_of(read_settings(log_file=tmp_path / "file" / "log")):
        pass

    assert refused.value.code == "log_not_writable"
