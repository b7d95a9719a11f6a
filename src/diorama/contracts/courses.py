"""`Course`: how the configuration of a world changes while a policy learns in it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from diorama.contracts.config import ConfigT


@dataclass(frozen=True, slots=True, kw_only=True)
class Course(Generic[ConfigT]):
    """What a world asks of its training.

    Attributes:
        may_advance: Whether who has come to an overlay, by name, may take on the next, from the metrics of whole
            windows, oldest first.
        cycles: The cycles of a training, beside the first, from which on a configuration is another one.
        config_at: The configuration as it is learned in, from itself, the overlay that lies under it (None for none)
            and the cycle, from 0; raises `ConfigError` where that makes no sense.
    """

    may_advance: Callable[[str, Sequence[Mapping[str, float]]], bool]
    cycles: Callable[[ConfigT], tuple[int, ...]]
    config_at: Callable[[ConfigT, str | None, int], ConfigT]
