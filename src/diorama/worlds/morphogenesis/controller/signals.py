"""The signal tracker of one env: is the host still improving, has it settled?"""

from dataclasses import dataclass, field
from typing import Final

HISTORY_EPOCHS: Final = 10
TREND_EPOCHS: Final = 3
PLATEAU_THRESHOLD_PP: Final = 0.5
STABLE_LOW: Final = -0.05
STABLE_HIGH: Final = 0.03
LOSS_GUARD: Final = 1e-8


@dataclass(slots=True, kw_only=True)
class SignalTracker:
    """Keeps the last ten losses and accuracies; a positive `loss_delta` is better. Stabilized stays so.

    `plateau_epochs` counts single epochs without gain. The accuracy of a small host swings by more than it gains in an
    epoch, so `is_flat` looks at two times three of them.
    """

    stabilization_epochs: int = 3
    plateau_threshold_pp: float = PLATEAU_THRESHOLD_PP
    losses: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
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

    @property
    def is_flat(self) -> bool:
        """Whether the mean of the last three epochs is hardly above that of the three before."""
        recent = self.accuracies[-2 * TREND_EPOCHS :]
        if len(recent) < 2 * TREND_EPOCHS:
            return False
        gain_pp = (sum(recent[TREND_EPOCHS:]) - sum(recent[:TREND_EPOCHS])) / TREND_EPOCHS
        return gain_pp < TREND_EPOCHS * self.plateau_threshold_pp

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
        self.losses = [*self.losses, loss][-HISTORY_EPOCHS:]
        self.accuracies = [*self.accuracies, accuracy_pct][-HISTORY_EPOCHS:]
        self.best_accuracy = max(self.best_accuracy, accuracy_pct)
        self.is_stabilized |= self.stable_count >= self.stabilization_epochs
        return self.is_stabilized and not was_stabilized
