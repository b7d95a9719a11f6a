import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diorama.operate.console.callers import Caller
from diorama.operate.console.rate_limit import RateLimit, Verdict
from tests.operate.console.services import OLGA, VERA, ask, open_desk, words_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
ENVELOPE_LIKE = st.fixed_dictionaries(
    {"name": st.sampled_from(["noop", "help", "teleport", "spawn", "telemetry_snapshot", "step"]) | JSON},
    optional={"args": JSON, "kwargs": JSON, "cmd_id": JSON, "metadata": JSON, "dry_run": JSON, "role": JSON},
)

VIEWER = Caller(issuer="vera", role="viewer", address="10.0.0.2", limit_key=None)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


def test_the_limit_counts_any_sixty_seconds_and_everybody_alone() -> None:
    now = [0.0]
    limit = RateLimit(2, clock=lambda: now[0])

    first = [limit.take("a") for _ in range(4)]
    other = limit.take("b")
    now[0] = 59.9
    late = limit.take("a")
    now[0] = 60.0
    fresh = limit.take("a")

    assert first == [Verdict.ALLOWED, Verdict.ALLOWED, Verdict.STOPPED, Verdict.REFUSED]
    assert (other, late, fresh) == (Verdict.ALLOWED, Verdict.REFUSED, Verdict.ALLOWED)


def test_whoever_speaks_too_often_is_refused_and_others_are_not(tmp_path: Path) -> None:
    desk, _ = open_desk(tmp_path, rate_limit_per_minute=2)

    codes = [ask(desk, VERA, "noop", cmd_id=str(n)).get("error", {}).get("code") for n in range(5)]

    assert codes == [None, None, "rate_limited", "rate_limited", "rate_limited"]
    assert ask(desk, OLGA, "noop")["status"] == "ok"
    assert ask(desk, Caller.local("rehearsal"), "noop")["status"] == "ok"
    lines = [json.loads(line) for line in (tmp_path / "logs/console/commands.jsonl").read_text().splitlines()]
    assert [line["error_code"] for line in lines if line["issuer"] == "vera"] == [None, None, "rate_limited"]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="list"),
        pytest.param("noop", id="text"),
        pytest.param({}, id="no-name"),
        pytest.param({"name": ""}, id="empty-name"),
        pytest.param({"name": 5}, id="number-name"),
        pytest.param({"name": "noop", "role": "admin"}, id="role-in-payload"),
        pytest.param({"name": "noop", "issuer": "olga"}, id="issuer-in-payload"),
        pytest.param({"name": "noop", "cmd_id": ""}, id="empty-id"),
        pytest.param({"name": "noop", "cmd_id": "x" * 65}, id="long-id"),
        pytest.param({"name": "noop", "args": {}}, id="args-no-list"),
        pytest.param({"name": "noop", "kwargs": []}, id="kwargs-no-object"),
        pytest.param({"name": "noop", "args": ["x" * 20000]}, id="huge-text"),
        pytest.param({"name": "noop", "args": list(range(5000))}, id="too-many"),
        pytest.param({"name": "noop", "args": deep(1000)}, id="too-deep"),
        pytest.param({"name": "noop", "args": [10**30]}, id="huge-number"),
        pytest.param({"name": "noop", "args": [float("nan")]}, id="not-a-number"),
        pytest.param({"name": "noop", "args": ["\ud800"]}, id="half-a-character"),
        pytest.param({"name": "noop", "args": [object()]}, id="no-json"),
        pytest.param({"name": "noop", "dry_run": "yes"}, id="dry-run-text"),
    ],
)
def test_what_is_no_envelope_is_refused_in_words(tmp_path: Path, sent: object) -> None:
    desk, _ = open_desk(tmp_path)

    answer: dict[str, Any] = desk.submit(sent, OLGA).result(0)

    assert answer["error"]["code"] == "usage"
    assert answer["error"]["message"]
    assert desk.drain() == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=ENVELOPE_LIKE | JSON)
def test_nothing_a_viewer_sends_breaks_or_changes_anything(
    tmp_path_factory: pytest.TempPathFactory, sent: object
) -> None:
    desk, services = _shared(tmp_path_factory)
    before = words_of(services)

    answer = desk.submit(sent, VIEWER)
    desk.drain()

    assert answer.result(0)["status"] in ("ok", "error")
    json.dumps(answer.result(0), allow_nan=False)
    assert (words_of(services), services.journal) == (before, [])


_OPENED: list[Any] = []


def _shared(factory: pytest.TempPathFactory) -> Any:
    if not _OPENED:
        _OPENED.append(open_desk(factory.mktemp("console")))
    return _OPENED[0]
