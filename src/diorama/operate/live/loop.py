"""`LiveLoop`: tick after tick at the speed that was asked for, commands in between, and what a failure leaves."""

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Event
from time import monotonic
from typing import Any, Final, TypeVar

from diorama.contracts.errors import StorageError
from diorama.contracts.live.events import LiveEvent
from diorama.contracts.live.world import Reload
from diorama.contracts.values import JsonObject
from diorama.operate.live.blocks import ServiceBlocks
from diorama.operate.live.orchestrator import CONSOLE, KEEP, Orchestrator, StageFailure
from diorama.operate.live.pacing import Pacer
from diorama.operate.live.saving import Autosaver
from diorama.operate.live.services import Services
from diorama.operate.live.tick import LiveTick
from diorama.telemetry.live.service_events import service_event

AnswerT = TypeVar("AnswerT")
FailureHandler = Callable[[StageFailure], None]

_log: Final = logging.getLogger(__name__)
_HEARTBEAT_SECONDS: Final = 0.25


class LiveLoop:
    """Runs a live world on whichever thread calls `run`.

    Attributes:
        failure: Why the loop ended; None while it runs and after it was stopped.
        saver: Writes the log, and saves.
        failure_handlers: Called, on the loop's thread, when a stage has raised.
        blocks: The services' telemetry.
    """

    def __init__(self, services: Services, saver: Autosaver, pacer: Pacer) -> None:
        """Put a tick together."""
        self.failure: StageFailure | None = None
        self.failure_handlers: list[FailureHandler] = []
        self._services = services
        self.saver = saver
        self._pacer = pacer
        self._wake, self._stopping = Event(), Event()
        self._turned_at = monotonic()
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._tick = LiveTick(
            services=services, tell_blocks=self._told_blocks, after_reload=self._after_reload, saver=saver
        )
        self.orchestrator = Orchestrator(services.world, self._tick.stages())
        self.blocks = ServiceBlocks(services, self.orchestrator.timers, pacer)

    def run(self) -> None:
        """Tick until `stop` is called or a stage raises; then save and close."""
        self._services.publisher.introduce(self.blocks.at_first())
        self._services.publisher.heartbeat()  # from now on this thread is the one that may ask the world
        try:
            while not self._stopping.is_set():
                self._turned_at = monotonic()
                self._serve_calls()
                delay = self._pacer.delay()
                if delay == 0.0:
                    self.run_tick()
                else:
                    self._idle(delay)
        except StageFailure as failure:
            _log.error("the loop ends: %s", failure, exc_info=failure.error)
        except Exception as error:
            # Between two ticks only commands and calls run, and what they owe is saved: the work of stage 1.
            cut_short = StageFailure(self._services.world.clock.tick, CONSOLE, error)
            _log.error("the loop ends: %s", cut_short, exc_info=error)
            self._fail(cut_short)
        self.close()

    def run_tick(self) -> None:
        """Execute one tick now.

        Raises:
            StageFailure: A stage raised; the loop is over.
        """
        world = self._services.world
        before = world.clock.tick
        try:
            self.orchestrator.run_tick()
        except StageFailure as failure:
            self._fail(failure)
            raise
        self._pacer.ticked(max(1, world.clock.tick - before))

    @property
    def lag_seconds(self) -> float:
        """How long the loop has been in one tick or command, or the next tick is overdue; from any thread."""
        return max(0.0, monotonic() - self._turned_at - _HEARTBEAT_SECONDS, self._pacer.late_seconds())

    def stop(self) -> None:
        """End after the tick that is being executed; from any thread."""
        self._stopping.set()
        self._wake.set()

    def wake(self) -> None:
        """Look for commands, calls and a new speed; from any thread."""
        self._wake.set()

    def call(self, do: Callable[[], AnswerT]) -> Future[AnswerT]:
        """Have something done between two ticks; from any thread."""
        waiting: Future[AnswerT] = Future()
        self._calls.append((do, waiting))
        self._wake.set()
        return waiting

    def tell(self, event: LiveEvent) -> None:
        """Tell an event with the next message; on the loop's thread."""
        self._tick.early.append(event)

    def stage_reload(self, reload: Reload) -> None:
        """Apply a reload at the next stage 1; on the loop's thread."""
        self._tick.staged.append(reload)

    def close(self) -> None:
        """Save a last time, unless a tick was cut short, and let go of everything."""
        self._stopping.set()
        if self.failure is None:
            self._serve_calls()
            self._save_last()
        self._services.desk.close()
        self._services.publisher.close()
        self.saver.close()

    def _save_last(self) -> None:
        try:
            self.saver.finish()
        except StorageError as error:
            since = self.saver.unkept_since
            lost = "the log is whole, nothing is lost" if since is None else f"everything since tick {since} is lost"
            _log.error("the last snapshot could not be written (%s): %s", lost, error)
            self.failure = StageFailure(self._services.world.clock.tick, KEEP, error)

    def _idle(self, delay: float | None) -> None:
        self._wake.wait(_HEARTBEAT_SECONDS if delay is None else min(delay, _HEARTBEAT_SECONDS))
        self._wake.clear()
        if delay is None:
            self._tick.early += self._services.desk.drain()
            self._tick.save_what_is_owed()
            self._tell_while_paused()
        self._services.publisher.heartbeat()

    def _tell_while_paused(self) -> None:
        if self._tick.early:
            events = [*self._tick.early]
            self._tick.early.clear()
            self._services.publisher.publish(events, (), self.blocks.current(has_news=True))

    def _told_blocks(self, has_news: bool) -> JsonObject:
        return self.blocks.current(has_news=has_news)

    def _serve_calls(self) -> None:
        while self._calls:
            do, waiting = self._calls.popleft()
            try:
                waiting.set_result(do())
            except Exception as error:
                # It is not the loop's mistake: whoever called gets it.
                waiting.set_exception(error)
            self._tick.save_what_is_owed()

    def _after_reload(self, reload: Reload) -> None:
        services = self._services
        services.publisher.apply_settings(reload.settings.telemetry)
        services.desk.apply_settings(reload.settings.console)
        services.promotion.settings = reload.settings.promotion
        if reload.settings.runtime.speed != services.settings.runtime.speed:
            self._pacer.set_speed(reload.settings.runtime.speed)
        services.settings = reload.settings
        self.saver.owe()
        self.tell(
            service_event(
                "config_reloaded",
                services.world.clock.tick,
                paths=list(reload.paths),
                checksum_before=reload.checksum_before,
                checksum_after=reload.checksum_after,
            )
        )

    def _fail(self, failure: StageFailure) -> None:
        self.failure = failure
        self._services.publisher.publish_failure(
            service_event(
                "loop_failure",
                failure.tick,
                tick=failure.tick,
                stage=failure.stage,
                error=f"{type(failure.error).__name__}: {failure.error}",
                snapshot_path=self.saver.save_failure(failure),
            )
        )
        for handler in self.failure_handlers:
            handler(failure)
