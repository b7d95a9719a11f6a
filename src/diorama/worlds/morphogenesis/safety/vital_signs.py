"""Vital signs of one host: when its validation loss says that something has gone badly wrong."""

import math
from collections import deque
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Final

from diorama.worlds.morphogenesis.contracts.governor import GovernorReport, PanicReason

WINDOW: Final = 20
MIN_LOSSES: Final = 10
LEARNED_SHARE: Final = 0.6
GUESSING_SHARE: Final = 0.065
DIVERGENCE_STDS: Final = 6.0
DIVERGENCE_RATIO: Final = 3.0
DIVERGENCE_STRIKES: Final = 3


@dataclass(slots=True, kw_only=True)
class VitalSigns:
    """Watches the losses of one host; only losses without a complaint enter the window."""

    num_classes: int
    loss_threshold: float
    losses: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))
    consecutive_panics: int = 0

    def reset(self) -> None:
        """Begin an episode, or start over after a rollback."""
        self.losses.clear()
        self.consecutive_panics = 0

    def check(self, loss: float, accuracy_pct: float) -> GovernorReport | None:
        """Judge an epoch; a report is a panic. Divergence must be seen three times in a row."""
        reason = self._complaint(loss, accuracy_pct)
        if reason is None:
            self.losses.append(loss)
            self.consecutive_panics = 0
            return None
        self.consecutive_panics += 1
        if reason == "governor_divergence" and self.consecutive_panics < DIVERGENCE_STRIKES:
            return None
        return GovernorReport(
            reason=reason,
            loss_at_panic=loss,
            loss_threshold=self.loss_threshold,
            consecutive_panics=self.consecutive_panics,
            rollback_occurred=False,
        )

    def _complaint(self, loss: float, accuracy_pct: float) -> PanicReason | None:
        if not (math.isfinite(loss) and math.isfinite(accuracy_pct)):
            return "governor_nan"
        if len(self.losses) < MIN_LOSSES:
            return None
        guessing = math.log(self.num_classes)
        usual, spread = fmean(self.losses), pstdev(self.losses)
        if usual < LEARNED_SHARE * guessing and abs(loss - guessing) < GUESSING_SHARE * guessing:
            return "governor_lobotomy"
        limit = max(self.loss_threshold, usual + DIVERGENCE_STDS * spread, DIVERGENCE_RATIO * usual)
        return "governor_divergence" if loss > limit else None
