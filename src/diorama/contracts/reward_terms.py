"""What the rewards of a world are sums of, for critics that predict each term."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

import numpy as np

from diorama.contracts.config import ConfigT
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RewardTerms(Generic[ConfigT]):
    """The terms of a world's reward; they add up to it, apart from rounding.

    Attributes:
        names: Of the terms, by configuration.
        read: Rows × terms of the last step of a core's copies, from the core, the number of copies and the names; zeros
            where a seat received nothing.
    """

    names: Callable[[ConfigT], tuple[str, ...]]
    read: Callable[[BatchCore, int, tuple[str, ...]], F64]


def terms_of_records(core: BatchCore, copies: int, names: tuple[str, ...]) -> F64:
    """Return the terms that the step records of a core name, rows × terms; works for every tier, but slowly."""
    seats = [seat for copy in range(copies) for seat in core.step_record(copy).reward_terms]
    return np.array([[seat.get(name, 0.0) for name in names] for seat in seats], np.float64)
