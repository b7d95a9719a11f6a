"""What seats were paid and how they spent their time, step by step: what a window tells beside the results."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.matches import MatchRules
from diorama.contracts.values import F64


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """One vector step of some copies.

    Attributes:
        step: Of the run.
        decisions: Taken by the learner's seats.
        ended: Episodes of the learner's seats that ended.
        parts: Sum of every part of the reward.
        states: Decisions taken in every state of every mode, in their order.
    """

    step: int
    decisions: int
    ended: int
    parts: F64
    states: F64


class Observer:
    """Adds up what the rules of a world let one see."""

    def __init__(self, rules: MatchRules[WorldConfig]) -> None:
        """Remember where to look."""
        self._rules = rules
        self._entries = [mode.first + place for mode in rules.modes for place in range(len(mode.states))]

    def states(self, seen: Buffers) -> F64:
        """Return how many of the rows that decide now are in each state; call it before the step."""
        deciding = seen.obs[seen.alive != 0]
        found: F64 = deciding[:, self._entries].sum(axis=0, dtype=np.float64)
        return found

    def parts(self, paid: F64, is_opponent: NDArray[np.bool_]) -> F64:
        """Return the sum of the learner's rewards, part by part; `paid` is rows × parts."""
        found: F64 = paid[~is_opponent].sum(axis=0)
        return found
