"""Units that hold everywhere: accuracy is percent, 0 to 100; differences are percentage points."""

from typing import Final

from diorama.worlds.morphogenesis.contracts.errors import ContractError

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


def clamp01(value: float) -> float:
    """Limit a value to the range from 0 to 1."""
    return min(1.0, max(0.0, value))
