"""How long stages and ticks take, by the monotonic clock."""

from heapq import heappush, heappushpop
from typing import Final

from diorama.contracts.values import JsonObject

STAGES: Final = 7
SLOWEST_KEPT: Final = 10
_MS: Final = 1000.0
_SMOOTHING: Final = 0.1  # share of the newest tick in what is shown


class StageTimers:
    """Smoothed milliseconds per stage and tick, and the slowest ticks so far."""

    def __init__(self) -> None:
        """Begin with nothing measured."""
        self._stages = [0.0] * STAGES
        self._tick = 0.0
        self._slowest: list[tuple[float, int]] = []
        self.ticks = 0

    def note(self, tick: int, stage_seconds: list[float]) -> None:
        """Take note of a tick; one entry per stage."""
        total = sum(stage_seconds) * _MS
        share = _SMOOTHING if self.ticks else 1.0
        self._stages = [old + share * (new * _MS - old) for old, new in zip(self._stages, stage_seconds, strict=True)]
        self._tick += share * (total - self._tick)
        self.ticks += 1
        if len(self._slowest) < SLOWEST_KEPT:
            heappush(self._slowest, (total, tick))
        else:
            heappushpop(self._slowest, (total, tick))

    def to_json(self) -> JsonObject:
        """Write what the block `health` tells of it."""
        return {
            "tick_ms": round(self._tick, 3),
            "stage_ms": {str(number): round(ms, 3) for number, ms in enumerate(self._stages, start=1)},
            "slowest_ticks": [{"tick": tick, "ms": round(ms, 3)} for ms, tick in sorted(self._slowest, reverse=True)],
        }
