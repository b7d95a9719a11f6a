"""`LiveRuntime`: a live world with everything around it, ticking in a thread of its own."""

from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Self

from diorama.contracts.config import WorldConfig
from diorama.contracts.live.settings.live import LiveSettings
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.operate.console.desk import ConsoleDesk
from diorama.operate.live.loop import FailureHandler, LiveLoop
from diorama.operate.live.opening import Opened, open_live
from diorama.operate.live.operator import LiveOperator
from diorama.operate.live.orchestrator import StageFailure, StageHook
from diorama.operate.live.request import LiveRequest
from diorama.operate.live.vitals import Vitals
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.stability.monitor import StabilityMonitor
from diorama.telemetry.live.publisher import TelemetryPublisher

_OK, _FAILED = 0, 1


class LiveRuntime:
    """Runs a live world; what is said to be from any thread may be called while it runs.

    Attributes:
        run_id: Stamped on everything that leaves.
        root: Folder of everything that is kept.
        resumed_ticks: Ticks of the log that were lived through again to get where it was left.
    """

    def __init__(self, opened: Opened) -> None:
        """Take over a world that was opened; `open` does both."""
        self.run_id = opened.run_id
        self.root = opened.root
        self.resumed_ticks = opened.resumed_ticks
        self._services = opened.services
        self._loop: LiveLoop = opened.loop
        self._operator = opened.operator
        self._pacer = opened.pacer
        self._lock = opened.lock
        self._thread: Thread | None = None
        self._end_handlers: list[Callable[[], None]] = []

    @classmethod
    def open(
        cls,
        world: World[WorldConfig],
        config: WorldConfig,
        config_path: Path | None = None,
        *,
        policy: str | None = None,
        shadow: str | None = None,
        speed: str | None = None,
        settings: LiveSettings | None = None,
        root: Path,
        run_id: str | None = None,
        seed: int | None = None,
        run_root: Path = Path("runs"),
        autosave_ticks: int | None = None,
        is_deterministic: bool = False,
        resume: bool = False,
    ) -> Self:
        """Open a world, new or as it was left; the arguments are those of `LiveRequest`.

        Raises:
            DioramaError: Something of it is wrong; the message says what would be right.
        """
        request = LiveRequest(
            world=world,
            config=config,
            config_path=config_path,
            policy=policy,
            shadow=shadow,
            speed=speed,
            settings=settings,
            root=root,
            run_id=run_id,
            seed=seed,
            run_root=run_root,
            autosave_ticks=autosave_ticks,
            is_deterministic=is_deterministic,
            resume=resume,
        )
        return cls(open_live(request))

    @property
    def world(self) -> LiveWorld:
        """The world."""
        return self._services.world

    @property
    def publisher(self) -> TelemetryPublisher:
        """Its telemetry."""
        return self._services.publisher

    @property
    def desk(self) -> ConsoleDesk:
        """Its console."""
        return self._services.desk

    @property
    def monitor(self) -> StabilityMonitor:
        """Its stability monitor."""
        return self._services.monitor

    @property
    def promotion(self) -> PromotionManager:
        """Which policy is the release, and which may become it."""
        return self._services.promotion

    @property
    def settings(self) -> LiveSettings:
        """Of the services, as they are now."""
        return self._services.settings

    @property
    def operator(self) -> LiveOperator:
        """What the platform's commands are given."""
        return self._operator

    @property
    def failure(self) -> StageFailure | None:
        """Why the loop ended; None while it runs and after it was stopped."""
        return self._loop.failure

    @property
    def is_running(self) -> bool:
        """Whether the loop has a thread that runs; from any thread."""
        return self._thread is not None and self._thread.is_alive()

    def add_hook(self, hook: StageHook) -> None:
        """Call somebody around every stage; before the start."""
        self._loop.orchestrator.add_hook(hook)

    def on_failure(self, handler: FailureHandler) -> None:
        """Call somebody, on the loop's thread, when a stage has raised; before the start."""
        self._loop.failure_handlers.append(handler)

    def on_end(self, handler: Callable[[], None]) -> None:
        """Call somebody, on the loop's thread, when everything is over; before the start."""
        self._end_handlers.append(handler)

    def start(self) -> None:
        """Begin to tick in a thread of its own."""
        self._thread = Thread(target=self._run, name=f"live-{self.world.identity.world}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask the loop to end after the tick it is in; from any thread. `join` waits for it."""
        self._loop.stop()

    def join(self, timeout: float | None = None) -> int | None:
        """Wait for the loop's end; return the exit code of the process, None if it still runs."""
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                return None
        return _OK if self.failure is None else _FAILED

    def close(self) -> None:
        """Save a last time and let go of everything; for a runtime that was never started."""
        self._loop.close()
        self._lock.release()

    def set_speed(self, speed: str) -> None:
        """Let time pass faster, slower or not at all; from any thread.

        Raises:
            ConfigError: There is no such speed.
        """
        self._pacer.set_speed(speed)
        self._loop.wake()

    def step(self, ticks: int) -> JsonObject:
        """Let a paused world run so many ticks; from any thread.

        Raises:
            CommandError: It is not paused.
        """
        answer = self._operator.step(ticks)
        self._loop.wake()
        return answer

    def run_ticks(self, ticks: int) -> None:
        """Execute ticks now, on the calling thread, at no particular speed; for a runtime that was not started.

        Raises:
            StageFailure: A stage raised.
        """
        for _ in range(ticks):
            self._loop.run_tick()

    def save(self, name: str | None = None) -> JsonObject:
        """Save everything between two ticks; from any thread.

        Raises:
            CommandError: The name is not allowed, or the disk refuses.
        """
        return self._between_ticks(lambda: self._operator.save_snapshot(name))

    def load(self, path: str) -> JsonObject:
        """Go on from a snapshot; from any thread.

        Raises:
            CommandError: There is none, or it does not fit.
        """
        return self._between_ticks(lambda: self._operator.load_snapshot(path))

    def snapshots(self) -> list[JsonObject]:
        """What was saved, newest first; from any thread."""
        return list(self._operator.snapshots())

    def vitals(self) -> Vitals:
        """How the loop and its saves fare; from any thread."""
        loop = self._loop
        ended = None if self.is_running else "the loop has ended"
        return Vitals(
            failure=ended if self.failure is None else str(self.failure),
            tick_lag_seconds=loop.lag_seconds,
            tick_overruns=self._pacer.overruns,
            save_age_seconds=loop.saver.age_seconds,
            save_failures=loop.saver.failures,
            unsaved_since=loop.saver.unkept_since,
        )

    def status(self) -> JsonObject:
        """Where the world stands; from any thread. `observation` has the shapes of all that is not one number."""
        identity, clock = self.world.identity, self.world.clock
        return {
            "world": identity.world,
            "run_id": self.run_id,
            "config_id": identity.config_id,
            "variant": identity.variant,
            "observation": {item.name: list(item.shape) for item in self.world.spec.observation if item.shape},
            "seed": identity.seed,
            "tick": clock.tick,
            "day": clock.day,
            "tod": clock.tod,
            "speed": self._pacer.speed,
            "tick_overruns": self._pacer.overruns,
            "is_running": self.is_running,
            "policy": self._services.decider.pointer.to_json(),
            **self.publisher.hide({"failure": None if self.failure is None else str(self.failure)}),
        }

    def _run(self) -> None:
        try:
            self._loop.run()
        finally:
            self._lock.release()
            for handler in self._end_handlers:
                handler()

    def _between_ticks(self, do: Callable[[], JsonObject]) -> JsonObject:
        return self._loop.call(do).result() if self.is_running else do()
