"""The open windows of a release and of its candidate, and the results of the last ones."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.live.settings.promotion import Promotion
from diorama.operate.promotion.windows import WindowResult, judge_window

RELEASE: Final = "release"
SHADOW: Final = "shadow"
RESULTS_KEPT: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What a policy's world shows in a tick: alerts that stand, and how to end its window."""

    alerts: Iterable[str]
    close_window: Callable[[], Mapping[str, float]]


class WindowBook:
    """Alerts of the open windows, by whose they are, and what came of the windows before."""

    def __init__(self, targets: Sequence[KpiTarget]) -> None:
        """Begin the first windows."""
        self._targets = tuple(targets)
        self.alerts: dict[str, list[str]] = {RELEASE: [], SHADOW: []}
        self.results: list[dict[str, Any]] = []

    def note(self, whose: str, observed: Observed | None) -> None:
        """Take note of what stands in this tick."""
        if observed is not None:
            seen = self.alerts[whose]
            seen += [name for name in observed.alerts if name not in seen]

    def throw_away(self, whose: str, observed: Observed | None) -> None:
        """Begin a window anew: what it has seen was another policy."""
        self.alerts[whose] = []
        if observed is not None:
            observed.close_window()

    def close(
        self, whose: str, tick: int, observed: Observed, settings: Promotion, baseline: Mapping[str, float]
    ) -> WindowResult:
        """End a window, judge it, and begin the next one."""
        result = judge_window(
            tick,
            self.alerts[whose],
            observed.close_window(),
            allowed=settings.allowed_alerts,
            targets=self._targets,
            baseline=baseline,
            factor=settings.lateness_factor,
        )
        self.alerts[whose] = []
        self.results = [*self.results, {"policy": whose, **result.to_json()}][-RESULTS_KEPT:]
        return result

    def relative_failures(self, result: WindowResult) -> list[str]:
        """Of what speaks against a window, what is measured by the release before."""
        relative = {target.key for target in self._targets if target.is_gate_relative}
        return [failure for failure in result.failures if failure.split()[0] in relative]
