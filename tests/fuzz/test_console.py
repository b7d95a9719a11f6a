"""Console envelopes: over REST to a live town, and as the desk takes them."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.contracts.live.refusals import CommandError
from diorama.operate.console.envelopes import parse_envelope
from tests.fuzz.damage import damaged_json, damaged_value
from tests.fuzz.effort import examples, read_or_refused
from tests.server.live.stage import ADMIN_TOKEN, Stage, bearer, on_stage

UNSUPPORTED = 501
ENVELOPES = (
    {"name": "price", "args": ["meal_cost", 0.5], "cmd_id": "a-1", "metadata": {"why": ["x"]}},
    {"name": "teleport", "kwargs": {"agent": "citizen_001", "to": [3, 4]}, "dry_run": True},
    {"name": "spawn", "args": [], "kwargs": {"needs": {"hunger": 0.5}}},
    {"name": "speed", "args": ["pause"]},
    {"name": "snapshot_load", "args": ["none.json.gz"]},
    {"name": "help"},
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    root = tmp_path_factory.mktemp("live")
    with on_stage(root, speed="max", world={"population": 3}, console={"rate_limit_per_minute": 1_000_000}) as opened:
        yield opened


@examples(5)
@given(value=st.sampled_from(ENVELOPES).flatmap(damaged_value))
def test_whatever_is_sent_it_is_an_envelope_or_refused(value: object) -> None:
    with read_or_refused(CommandError):
        parse_envelope(value)


def test_whatever_is_posted_the_town_answers_and_lives(stage: Stage) -> None:
    @examples(5, share=0.5)
    @given(data=st.sampled_from(ENVELOPES).flatmap(damaged_json))
    def check(data: bytes) -> None:
        answer = stage.http.post(
            f"{stage.address}/console",
            content=data,
            headers={**bearer(ADMIN_TOKEN), "Content-Type": "application/json"},
        )
        assert answer.status_code < 500 or answer.status_code == UNSUPPORTED, (data, answer.text)
        json.loads(answer.text)

    check()
    assert stage.runtime.join(timeout=0) is None, "the town has ended"
    assert stage.post({"name": "noop"}, ADMIN_TOKEN).status_code == 200
