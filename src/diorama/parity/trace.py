"""What one side showed, step by step, as arrays that other tools can read."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.values import I32
from diorama.engine.batch import Batch

FLAG_TERMINATED: Final = 1
FLAG_TRUNCATED: Final = 2
FLAG_INVALID: Final = 4  # another decision than the received one was executed


class Trace:
    """Collects one side's steps.

    The arrays are named after the fields of a step trace: `t`, `action_received`, `action`, `flags`, `dt`,
    `event_bits`, `rng_draws`, `reward`, `obs`, `metrics`, and `obs_u8` where the world has one. The first axis is
    the step, the second the seat; `t`, `dt`, `event_bits` and `rng_draws` are of the whole copy. `obs` is the
    observation the step led to, so on an ending step the last one of its episode.
    """

    def __init__(self) -> None:
        """Begin with no steps."""
        self._columns: dict[str, list[NDArray[np.generic] | np.generic]] = {}
        self._steps = 0

    def add(self, actions: I32, batch: Batch, record: StepRecord) -> None:
        """Append the step the batch has just taken."""
        ended = (batch.terminated | batch.truncated).astype(np.bool_)
        self._put("t", np.uint32(self._steps))
        self._put("action_received", actions.copy())
        self._put("action", _decisions(record.effective, batch))
        self._put("flags", _flags(batch, record))
        self._put("dt", batch.dt[0])
        self._put("event_bits", batch.events[0])
        self._put("rng_draws", np.uint64(record.draws))
        self._put("reward", np.array(record.rewards, np.float64))
        self._put("obs", np.where(ended[:, None], batch.final_obs, batch.obs))
        self._put("metrics", np.array(record.metrics, np.float64))
        if batch.spec.obs_u8_width:
            self._put("obs_u8", np.where(ended[:, None], batch.final_obs_u8, batch.obs_u8))
        self._steps += 1

    def save(self, path: Path) -> None:
        """Write one array per field, over all steps, as a compressed `.npz`."""
        arrays: dict[str, Any] = {name: np.array(rows) for name, rows in self._columns.items()}
        np.savez_compressed(path, **arrays)

    def _put(self, name: str, value: NDArray[np.generic] | np.generic) -> None:
        self._columns.setdefault(name, []).append(value)


def _decisions(effective: tuple[Decision | None, ...], batch: Batch) -> I32:
    noop = batch.spec.noop
    return np.array([noop if decision is None else decision for decision in effective], np.int32)


def _flags(batch: Batch, record: StepRecord) -> NDArray[np.uint8]:
    invalid = [sent != done for sent, done in zip(record.received, record.effective, strict=True)]
    flags = FLAG_TERMINATED * batch.terminated + FLAG_TRUNCATED * batch.truncated
    return flags + FLAG_INVALID * np.array(invalid, np.uint8)
