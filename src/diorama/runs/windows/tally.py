"""`Tally`: what has happened so far in the window that is open."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.spec import Aggregate, WorldSpec
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import F32, U64

INVALID_ACTION: Final = "invalid_action"  # the event of a world that reports invalid decisions
_TERMINATED: Final = "terminated"
_TRUNCATED: Final = "truncated"


@dataclass(slots=True)
class Tally:
    """Counts and sums of one window; episodes are listed in the order in which they ended.

    Sums are taken one number after another in the order of the copies, so that they do not depend on how the steps
    were cut into vector steps.
    """

    env_steps: int = 0
    agent_steps: int = 0
    ticks: int = 0
    reward_sum: float = 0.0
    invalid_steps: int = 0
    terminated: int = 0
    truncated: int = 0
    metric_sums: dict[str, float] = field(default_factory=dict)
    end_reasons: dict[str, int] = field(default_factory=dict)
    returns: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    finals: list[list[float]] = field(default_factory=list)

    @property
    def episodes(self) -> int:
        """Episodes that ended in the window."""
        return len(self.returns)


@dataclass(slots=True)
class StoredStarts:
    """Episodes of one window that began in stored states; they count in no other number of episodes."""

    returns: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)


class Counter:
    """Adds pieces of vector steps to a tally; knows what the world's tables mean."""

    def __init__(self, spec: WorldSpec) -> None:
        """Take note of the columns and bits that count."""
        self._step_columns = [
            (column, metric.key)
            for column, metric in enumerate(spec.metrics)
            if metric.aggregate is Aggregate.STEP_MEAN
        ]
        self._end_bits = [(_bit(spec, event), reason) for event, reason in spec.end_events]
        self._invalid_bit = _bit(spec, INVALID_ACTION) if INVALID_ACTION in spec.event_names else np.uint64(0)

    def add_steps(self, tally: Tally, piece: StepView) -> None:
        """Count the steps of a piece."""
        is_deciding = piece.alive_before != 0
        tally.env_steps += piece.copies
        tally.agent_steps += int(np.count_nonzero(is_deciding))
        tally.ticks += int(piece.dt.sum(dtype=np.int64))
        tally.reward_sum = running_sum(tally.reward_sum, piece.rewards)
        tally.invalid_steps += int(np.count_nonzero(piece.events & self._invalid_bit))
        for column, key in self._step_columns:
            tally.metric_sums[key] = running_sum(tally.metric_sums.get(key, 0.0), piece.metrics[is_deciding, column])

    def add_ends(self, tally: Tally, piece: StepView, ended: NDArray[np.intp]) -> None:
        """Count the episodes that ended in the rows `ended` of a piece; their returns and lengths are the caller's."""
        terminated = piece.terminated[ended] != 0
        tally.terminated += int(np.count_nonzero(terminated))
        tally.truncated += int(np.count_nonzero(~terminated))
        tally.finals += piece.metrics[ended].astype(np.float64).tolist()
        words: U64 = piece.events[ended // piece.agents]
        for word, is_terminated in zip(words.tolist(), terminated.tolist(), strict=True):
            reason = self._reason(word, is_terminated)
            tally.end_reasons[reason] = tally.end_reasons.get(reason, 0) + 1

    def _reason(self, word: int, is_terminated: bool) -> str:
        for bit, reason in self._end_bits:
            if word & int(bit):
                return reason
        return _TERMINATED if is_terminated else _TRUNCATED


def running_sum(total: float, values: F32) -> float:
    """Return the total after adding the values one after another in binary64, as a loop would."""
    chain = np.empty(len(values) + 1)
    chain[0], chain[1:] = total, values
    return float(np.add.accumulate(chain, out=chain)[-1])


def _bit(spec: WorldSpec, event: str) -> np.uint64:
    return np.uint64(1 << spec.event_names.index(event))
