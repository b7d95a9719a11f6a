"""The telemetry blocks of the services: health, stability, promotion, results of commands."""

from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.operate.live.pacing import Pacer
from diorama.operate.live.services import Services
from diorama.operate.live.timers import StageTimers

REFRESH_TICKS: Final = 10  # timings and averages change with every tick; told so often they would fill the stream

NO_RESULTS: Final[JsonObject] = {"results": []}


class ServiceBlocks:
    """Keeps the blocks, and makes them anew every few ticks and whenever something happened."""

    def __init__(self, services: Services, timers: StageTimers, pacer: Pacer) -> None:
        """Begin with blocks that are due."""
        self._services = services
        self._timers = timers
        self._pacer = pacer
        self._kept: dict[str, JsonValue] = {}
        self._age = REFRESH_TICKS

    def current(self, *, has_news: bool) -> JsonObject:
        """Return the blocks of this tick."""
        self._age += 1
        if has_news or self._age >= REFRESH_TICKS:
            self._kept = self._made()
            self._age = 0
        results = self._services.desk.results
        # The publisher takes an object that is not replaced for one that has not changed.
        return {**self._kept, "console_results": {"results": [*results]} if results else NO_RESULTS}

    def at_first(self) -> JsonObject:
        """Return the blocks before the first tick; a world that is paused has no other for a long time."""
        return {**self._made(), "console_results": NO_RESULTS}

    def health(self) -> JsonObject:
        """The block `health`."""
        return {
            **self._timers.to_json(),
            "ticks": self._timers.ticks,
            "speed": self._pacer.speed,
            "tick_overruns": self._pacer.overruns,
            "failures": 0,
            "console": self._services.desk.health(),
        }

    def _made(self) -> dict[str, JsonValue]:
        services = self._services
        return {
            "health": self.health(),
            "stability": services.monitor.status(),
            "promotion": services.promotion.status(),
        }
