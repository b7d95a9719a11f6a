"""`NarrationLimiter`: how often something is told, so that a busy town stays readable."""

from collections import deque
from collections.abc import Mapping

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import Narration
from diorama.contracts.live.settings.telemetry import Narration as NarrationSettings
from diorama.contracts.values import JsonObject, JsonValue


class NarrationLimiter:
    """Lets narrations through or holds them back.

    A key that was told is silent for a while and the rolling window holds only so many, whatever the priority. All
    others also wait for the cooldown of everything told and for that of their category.
    """

    def __init__(self, settings: NarrationSettings) -> None:
        """Begin with nothing told; `settings` may be replaced at any time."""
        self.settings = settings
        self.published = 0
        self.throttled = 0
        self._last_tick = -1
        self._by_category: dict[str, int] = {}
        self._by_key: dict[str, int] = {}
        self._window: deque[int] = deque()

    def admit(self, narration: Narration) -> bool:
        """Whether a narration is told; if so it counts from now on."""
        if narration.tick < self._last_tick:
            self._forget()  # the world was set back: what lies ahead was not told yet
        if not self._may_tell(narration):
            self.throttled += 1
            return False
        self.published += 1
        self._last_tick = narration.tick
        self._by_category[narration.category] = narration.tick
        self._by_key[narration.dedupe_key] = narration.tick
        self._window.append(narration.tick)
        return True

    def export(self) -> JsonObject:
        """Everything that must survive a snapshot."""
        return {
            "published": self.published,
            "throttled": self.throttled,
            "last_tick": self._last_tick,
            "by_category": dict(self._by_category),
            "by_key": dict(self._by_key),
            "window": list(self._window),
        }

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned; on an error nothing changes.

        Raises:
            SnapshotError: It is not a state of a limiter.
        """
        numbers = [_whole(state.get(name), name) for name in ("published", "throttled", "last_tick")]
        by_category, by_key = (_ticks(state.get(name), name) for name in ("by_category", "by_key"))
        window = state.get("window")
        if not isinstance(window, list):
            raise SnapshotError(f"narration limiter: window is {window!r}; it must be a list of ticks")
        told = deque(_whole(tick, "window") for tick in window)
        self.published, self.throttled, self._last_tick = numbers
        self._by_category, self._by_key, self._window = by_category, by_key, told

    def _forget(self) -> None:
        self._last_tick = -1
        self._by_category.clear()
        self._by_key.clear()
        self._window.clear()

    def _may_tell(self, narration: Narration) -> bool:
        rules, tick = self.settings, narration.tick
        while self._window and tick - self._window[0] >= rules.global_window_ticks:
            self._window.popleft()
        self._by_key = {key: told for key, told in self._by_key.items() if tick - told < rules.dedupe_window_ticks}
        if narration.dedupe_key in self._by_key or len(self._window) >= rules.global_window_limit:
            return False
        if narration.is_priority:
            return True
        if self._last_tick >= 0 and tick - self._last_tick < rules.global_cooldown_ticks:
            return False
        last = self._by_category.get(narration.category)
        return last is None or tick - last >= rules.category_cooldown_ticks.get(narration.category, 0)


def _whole(value: JsonValue, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise SnapshotError(f"narration limiter: {name} is {value!r}; it must be a whole number")
    return value


def _ticks(value: JsonValue, name: str) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise SnapshotError(f"narration limiter: {name} is {value!r}; it must be ticks by name")
    return {key: _whole(tick, name) for key, tick in value.items()}
