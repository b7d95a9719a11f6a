"""The governor of one env: when to panic, when to keep a copy, and what a rollback costs."""

from dataclasses import dataclass, replace
from typing import Final

from diorama.worlds.morphogenesis.contracts.governor import GovernorReport
from diorama.worlds.morphogenesis.safety.vital_signs import VitalSigns

SNAPSHOT_EPOCHS: Final = 5
ROLLBACK_PENALTY: Final = -10.0


@dataclass(slots=True, kw_only=True)
class Governor:
    """Watches one env. `report` is set from a panic until the rollback has happened."""

    vital_signs: VitalSigns
    report: GovernorReport | None = None
    rollbacks: int = 0

    def reset(self) -> None:
        """Begin an episode."""
        self.vital_signs.reset()
        self.report = None
        self.rollbacks = 0

    def check(self, loss: float, accuracy_pct: float) -> bool:
        """Judge an epoch and say whether the env may be trusted; a snapshot is taken only after that."""
        self.report = self.vital_signs.check(loss, accuracy_pct)
        return self.report is None

    def order_rollback(self, loss: float) -> None:
        """Ask for a rollback by hand."""
        self.report = GovernorReport(
            reason="governor_rollback",
            loss_at_panic=loss,
            loss_threshold=self.vital_signs.loss_threshold,
            consecutive_panics=self.vital_signs.consecutive_panics,
            rollback_occurred=False,
        )

    def settle_rollback(self) -> GovernorReport:
        """Note that the rollback has happened and watch on from there.

        Raises:
            RuntimeError: Nobody panicked.
        """
        if self.report is None:
            raise RuntimeError("there is no rollback to settle")
        report, self.report = replace(self.report, rollback_occurred=True), None
        self.vital_signs.reset()
        self.rollbacks += 1
        return report


def is_snapshot_due(epoch: int, *, is_requested: bool) -> bool:
    """Say whether an epoch that passed the check ends with a snapshot."""
    return is_requested or epoch % SNAPSHOT_EPOCHS == 0
