"""A clock that knows which phase of an epoch runs."""

import time
from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.morphogenesis.contracts.profiling import PhaseTiming

TRAIN: Final = "train"
GRADIENTS: Final = "gradients"
VALIDATE: Final = "validate"
BOOKKEEPING: Final = "bookkeeping"
DECIDE: Final = "decide"
ACT: Final = "act"
PHASES: Final[tuple[str, ...]] = (TRAIN, GRADIENTS, VALIDATE, BOOKKEEPING, DECIDE, ACT)
"""Phases of an epoch in their order: the engine's three, what is noted and told, the decision, and what it does."""
MS_PER_S: Final = 1e3


@dataclass(slots=True)
class PhaseClock:
    """Counts wall time and processor time of whatever phase runs."""

    phase: str | None = None
    wall_s: dict[str, float] = field(default_factory=dict)
    cpu_s: dict[str, float] = field(default_factory=dict)
    _wall: float = 0.0
    _cpu: float = 0.0

    def enter(self, phase: str | None) -> None:
        """End the phase that runs and begin another, or none."""
        wall, cpu = time.perf_counter(), time.thread_time()
        if self.phase is not None:
            self.wall_s[self.phase] = self.wall_s.get(self.phase, 0.0) + wall - self._wall
            self.cpu_s[self.phase] = self.cpu_s.get(self.phase, 0.0) + cpu - self._cpu
        self.phase, self._wall, self._cpu = phase, wall, cpu

    def take(self) -> dict[str, PhaseTiming]:
        """Return what was counted, in the order of `PHASES`, and begin anew; the phase that runs goes on."""
        self.enter(self.phase)
        found = {
            name: PhaseTiming(
                wall_ms=MS_PER_S * self.wall_s[name],
                python_cpu_ms=MS_PER_S * self.cpu_s[name],
                python_cpu_ratio=self.cpu_s[name] / self.wall_s[name] if self.wall_s[name] else 0.0,
            )
            for name in PHASES
            if name in self.wall_s
        }
        self.wall_s.clear()
        self.cpu_s.clear()
        return found
