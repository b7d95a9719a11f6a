"""States of a promotion, and the numbers that go with them."""

from dataclasses import dataclass, field
from enum import StrEnum

from diorama.operate.promotion.pointers import PolicyPointer, PromotionRecord


class PromotionState(StrEnum):
    """Where a promotion stands."""

    MONITORING = "monitoring"
    READY = "ready"
    PROBATION = "probation"
    ROLLBACK_RECOMMENDED = "rollback_recommended"
    STABLE = "stable"


@dataclass(slots=True, kw_only=True)
class Standing:
    """Everything a promotion manager remembers.

    Attributes:
        release: What new arrivals run, and everybody else.
        shadow: The candidate that is judged beside it.
        streak: Windows in a row that the candidate passed.
        probation_passes: Windows in a row that a new release passed.
        window_start: First tick of the open window.
        baseline: Numbers of the last window of the release, before a candidate took its place.
        history: The last changes, oldest first.
    """

    release: PolicyPointer
    initial_release: PolicyPointer
    previous_release: PolicyPointer | None = None
    shadow: PolicyPointer | None = None
    state: PromotionState = PromotionState.MONITORING
    streak: int = 0
    probation_passes: int = 0
    window_start: int = 0
    baseline: dict[str, float] = field(default_factory=dict)
    history: list[PromotionRecord] = field(default_factory=list)
