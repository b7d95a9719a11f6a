"""What was decided in a round, counted: operations, their success, and how often each head had no free choice."""

from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, LifecycleOp
from diorama.worlds.morphogenesis.contracts.payloads.analysis import ActionDistributionSnapshot
from diorama.worlds.morphogenesis.vectorized_types import ActionMaskFlags, EnvStepRecord


def _by_op() -> dict[str, int]:
    return {op.name: 0 for op in LifecycleOp}


def _by_head() -> dict[str, int]:
    return dict.fromkeys(HEAD_NAMES, 0)


@dataclass(slots=True)
class ActionTally:
    """Counts of one round, over all envs; ignored actions are not counted."""

    action_counts: dict[str, int] = field(default_factory=_by_op)
    successes: dict[str, int] = field(default_factory=_by_op)
    failures: dict[str, int] = field(default_factory=_by_op)
    mask_hits: dict[str, int] = field(default_factory=_by_head)
    mask_total: dict[str, int] = field(default_factory=_by_head)

    def add(self, record: EnvStepRecord) -> None:
        """Count one decision."""
        outcome = record.action_outcome
        self.action_counts[outcome.action_name] += 1
        (self.successes if outcome.action_success else self.failures)[outcome.action_name] += 1
        for head, is_masked in zip(HEAD_NAMES, _flags(record.mask_flags), strict=True):
            self.mask_total[head] += 1
            self.mask_hits[head] += is_masked

    def snapshot(self, batch: int) -> ActionDistributionSnapshot:
        """Return the payload of the round's last event."""
        return ActionDistributionSnapshot(
            batch=batch,
            action_counts=self.action_counts,
            mask_hits=self.mask_hits,
            mask_total=self.mask_total,
            successes=self.successes,
            failures=self.failures,
        )


def _flags(flags: ActionMaskFlags) -> tuple[bool, ...]:
    return (
        flags.slot_masked,
        flags.blueprint_masked,
        flags.style_masked,
        flags.tempo_masked,
        flags.alpha_target_masked,
        flags.alpha_speed_masked,
        flags.alpha_curve_masked,
        flags.op_masked,
    )
