"""Windows of a policy's life: did it pass?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.spec import Better
from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowResult:
    """How a window went; it passed where there are no failures."""

    tick: int
    failures: tuple[str, ...]
    kpis: Mapping[str, float]

    @property
    def has_passed(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.failures

    def to_json(self) -> JsonObject:
        """As it is told."""
        return {"tick": self.tick, "passed": self.has_passed, "failures": list(self.failures), "kpis": dict(self.kpis)}


def judge_window(
    tick: int,
    alerts: Sequence[str],
    kpis: Mapping[str, float],
    *,
    allowed: Sequence[str],
    targets: Sequence[KpiTarget],
    baseline: Mapping[str, float],
    factor: float,
) -> WindowResult:
    """Say what speaks against a policy after a window.

    Args:
        tick: At its end.
        alerts: Raised in it.
        kpis: Its numbers.
        allowed: Alerts that do not count.
        targets: With the gates.
        baseline: The release's numbers; without one a relative gate falls back to its target.
        factor: Of relative gates.
    """
    failures = [f"alert {name}" for name in alerts if name not in allowed]
    for target in targets:
        gate = target.gate
        if target.is_gate_relative:
            gate = max(target.target, factor * baseline[target.key]) if target.key in baseline else target.target
        value = kpis.get(target.key)
        if gate is None or value is None:
            continue
        if value < gate if target.better is Better.HIGHER else value > gate:
            failures.append(f"{target.key} is {value:.6g}, the gate is {gate:.6g}")
    return WindowResult(tick=tick, failures=tuple(failures), kpis=dict(kpis))
