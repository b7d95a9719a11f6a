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
SHORT_PATIENCE_SECONDS: Final = 2.0  # where runs on the disk could be shown instead
SILENT_SECONDS: Final = 30.0  # so long a service that did not answer is not waited for again, if there are such runs
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
    """Answers about runs that were logged offline from the disk, and about others from the service, with a key."""

    def __init__(
        self,
        settings: TrackerSettings,
        *,
        clock: Clock | None = None,
        connect: Callable[[str], TrackerClient] = WandbClient,
    ) -> None:
        """Call nobody yet; `connect` makes a client from a key."""
        self._seconds = seconds = (clock or SystemClock()).seconds
        self._silent_until: float | None = None
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
        """List the newest runs: those of the service, or those on the disk where it cannot be asked or is silent.

        Raises:
            ConfigError: No directory was given.
            NotAvailable: There is neither a key nor an offline run.
            UpstreamFailed: The service did not answer as it should, and no run was logged offline.
        """
        on_disk = await asyncio.to_thread(self._listed_on_disk, scope, limit)
        if on_disk is not None and (not self._settings.api_key or not self._has_place(scope) or self._is_silent):
            return on_disk
        place = self._place(scope)

        def ask() -> LatestTrackedRuns:
            key = ("online", Operation.LIST_RUNS, place, limit)
            return latest_of(
                place, self.answer(key, Operation.LIST_RUNS, lambda: self._client().list_runs(place, limit))
            )

        try:
            return await self._on_thread(ask, PATIENCE_SECONDS if on_disk is None else SHORT_PATIENCE_SECONDS)
        except UpstreamFailed:
            if on_disk is None:
                raise
            return on_disk

    async def summary(self, scope: Scope, run_id: str) -> TrackedSummary:
        """Return one run; errors as in `latest`, and UnknownName where there is none."""
        return await self._of_run(scope, run_id, lambda asked: summary_of(asked.place, asked.record(run_id)))

    async def history(self, scope: Scope, question: HistoryQuestion) -> TrackedHistory:
        """Return rows of a run; errors as in `summary`."""
        return await self._of_run(
            scope, question.run_id, lambda asked: history_of(asked.place, question, asked.rows(question))
        )

    async def iteration_view(self, scope: Scope, question: HistoryQuestion) -> IterationView:
        """Return a run, its rows and its newest figures; errors as in `summary`."""
        wanted = HistoryQuestion(
            run_id=question.run_id, keys=question.keys or ITERATION_KEYS, max_points=question.max_points
        )
        return await self._of_run(
            scope,
            wanted.run_id,
            lambda asked: iteration_view_of(asked.place, asked.record(wanted.run_id), wanted, asked.rows(wanted)),
        )

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

    async def _of_run(self, scope: Scope, run_id: str, answer: Callable[["_Asked"], T]) -> T:
        """Answer about one run: from the disk where it was logged there, without waiting for the service."""
        if await asyncio.to_thread(self._is_on_disk, scope, run_id):
            # Not on the threads of the tracker: they may all be waiting for a service that does not answer.
            return await asyncio.to_thread(answer, _Asked(self, "offline", self._offline, scope))
        place = self._place(scope)
        return await self._on_thread(lambda: answer(_Asked(self, "online", self._client(), place)), PATIENCE_SECONDS)

    def _is_on_disk(self, scope: Scope, run_id: str) -> bool:
        if find_spec("wandb") is None:
            return False
        # Without a key the disk is all there is: it says that it does not know a run.
        return self._offline.holds(scope, run_id) or (not self._settings.api_key and self._offline.count() > 0)

    def _listed_on_disk(self, scope: Scope, limit: int) -> LatestTrackedRuns | None:
        """Return the runs of a scope that were logged offline; None where none was at all."""
        if find_spec("wandb") is None or not self._offline.count():
            return None
        key = ("offline", Operation.LIST_RUNS, scope, limit)
        return latest_of(scope, self.answer(key, Operation.LIST_RUNS, lambda: self._offline.list_runs(scope, limit)))

    def _has_place(self, scope: Scope) -> bool:
        defaults = self._settings.defaults
        return None not in (scope.entity or defaults.entity, scope.project or defaults.project)

    def _place(self, scope: Scope) -> Scope:
        """Return where the service is asked.

        Raises:
            ConfigError: No directory was given.
            NotAvailable: The service cannot be asked.
        """
        source, reason = self._available()
        if not self._has_place(scope):
            raise ConfigError(
                "nobody said where to look: give entity and project, "
                "or set DIORAMA_WANDB_ENTITY and DIORAMA_WANDB_PROJECT"
            )
        if source != "online":
            raise NotAvailable(reason or "Weights & Biases cannot be asked")
        defaults = self._settings.defaults
        return Scope(entity=scope.entity or defaults.entity, project=scope.project or defaults.project)

    def _client(self) -> TrackerClient:
        if self._online is None:
            self._online = self._connect(self._settings.api_key or "")
        return self._online

    @property
    def _is_silent(self) -> bool:
        return self._silent_until is not None and self._seconds() < self._silent_until

    def answer(self, key: Hashable, operation: Operation, ask: Callable[[], T]) -> T:
        """Return what is kept of an answer, or ask; from any thread.

        Raises:
            UpstreamFailed: The service did not answer as it should.
        """

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
            self._note_silence()
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

    def _note_silence(self) -> None:
        self._silent_until = self._seconds() + SILENT_SECONDS

    async def _on_thread(self, call: Callable[[], T], patience_seconds: float) -> T:
        answering = asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            answer = await asyncio.wait_for(answering, patience_seconds)
        except TimeoutError:
            self._note_silence()
            raise UpstreamFailed(f"Weights & Biases did not answer within {patience_seconds:g} s") from None
        self._silent_until = None
        return answer


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question about one run: who is asked, and where it lies."""

    service: TrackerService
    source: Source
    client: TrackerClient
    place: Scope

    def record(self, run_id: str) -> TrackedRecord:
        """Return the run."""
        key = (self.source, Operation.RUN_SUMMARY, self.place, run_id)
        return self.service.answer(key, Operation.RUN_SUMMARY, lambda: self.client.run_summary(self.place, run_id))

    def rows(self, question: HistoryQuestion) -> list[JsonObject]:
        """Return the rows that are wanted of it."""

        def ask() -> list[JsonObject]:
            return selected_rows(self.client.run_history(self.place, question), question)

        return self.service.answer(
            (self.source, Operation.RUN_HISTORY, self.place, question), Operation.RUN_HISTORY, ask
        )
