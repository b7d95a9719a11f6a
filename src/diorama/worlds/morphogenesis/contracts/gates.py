"""Gates between stages: their names, thresholds and the result of an evaluation."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final


class GateLevel(IntEnum):
    """A gate by number; 4 is reserved."""

    G0 = 0
    G1 = 1
    G2 = 2
    G3 = 3
    G5 = 5


MIN_GRADIENT_HEALTH: Final = 0.7
MIN_TRAINING_IMPROVEMENT_PP: Final = 0.5
MIN_GRADIENT_RATIO: Final = 0.10
MIN_FOSSILIZE_CONTRIBUTION_PP: Final = 1.0
FULL_SCORE_IMPROVEMENT_PP: Final = 5.0
FULL_SCORE_CONTRIBUTION_PP: Final = 10.0


@dataclass(slots=True, kw_only=True)
class GateResult:
    """What a gate said, with a stable label for every check."""

    gate: GateLevel
    passed: bool
    score: float = 0.0
    checks_passed: list[str] = field(default_factory=list)
    checks_failed: list[str] = field(default_factory=list)
    message: str = ""
