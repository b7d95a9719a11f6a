"""The governor of one env: when to panic, when to keep a copy, and what a rollback costs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from diorama.worlds.morphogenesis.contracts.governor import GovernorReport
from diorama.worlds.morphogenesis.safety.vital_signs import VitalSigns

SNAPSHOT_EPOCHS: Final = 5
ROLLBACK_PENALTY: Final = -10.0
FORGIVEN_STEPS: Final = 10
"""Transitions before a rollback that lose their positive rewards: earlier ones did not cause it."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalized:
    """A segment after a rollback: its rewards, and how many positive ones were taken back."""

    rewards: tuple[float, ...]
    steps_zeroed: int


def penalize(rewards: Sequence[float], penalty: float) -> Penalized | None:
    """Write a rollback into the rewards of the segment it ends.

    The last reward is replaced by the penalty, and the positive ones of the ten before it become 0.

    Args:
        rewards: Rewards of the running segment, in order.
        penalty: What the last transition gets instead, in the units of the rewards.

    Returns:
        The new rewards; None for an empty segment, whose penalty has no transition to fall on.
    """
    if not rewards:
        return None
    written = list(rewards)
    written[-1] = penalty
    zeroed = 0
    for index in range(max(0, len(written) - 1 - FORGIVEN_STEPS), len(written) - 1):
        if written[index] > 0.0:
            written[index] = 0.0
            zeroed += 1
    return Penalized(rewards=tuple(written), steps_zeroed=zeroed)
