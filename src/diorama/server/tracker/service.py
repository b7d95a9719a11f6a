"""`TrackerService`: the questions the proxy answers, from the service or from the disk, kept for a while."""

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeVar

from diorama.contracts.errors import ConfigError, DioramaError, MissingExtra
from diorama.runs.clock import Clock, SystemClock
from diorama.server.errors import NotAvailable, UpstreamFailed
from diorama.server.models.base import JsonObject
from diorama.server.models.wandb import IterationView, LatestTrackedRuns, TrackedHistory, TrackedSummary, TrackerStatus
from diorama.server.tracker.answers import history_of, iteration_view_of, latest_of, selected_rows, summary_of
from diorama.server.tracker.cache import AnswerCache
from diorama.server.tracker.client import TrackedRecord, TrackerClient
from diorama.server.tracker.offline import OfflineRuns
from diorama.server.tracker.online import WandbClient
from diorama.server.tracker.operations import Operation, OperationMeter
from diorama.server.tracker.questions import ITERATION_KEYS, HistoryQuestion, Scope
from diorama.server.tracker.status import StatusFacts, status_of

PATIENCE_SECONDS: Final = 30.0
_WORKERS: Final = 4
_LONGEST_MESSAGE: Final = 200

T = TypeVar("T")
Source = Literal["online", "offline"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackerSettings:
    """What the server was told about the tracker.

    Attributes:
        api_key: Never leaves the server; None where there is none.
        defaults: Where runs are looked for unless a caller says otherwise.
        cache_ttl_seconds: How long answers are kept; 0 and below keep none.
        runs_root: Below it lie runs that were logged offline.
    """

    api_key: str | None
    defaults: Scope
    cache_ttl_seconds: float
    runs_root: Path


class TrackerService:
    """Answers from the service where there is a key, else from offline runs where there are any."""

    def __init__(
        self,
        settings: TrackerSettings,
        *,
        clock: Clock | None = None,
        connect: Callable[[str], TrackerClient] = WandbClient,
    ) -> None:
        """Call nobody yet; `connect` makes a client from a key."""
        seconds = (clock or SystemClock()).seconds
        self._settings = settings
        self._connect = connect
        self._online: TrackerClient | None = None
        self._offline = OfflineRuns(settings.runs_root, seconds)
        self._cache: AnswerCache[object] = AnswerCache(settings.cache_ttl_seconds, seconds)
        self._meter = OperationMeter(seconds)
        self._threads = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="diorama-tracker")

    def close(self) -> None:
        """End the threads; a question that is under way is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def status(self) -> TrackerStatus:
        """Say whether the tracker can be asked, and how it has been."""
        # Not on the threads of the tracker: they may all be waiting for a service that does not answer.
        return await asyncio.to_thread(self._status)

    async def latest(self, scope: Scope, limit: int) -> LatestTrackedRuns:
        """List the newest runs.

        Raises:
            ConfigError: Nobody said where to look.
            NotAvailable: There is neither a key nor an offline run.
            UpstreamFailed: The service did not answer as it should.
        """

        def ask() -> LatestTrackedRuns:
            source, client, place = self._source(scope)
            key = (source, Operation.LIST_RUNS, place, limit)
            records = self._ask(key, Operation.LIST_RUNS, lambda: client.list_runs(place, limit))
            return latest_of(place, records)

        return await self._on_thread(ask)

    async def summary(self, scope: Scope, run_id: str) -> TrackedSummary:
        """Return one run; errors as in `latest`, and UnknownName where there is none."""
        return await self._on_thread(lambda: summary_of(*self._run(scope, run_id)))

    async def history(self, scope: Scope, question: HistoryQuestion) -> TrackedHistory:
        """Return rows of a run; errors as in `summary`."""
        return await self._on_thread(lambda: history_of(self._source(scope)[2], question, self._rows(scope, question)))

    async def iteration_view(self, scope: Scope, question: HistoryQuestion) -> IterationView:
        """Return a run, its rows and its newest figures; errors as in `summary`."""
        wanted = HistoryQuestion(
            run_id=question.run_id, keys=question.keys or ITERATION_KEYS, max_points=question.max_points
        )

        def ask() -> IterationView:
            place, record = self._run(scope, wanted.run_id)
            return iteration_view_of(place, record, wanted, self._rows(scope, wanted))

        return await self._on_thread(ask)

    @property
    def source(self) -> Source | None:
        """Where answers come from; None if there are none. Looks at the disk where there is no key."""
        return self._available()[0]

    def _available(self) -> tuple[Source | None, str | None]:
        if find_spec("wandb") is None:
            return None, str(MissingExtra.of("track", needed_for="Weights & Biases"))
        if self._settings.api_key:
            return "online", None
        if offline := self._offline.count():
            return "offline", f"WANDB_API_KEY is not set; {offline} run(s) logged offline are read from the disk"
        return None, "WANDB_API_KEY is not set, and no run below the runs root was logged offline"

    def _source(self, scope: Scope) -> tuple[Source, TrackerClient, Scope]:
        source, reason = self._available()
        defaults = self._settings.defaults
        if source == "offline":
            return source, self._offline, scope
        place = Scope(entity=scope.entity or defaults.entity, project=scope.project or defaults.project)
        if place.entity is None or place.project is None:
            raise ConfigError(
                "nobody said where to look: give entity and project, "
                "or set DIORAMA_WANDB_ENTITY and DIORAMA_WANDB_PROJECT"
            )
        if source is None:
            raise NotAvailable(reason or "Weights & Biases cannot be asked")
        if self._online is None:
            self._online = self._connect(self._settings.api_key or "")
        return source, self._online, place

    def _run(self, scope: Scope, run_id: str) -> tuple[Scope, TrackedRecord]:
        source, client, place = self._source(scope)
        key = (source, Operation.RUN_SUMMARY, place, run_id)
        return place, self._ask(key, Operation.RUN_SUMMARY, lambda: client.run_summary(place, run_id))

    def _rows(self, scope: Scope, question: HistoryQuestion) -> list[JsonObject]:
        source, client, place = self._source(scope)
        key = (source, Operation.RUN_HISTORY, place, question)

        def ask() -> list[JsonObject]:
            return selected_rows(client.run_history(place, question), question)

        return self._ask(key, Operation.RUN_HISTORY, ask)

    def _ask(self, key: Hashable, operation: Operation, ask: Callable[[], T]) -> T:
        def measured() -> object:
            with self._meter.one(operation):
                return self._told(ask)

        answer: T = self._cache.get(key, measured)  # type: ignore[assignment]  # a key stands for one kind of answer
        return answer

    def _told(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except DioramaError:
            raise
        except Exception as error:
            raise UpstreamFailed(f"Weights & Biases did not answer: {self._words(error)}") from error

    def _words(self, error: Exception) -> str:
        text = " ".join(f"{type(error).__name__}: {error}".split())
        if self._settings.api_key:
            text = text.replace(self._settings.api_key, "***")
        return text[:_LONGEST_MESSAGE]

    def _status(self) -> TrackerStatus:
        source, reason = self._available()
        return status_of(
            StatusFacts(
                source=source, reason=reason, offline_runs=self._offline.count(), defaults=self._settings.defaults
            ),
            self._cache,
            self._meter,
        )

    async def _on_thread(self, call: Callable[[], T]) -> T:
        answering = asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            return await asyncio.wait_for(answering, PATIENCE_SECONDS)
        except TimeoutError:
            raise UpstreamFailed(f"Weights & Biases did not answer within {PATIENCE_SECONDS:g} s") from None
