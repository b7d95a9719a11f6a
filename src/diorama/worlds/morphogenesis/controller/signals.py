"""The signal tracker of one env: is the host still improving, has it settled?"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

HISTORY_EPOCHS: Final = 10
PLATEAU_THRESHOLD_PP: Final = 0.5
STABLE_LOW: Final = -0.05
STABLE_HIGH: Final = 0.03
LOSS_GUARD: Final = 1e-8


@dataclass(slots=True, kw_only=True)
class SignalTracker:
    """Keeps the last ten losses and accuracies; a positive `loss_delta` is better. Stabilized stays so."""

    stabilization_epochs: int = 3
    plateau_threshold_pp: float = PLATEAU_THRESHOLD_PP
    losses: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY_EPOCHS))
    accuracies: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY_EPOCHS))
    best_accuracy: float = 0.0
    loss_delta: float = 0.0
    accuracy_delta: float = 0.0
    plateau_epochs: int = 0
    stable_count: int = 0
    is_stabilized: bool = False

    def reset(self) -> None:
        """Begin an episode."""
        self.losses.clear()
        self.accuracies.clear()
        self.best_accuracy = self.loss_delta = self.accuracy_delta = 0.0
        self.plateau_epochs = self.stable_count = 0
        self.is_stabilized = False

    def update(self, loss: float, accuracy_pct: float) -> bool:
        """Note an epoch, and say whether the host has settled with it."""
        was_stabilized = self.is_stabilized
        if self.losses:
            previous = self.losses[-1]
            self.loss_delta = previous - loss
            self.accuracy_delta = accuracy_pct - self.accuracies[-1]
            improvement = self.loss_delta / max(previous, LOSS_GUARD)
            self.stable_count = self.stable_count + 1 if STABLE_LOW < improvement < STABLE_HIGH else 0
        self.plateau_epochs = self.plateau_epochs + 1 if self.accuracy_delta < self.plateau_threshold_pp else 0
        self.losses.append(loss)
        self.accuracies.append(accuracy_pct)
        self.best_accuracy = max(self.best_accuracy, accuracy_pct)
        self.is_stabilized |= self.stable_count >= self.stabilization_epochs
        return self.is_stabilized and not was_stabilized
