"""The OpenAPI document: it is the one that is committed, and no request that fuzzing finds breaks the server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

from diorama.runs.layout import run_layout
from diorama.runs.replays.index import read_index
from diorama.server.openapi import openapi_text
from tests.server.conftest import TRAINED
from tests.server.loopback import LoopbackServer

OPENED = {
    "/api/play/session/": ("/api/play/session", {"world": "prospector", "seed": 3}),
    "/api/consoles/session/": ("/api/consoles/session", {"world": "gameboy", "program": "GRID_GOAL"}),
    "/api/campaigns/": ("/api/campaigns", {"seed": 8, "player": "accord"}),
}
COMMITTED = Path(__file__).parents[2] / "web" / "openapi.json"

schema = schemathesis.openapi.from_dict(json.loads(COMMITTED.read_text(encoding="utf-8")))
# What fits the schema may still make no sense here, and a tracker that is not configured answers 503 as documented.
NOT_CHECKED: list[Any] = [CHECKS.get_one(name) for name in ("positive_data_acceptance", "not_a_server_error")]


def test_the_committed_document_is_that_of_the_server() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == openapi_text(), "run: python tools/write_openapi.py"


@schema.parametrize()
@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_the_answer_keeps_to_the_document(
    case: schemathesis.Case[Any], server: LoopbackServer
) -> None:
    answer = case.call_and_validate(base_url=server.base_url, timeout=20, excluded_checks=NOT_CHECKED)

    assert answer.status_code != 500


@schema.include(path_regex="^/api/runs/{run_id}").parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_about_a_run_that_exists_the_answer_keeps_to_the_document(
    case: schemathesis.Case[Any], server: LoopbackServer
) -> None:
    newest = read_index(run_layout(server.run_root, TRAINED)).entries[-1]
    case.path_parameters.update(run_id=TRAINED, replay_id=newest.replay_id)

    excluded = [*NOT_CHECKED, CHECKS.get_one("negative_data_rejection")]  # the good name may have replaced a bad one
    answer = case.call_and_validate(base_url=server.base_url, timeout=20, excluded_checks=excluded)

    assert answer.status_code != 500


class OpenThings:
    """A play session, a console and a campaign; each is opened again when a request has ended it."""

    def __init__(self, server: LoopbackServer) -> None:
        self._client = httpx.Client(base_url=server.base_url, timeout=60)
        self._ids: dict[str, str] = {}

    def id_for(self, path: str) -> tuple[str, str]:
        """Return the name of the parameter that a path has, and an id that stands for something."""
        prefix = next(one for one in OPENED if path.startswith(one))
        name = "campaign_id" if prefix == "/api/campaigns/" else "session_id"
        known = self._ids.get(prefix)
        if known is None or self._client.get(f"{prefix}{known}").status_code == 404:
            where, body = OPENED[prefix]
            answer = self._client.post(where, json=body)
            assert answer.status_code == 200, answer.text
            self._ids[prefix] = answer.json()[name]
        return name, self._ids[prefix]

    def close(self) -> None:
        self._client.close()


@pytest.fixture(scope="module")
def things(server: LoopbackServer) -> Iterator[OpenThings]:
    """What operations on sessions, consoles and campaigns need."""
    opened = OpenThings(server)
    yield opened
    opened.close()


@schema.include(path_regex=r"^/api/(play/session|consoles/session|campaigns)/\{").parametrize()
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_is_asked_of_something_open_the_answer_keeps_to_the_document(
    case: schemathesis.Case[Any], server: LoopbackServer, things: OpenThings
) -> None:
    name, known = things.id_for(case.path)
    case.path_parameters[name] = known

    excluded = [*NOT_CHECKED, CHECKS.get_one("negative_data_rejection")]  # the good name may have replaced a bad one
    answer = case.call_and_validate(base_url=server.base_url, timeout=60, excluded_checks=excluded)

    assert answer.status_code not in (500, 501)
