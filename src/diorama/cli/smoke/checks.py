"""The checks of a deployment, in their order; each knows what the ones before it found."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import quote

from diorama.cli.smoke.asking import Answer, SmokeFailure, ask, origin_of, stream_frames
from diorama.contracts.values import JsonObject

_CLIENT_ROUTES: Final = ("/", "/watch", "/play", "/analytics")
_PAGE_FRAMES: Final = 64
_ALLOW_ORIGIN: Final = "access-control-allow-origin"
_NOTHING: Final = "skipped: there is none"


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokePlan:
    """What is checked, and what counts as a failure; addresses have no slash at their end."""

    backend: str
    client: str
    timeout_seconds: float
    allows_empty_runs: bool
    asks_tracker: bool
    requires_clean_tracker: bool

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check and how it went."""

    name: str
    ok: bool
    elapsed_ms: float
    detail: str

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return asdict(self)


def run_checks(plan: SmokePlan) -> Iterator[Check]:
    """Check everything, one after another, also after a failure."""
    visit = _Visit(plan)
    checks: list[tuple[str, Callable[[], str]]] = [
        ("health", visit.health),
        ("run catalogue", visit.catalogue),
        ("CORS simple request", visit.cors_simple),
        ("CORS preflight", visit.cors_preflight),
        ("replay discovery", visit.discovery),
        ("frames over HTTP", visit.frames_http),
        ("frames over WebSocket", visit.frames_socket),
        *((f"client route {route}", _route_check(visit, route)) for route in _CLIENT_ROUTES),
    ]
    if plan.asks_tracker:
        checks += [
            ("tracker status", visit.tracker_status),
            ("tracker latest runs", visit.tracker_latest),
            ("tracker summary", visit.tracker_summary),
            ("tracker history", visit.tracker_history),
            ("tracker iteration view", visit.tracker_iteration_view),
            ("tracker status again", visit.tracker_status_again),
        ]
    for name, check in checks:
        yield _checked(name, check)


def _checked(name: str, check: Callable[[], str]) -> Check:
    began = time.perf_counter()
    try:
        ok, detail = True, check()
    except SmokeFailure as failure:
        ok, detail = False, str(failure)
    except (KeyError, TypeError, IndexError) as error:
        ok, detail = False, f"the answer is not what it should be: {error!r}"
    return Check(name=name, ok=ok, elapsed_ms=(time.perf_counter() - began) * 1000.0, detail=detail)


def _route_check(visit: "_Visit", route: str) -> Callable[[], str]:
    return lambda: visit.client_route(route)


class _Visit:
    """One tour; later checks use the runs and replays that earlier ones found."""

    def __init__(self, plan: SmokePlan) -> None:
        self._plan = plan
        self._origin = origin_of(plan.client)
        self._runs: list[dict[str, Any]] | None = None
        self._replay: tuple[str, str] | None = None
        self._tracked: list[dict[str, Any]] | None = None

    def health(self) -> str:
        status = self._get("/health").document()["status"]
        if status != "ok":
            raise SmokeFailure(f"says {status!r} instead of 'ok'")
        return "ok"

    def catalogue(self) -> str:
        listing = self._get("/api/runs?limit=500").document()
        self._runs = listing["runs"]
        if not self._runs and not self._plan.allows_empty_runs:
            raise SmokeFailure("there are no runs; train one, or pass --allow-empty-runs")
        return f"{listing['total']} runs"

    def cors_simple(self) -> str:
        answer = self._get("/api/runs?limit=1", {"Origin": self._origin})
        answer.document()
        return self._allowed(answer)

    def cors_preflight(self) -> str:
        asked = {"Origin": self._origin, "Access-Control-Request-Method": "GET"}
        answer = self._get("/api/runs", asked, method="OPTIONS")
        if not self._is_same_origin and answer.status not in (200, 204):
            raise SmokeFailure(f"answers {answer.status}; the server must allow {self._origin}")
        return self._allowed(answer)

    def discovery(self) -> str:
        for run in self._runs or ():
            if run["replay_count"]:
                run_id = run["run_id"]
                found = self._get(f"/api/runs/{quote(run_id)}/replays?limit=1").document()["replays"]
                self._replay = run_id, found[0]["replay_id"]
                return f"{run_id} has {found[0]['replay_id']}"
        if not self._plan.allows_empty_runs:
            raise SmokeFailure("no run has a replay; record one, or pass --allow-empty-runs")
        return _NOTHING

    def frames_http(self) -> str:
        if self._replay is None:
            return self._without_replay()
        run_id, replay_id = self._replay
        address = f"/api/runs/{quote(run_id)}/replays/{quote(replay_id)}/frames?limit={_PAGE_FRAMES}"
        page = self._get(address).document()
        if not page["frames"] or page["count"] != len(page["frames"]):
            raise SmokeFailure(f"{len(page['frames'])} frames, and it says {page['count']}")
        return f"{page['count']} frames"

    def frames_socket(self) -> str:
        if self._replay is None:
            return self._without_replay()
        run_id, replay_id = self._replay
        base = self._plan.backend.replace("http", "ws", 1)
        address = f"{base}/ws/runs/{quote(run_id)}/replays/{quote(replay_id)}/frames?limit={_PAGE_FRAMES}"
        frames, attempts = stream_frames(address, origin=self._origin, timeout_seconds=self._plan.timeout_seconds)
        if not frames:
            raise SmokeFailure("the stream completes without a frame")
        return f"{frames} frames" + (f", attempt {attempts}" if attempts > 1 else "")

    def client_route(self, route: str) -> str:
        answer = ask(f"{self._plan.client}{route}", timeout_seconds=self._plan.timeout_seconds)
        kind = answer.headers.get("content-type", "")
        if answer.status != 200 or not kind.startswith("text/html"):
            raise SmokeFailure(f"answers {answer.status} with {kind or 'nothing'}; it must be a page")
        return f"{len(answer.body)} bytes"

    def tracker_status(self) -> str:
        status = self._get("/api/wandb/status").document()
        return "available" if status["available"] else f"not available: {status['reason']}"

    def tracker_latest(self) -> str:
        latest = self._get("/api/wandb/runs/latest?limit=5").document()
        self._tracked = latest["runs"]
        if not self._tracked and not self._plan.allows_empty_runs:
            raise SmokeFailure("the project has no runs; pass --allow-empty-runs if that is right")
        return f"{latest['count']} runs of {latest['entity']}/{latest['project']}"

    def tracker_summary(self) -> str:
        return self._of_tracked("summary", lambda told: f"{len(told['run']['summary'])} values")

    def tracker_history(self) -> str:
        return self._of_tracked("history", lambda told: f"{told['count']} rows")

    def tracker_iteration_view(self) -> str:
        return self._of_tracked("iteration-view", lambda told: f"{told['history']['count']} rows")

    def tracker_status_again(self) -> str:
        status = self._get("/api/wandb/status").document()
        notes = "; ".join(status["notes"])
        if self._plan.requires_clean_tracker and (notes or not status["available"]):
            raise SmokeFailure(f"is not clean: {notes or status['reason']}")
        return notes or "nothing to note"

    def _of_tracked(self, part: str, words: Callable[[dict[str, Any]], str]) -> str:
        if self._tracked is None:
            raise SmokeFailure("the latest runs are not known; pass --skip-wandb where there is no tracker")
        if not self._tracked:
            return _NOTHING
        return words(self._get(f"/api/wandb/runs/{quote(self._tracked[0]['run_id'])}/{part}").document())

    def _without_replay(self) -> str:
        if not self._plan.allows_empty_runs:
            raise SmokeFailure("no replay was discovered")
        return _NOTHING

    @property
    def _is_same_origin(self) -> bool:
        return self._origin == origin_of(self._plan.backend)

    def _allowed(self, answer: Answer) -> str:
        allowed = answer.headers.get(_ALLOW_ORIGIN)
        if allowed in (self._origin, "*"):
            return f"{self._origin} may call"
        if self._is_same_origin:
            return "same origin, no permission needed"
        raise SmokeFailure(f"{self._origin} may not call (it allows {allowed or 'nobody'}); set DIORAMA_CORS_ORIGINS")

    def _get(self, path: str, headers: dict[str, str] | None = None, *, method: str = "GET") -> Answer:
        address = f"{self._plan.backend}{path}"
        return ask(address, timeout_seconds=self._plan.timeout_seconds, headers=headers, method=method)
