"""The tracker proxy: absent, failing and healthy, with a client that tests control."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from diorama.server import services as services_module
from diorama.server.models.base import JsonObject
from diorama.server.tracker.client import TrackedRecord, TrackedRunUnknown
from diorama.server.tracker.json_safe import safe_object
from diorama.server.tracker.questions import HistoryQuestion, Scope
from diorama.server.tracker.service import TrackerService, TrackerSettings
from tests.server.loopback import serving

KEY = "0123456789abcdef-secret"
SCOPE = {"wandb_entity": "miners", "wandb_project": "belt"}


class FakeService:
    """Stands in for the service of the tracker, which cannot be reached from tests."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Scope]] = []
        self.failure: Exception | None = None
        self.hold: Event | None = None

    def list_runs(self, scope: Scope, limit: int) -> Sequence[TrackedRecord]:
        self._ask("list_runs", scope)
        return [self._record(f"run-{index}") for index in range(min(limit, 12))]

    def run_summary(self, scope: Scope, run_id: str) -> TrackedRecord:
        self._ask("run_summary", scope)
        if run_id == "nobody":
            raise TrackedRunUnknown("miners/belt has no run 'nobody'")
        return self._record(run_id)

    def run_history(self, scope: Scope, question: HistoryQuestion) -> Sequence[JsonObject]:
        self._ask("run_history", scope)
        return [
            {"_step": step, "window_id": step, "env_steps_total": step * 100, "reward_mean": step / 4, "extra": 1}
            for step in range(40)
        ]

    def _ask(self, operation: str, scope: Scope) -> None:
        self.asked.append((operation, scope))
        if self.hold is not None:
            assert self.hold.wait(30)
        if self.failure is not None:
            raise self.failure

    def _record(self, run_id: str) -> TrackedRecord:
        summary: JsonObject = {"return_mean": 7.5, "profit_mean": 12.0, "notes": "fine", "table": [1, 2]}
        return TrackedRecord(run_id=run_id, name=run_id.upper(), state="finished", config={"seed": 1}, summary=summary)


@contextmanager
def proxy(
    root: Path, fake: FakeService | None = None, /, **settings: object
) -> Iterator[tuple[httpx.Client, Callable[[str], dict[str, Any]]]]:
    """A server whose tracker client is the fake one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("WANDB_API_KEY", raising=False)

        def build(told: TrackerSettings) -> TrackerService:
            return TrackerService(told, connect=lambda key: fake or FakeService())

        patch.setattr(services_module, "TrackerService", build)
        with (
            serving(root, **settings) as server,
            httpx.Client(base_url=f"{server.base_url}/api/wandb", timeout=30) as client,
        ):
            yield client, lambda path: client.get(path).json()


def test_without_anything_the_proxy_says_what_is_missing(tmp_path: Path) -> None:
    with proxy(tmp_path) as (client, ask):
        status = ask("/status")
        assert (status["available"], status["source"]) == (False, None)
        assert "WANDB_API_KEY is not set" in status["reason"]
        assert [note.split(":")[0] for note in status["notes"]] == [
            "the tracker is not available",
            "there is no default scope",
        ]
        for path in ("/runs/latest", "/runs/a/summary", "/runs/a/history", "/runs/a/iteration-view"):
            assert client.get(path).status_code == 400
            assert client.get(path, params={"entity": "e", "project": "p"}).status_code == 503


def test_a_key_without_a_scope_is_a_bad_request_until_the_caller_gives_one(tmp_path: Path) -> None:
    fake = FakeService()
    with proxy(tmp_path, fake, WANDB_API_KEY=KEY, wandb_entity="miners") as (client, _):
        refused = client.get("/runs/latest")
        answered = client.get("/runs/latest", params={"project": "caves"})

    assert refused.status_code == 400
    assert "DIORAMA_WANDB_PROJECT" in refused.json()["detail"]
    assert (answered.status_code, answered.json()["project"]) == (200, "caves")
    assert fake.asked == [("list_runs", Scope(entity="miners", project="caves"))]


def test_a_healthy_tracker_answers_everything(tmp_path: Path) -> None:
    with proxy(tmp_path, WANDB_API_KEY=KEY, **SCOPE) as (_, ask):
        latest = ask("/runs/latest?limit=3")
        summary = ask("/runs/run-1/summary")
        history = ask("/runs/run-1/history?keys=_step,reward_mean&max_points=5")
        everything = ask("/runs/run-1/history")
        view = ask("/runs/run-1/iteration-view?max_points=2")
        status = ask("/status")

    assert (latest["entity"], latest["project"], latest["count"]) == ("miners", "belt", 3)
    assert latest["runs"][0]["summary_preview"] == {"return_mean": 7.5, "profit_mean": 12.0, "notes": "fine"}
    assert summary["run"]["config"] == {"seed": 1}
    assert (history["keys"], history["count"]) == (["_step", "reward_mean"], 5)
    assert (history["rows"][0], history["rows"][-1]) == (
        {"_step": 0, "reward_mean": 0.0},
        {"_step": 39, "reward_mean": 9.75},
    )
    assert (everything["keys"], everything["count"], everything["rows"][3]["extra"]) == ([], 40, 1)
    assert view["history"]["count"] == 2
    assert view["kpis"] == {
        "_step": 39,
        "window_id": 39,
        "env_steps_total": 3900,
        "reward_mean": 9.75,
        "return_mean": 7.5,
        "profit_mean": 12.0,
        "survival_rate": None,
    }
    assert (status["available"], status["source"], status["notes"]) == (True, "online", [])
    assert status["operations"]["run_history"]["calls"] == 3
    assert status["cache"]["sets"] == 5
    assert status["cache"]["hits"] == 1


def test_a_failing_tracker_is_a_bad_gateway_without_the_key(tmp_path: Path) -> None:
    fake = FakeService()
    fake.failure = RuntimeError(f"401 for {KEY}\n at line 3")
    with proxy(tmp_path, fake, WANDB_API_KEY=KEY, **SCOPE) as (client, ask):
        for path in ("/runs/latest", "/runs/a/summary", "/runs/a/history", "/runs/a/iteration-view"):
            answer = client.get(path)
            assert answer.status_code == 502
            assert KEY not in answer.text
            assert "RuntimeError: 401 for ***" in answer.json()["detail"]
        fake.failure = None
        assert client.get("/runs/latest").status_code == 200
        status = ask("/status")

    assert status["operations"]["list_runs"] == {
        **status["operations"]["list_runs"],
        "calls": 2,
        "errors": 1,
    }
    assert "list_runs failed 1 of 2 times" in status["notes"]
    assert KEY not in str(status)


def test_a_tracker_that_does_not_answer_is_given_up_and_the_status_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diorama.server.tracker.service.PATIENCE_SECONDS", 0.05)
    fake, may_answer = FakeService(), Event()
    fake.hold = may_answer
    with proxy(tmp_path, fake, WANDB_API_KEY=KEY, **SCOPE) as (client, ask):
        answers = [client.get(f"/runs/run-{index}/summary") for index in range(6)]
        status = ask("/status")
        may_answer.set()

    assert {answer.status_code for answer in answers} == {502}
    assert "did not answer within 0.05 s" in answers[0].json()["detail"]
    assert status["available"] is True


def test_a_run_the_tracker_does_not_have_is_not_found(tmp_path: Path) -> None:
    with proxy(tmp_path, WANDB_API_KEY=KEY, **SCOPE) as (client, _):
        assert client.get("/runs/nobody/summary").status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "/runs/latest?limit=0",
        "/runs/latest?limit=51",
        "/runs/latest?entity=a/b",
        "/runs/a/history?max_points=0",
        "/runs/a/history?max_points=5001",
        "/runs/a/history?keys=" + ",".join(f"k{index}" for index in range(65)),
        "/runs/..%2Fetc/summary",
        "/runs/.hidden/summary",
    ],
    ids=lambda query: query[:32],
)
def test_bounds_are_kept(tmp_path: Path, query: str) -> None:
    with proxy(tmp_path, WANDB_API_KEY=KEY, **SCOPE) as (client, _):
        assert client.get(query).status_code in (404, 422) if "%2F" in query else client.get(query).status_code == 422


def test_answers_are_kept_for_a_while_and_not_at_all_if_told_so(tmp_path: Path) -> None:
    kept, asked_again = FakeService(), FakeService()
    with proxy(tmp_path, kept, WANDB_API_KEY=KEY, **SCOPE) as (_, ask):
        first, *others = [ask("/runs/latest") for _ in range(4)]
        assert others == [first] * 3
        assert ask("/status")["cache"]["hit_rate"] == 0.75
    with proxy(tmp_path, asked_again, WANDB_API_KEY=KEY, wandb_cache_ttl_seconds=0, **SCOPE) as (_, ask):
        for _ in range(3):
            ask("/runs/latest")
        status = ask("/status")

    assert (len(kept.asked), len(asked_again.asked)) == (1, 3)
    assert status["cache"]["entries"] == 0
    assert "the cache is off: every question goes to the tracker" in status["notes"]


def test_a_cache_that_serves_badly_is_noted(tmp_path: Path) -> None:
    with proxy(tmp_path, WANDB_API_KEY=KEY, wandb_cache_ttl_seconds=5, **SCOPE) as (_, ask):
        for index in range(20):
            ask(f"/runs/run-{index}/summary")
        notes = ask("/status")["notes"]

    assert notes == [
        "answers are kept for 5 s only; use 10 s or more",
        "the cache answers 0% of 20 questions; keep answers longer",
    ]


def test_a_missing_library_is_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diorama.server.tracker.service.find_spec", lambda name: None)
    with proxy(tmp_path, WANDB_API_KEY=KEY, **SCOPE) as (client, ask):
        answer = client.get("/runs/latest")

        assert answer.status_code == 503
        assert "pip install 'diorama[track]'" in answer.json()["detail"]
        assert ask("/status")["available"] is False


def test_values_become_json() -> None:
    deep: object = 1
    for _ in range(10):
        deep = {"in": deep}

    safe = safe_object(
        {
            "nan": math.nan,
            "inf": -math.inf,
            "path": Path("a"),
            "many": list(range(1000)),
            "pair": (1, None, True),
            "deep": deep,
            "text": "x" * 100_000,
            **{f"k{index}": index for index in range(1000)},
        }
    )

    assert (safe["nan"], safe["inf"], safe["path"], safe["pair"]) == (None, None, "a", [1, None, True])
    assert isinstance(safe["many"], list)
    assert (len(safe["many"]), len(safe), len(str(safe["text"]))) == (512, 256, 8192)
    assert str(safe["deep"]).count("in") == 4  # within the outermost object, which counts too
