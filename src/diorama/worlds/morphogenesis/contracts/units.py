"""Units that hold everywhere: accuracy is percent, 0 to 100; differences are percentage points."""

import logging
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.errors import ContractError

logger = logging.getLogger(__name__)

EPISODE_SUCCESS_THRESHOLD: Final = 80.0
"""Final accuracy, in percent, from which an episode counts as a success."""

OBS_VERSION: Final = 1
"""Version of the observation layout; checkpoints store it."""


def check_accuracy(accuracy_pct: float) -> float:
    """Return the accuracy unchanged, or raise when it is no percentage.

    Raises:
        ContractError: The value is below 0, above 100 or not a number.
    """
    if not 0.0 <= accuracy_pct <= 100.0:
        raise ContractError(f"accuracy {accuracy_pct!r} is no percentage; give a value from 0 to 100")
    return accuracy_pct


@dataclass(slots=True)
class AccuracyWatch:
    """Checks the accuracies that the epochs of one run report, and warns once where they look like shares of one."""

    has_warned: bool = False

    def check(self, accuracy_pct: float, *, epoch: int) -> float:
        """Return the accuracy unchanged; after the first epoch a value in (0, 1] is told in the log, once a run.

        Raises:
            ContractError: The value is below 0, above 100 or not a number.
        """
        check_accuracy(accuracy_pct)
        if not self.has_warned and epoch > 1 and 0.0 < accuracy_pct <= 1.0:
            self.has_warned = True
            logger.warning("the accuracy of epoch %d is %s; accuracies are percent, 0 to 100", epoch, accuracy_pct)
        return accuracy_pct


def clamp01(value: float) -> float:
    """Limit a value to the range from 0 to 1."""
    return min(1.0, max(0.0, value))
