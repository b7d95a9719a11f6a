"""One field over many PPO telemetry records."""

import math
from collections.abc import Mapping, Sequence

from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.checks import is_number


def column(records: Sequence[Mapping[str, JsonValue]], field: str) -> list[float]:
    """Return the numbers of a field, from the records that have it."""
    return [float(value) for record in records if is_number(value := record.get(field))]


def mean(values: Sequence[float]) -> float:
    """Return the mean of at least one finite number; finite however large they are."""
    try:
        return math.fsum(values) / len(values)
    except OverflowError:
        return math.fsum(value / len(values) for value in values)
