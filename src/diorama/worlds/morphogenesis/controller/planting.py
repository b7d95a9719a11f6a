"""What an episode remembers of its plantings, for whoever chooses the next blueprint."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.worlds.morphogenesis.contracts.blueprints import NUM_BLUEPRINTS, BlueprintAction

PRUNE_PENALTY: Final = 2.0
PENALTY_DECAY: Final = 0.5
PENALTY_FLOOR: Final = 0.1
PENALTY_LIMIT: Final = 3.0


def _no_penalties() -> list[float]:
    return [0.0] * NUM_BLUEPRINTS


@dataclass(slots=True, kw_only=True)
class PlantingMemory:
    """Which blueprint was planted last, when a seed was removed last, and what removals still count against each.

    Whoever planted or removed: the rules, a policy, a person or the governor.

    Attributes:
        last_planted: None before the first planting.
        last_prune_epoch: Epoch whose decision, or ramp, removed a seed; None before the first.
        penalties: By blueprint index.
    """

    last_planted: BlueprintAction | None = None
    last_prune_epoch: int | None = None
    penalties: list[float] = field(default_factory=_no_penalties)

    def note_planting(self, blueprint: BlueprintAction) -> None:
        """Go on behind this blueprint."""
        self.last_planted = blueprint

    def note_prune(self, blueprint: BlueprintAction, epoch: int) -> None:
        """Count a removal against a blueprint."""
        self.last_prune_epoch = epoch
        self.penalties[blueprint] += PRUNE_PENALTY

    def pass_epoch(self) -> None:
        """Let the penalties fade."""
        faded = (penalty * PENALTY_DECAY for penalty in self.penalties)
        self.penalties = [penalty if penalty >= PENALTY_FLOOR else 0.0 for penalty in faded]


def next_blueprint(
    memory: PlantingMemory, rotation: Sequence[BlueprintAction], valid: NDArray[np.bool_]
) -> BlueprintAction:
    """Return the next blueprint of a rotation among the valid ones.

    One that was removed lately too often is passed over. A run that allows nothing of the rotation gets its valid
    blueprints by index.
    """
    last = memory.last_planted
    place = rotation.index(last) + 1 if last in rotation else 0
    turned = (*rotation[place:], *rotation[:place])
    open_ones = [blueprint for blueprint in turned if valid[blueprint]]
    candidates = open_ones or [BlueprintAction(int(index)) for index in np.flatnonzero(valid)]
    fresh = [one for one in candidates if memory.penalties[one] < PENALTY_LIMIT]
    return fresh[0] if fresh else min(candidates, key=lambda one: memory.penalties[one])
