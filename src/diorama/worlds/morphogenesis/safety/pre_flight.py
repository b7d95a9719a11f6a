"""The last look before an operation: with correct masks it never objects."""

import math
from collections.abc import Callable
from typing import Final

from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.governor import LifecycleMutationHealthSnapshot, LifecycleMutationVerdict
from diorama.worlds.morphogenesis.contracts.stages import SeedStage

Factor = tuple[str, Callable[[LifecycleMutationHealthSnapshot], bool]]
APPROVED: Final = "approved"

_ALWAYS: Final[tuple[Factor, ...]] = (
    ("val_loss_finite", lambda seen: math.isfinite(seen.val_loss)),
    ("val_accuracy_finite", lambda seen: math.isfinite(seen.val_accuracy)),
    ("cooldown_nonnegative", lambda seen: seen.cooldown_epochs_remaining >= 0),
    ("active_seed_capacity", lambda seen: _has_room(seen)),
)
_SCHEDULED: Final[tuple[Factor, ...]] = (
    (
        "alpha_schedule_complete",
        lambda seen: seen.alpha_speed_steps is not None and seen.alpha_curve is not None,
    ),
)
_BY_OPERATION: Final[dict[str, tuple[Factor, ...]]] = {
    LifecycleOp.GERMINATE.name: (
        ("blueprint_present", lambda seen: bool(seen.blueprint_id)),
        ("slot_empty_for_germination", lambda seen: seen.seed_stage in (None, SeedStage.DORMANT.name)),
        ("alpha_target_present", lambda seen: seen.alpha_target is not None),
    ),
    LifecycleOp.SET_ALPHA_TARGET.name: _SCHEDULED,
    LifecycleOp.PRUNE.name: _SCHEDULED,
}


def review(seen: LifecycleMutationHealthSnapshot) -> LifecycleMutationVerdict:
    """Approve an operation, or name the first factor that speaks against it."""
    for name, holds in (*_ALWAYS, *_BY_OPERATION.get(seen.operation, ())):
        if not holds(seen):
            reason = f"{seen.operation} on {seen.slot_id or 'no slot'}: {name} does not hold"
            return LifecycleMutationVerdict(approved=False, reason=reason, blocked_factor=name, health_snapshot=seen)
    return LifecycleMutationVerdict(approved=True, reason=APPROVED, health_snapshot=seen)


def _has_room(seen: LifecycleMutationHealthSnapshot) -> bool:
    # Only planting needs room: a full host must still be able to prune.
    planted = int(seen.operation == LifecycleOp.GERMINATE.name)
    return seen.max_seeds == 0 or seen.active_seed_count + planted <= seen.max_seeds
