"""Tokens that leave the machine unencrypted are told of."""

import socket

import pytest

from diorama.cli.app import run
from diorama.cli.console.overhearing import is_overheard

WARNING = "diorama: the token travels to http://nowhere.invalid:8001 unencrypted"


@pytest.fixture(autouse=True)
def _no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*asked: object, **more: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.parametrize(
    ("address", "is_open"),
    [
        pytest.param("http://127.0.0.1:8001", False, id="loopback"),
        pytest.param("http://127.4.5.6:8001", False, id="any-loopback"),
        pytest.param("http://localhost:8001", False, id="localhost"),
        pytest.param("http://[::1]:8001", False, id="loopback-v6"),
        pytest.param("https://worlds.example", False, id="encrypted"),
        pytest.param("http://worlds.example", True, id="name"),
        pytest.param("http://192.0.2.7:8001", True, id="number"),
        pytest.param("http://localhost.example", True, id="only-looks-like-it"),
    ],
)
def test_only_plain_http_to_other_machines_is_overheard(address: str, is_open: bool) -> None:
    assert is_overheard(address) is is_open


@pytest.mark.parametrize(
    "command", [["watch", "http://nowhere.invalid:8001"], ["events", "--url", "http://nowhere.invalid:8001"]], ids=str
)
def test_whoever_sends_a_token_in_the_open_is_told(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_TOKEN", "a-token-of-a-test")

    run([*command, "--token-env", "MY_TOKEN"])

    said = capsys.readouterr().err
    assert said.startswith(WARNING)
    assert "a-token-of-a-test" not in said


def test_without_a_token_there_is_nothing_to_overhear(capsys: pytest.CaptureFixture[str]) -> None:
    run(["watch", "http://nowhere.invalid:8001"])

    assert "unencrypted" not in capsys.readouterr().err
