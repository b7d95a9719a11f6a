"""What one side showed, step by step, as arrays that other tools can read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from diorama.contracts.records import StepRecord
from diorama.contracts.values import F32, I32, U8
from diorama.engine.batch import Batch

FLAG_TERMINATED: Final = 1
FLAG_TRUNCATED: Final = 2
FLAG_INVALID: Final = 4  # another decision than the received one was executed


@dataclass(frozen=True, slots=True)
class _Step:
    actions: I32
    record: StepRecord
    terminated: U8
    truncated: U8
    dt: int
    event_bits: int
    obs: F32
    obs_u8: U8


class Trace:
    """Collects one side's steps.

    The arrays are named after the fields of a step trace: `t`, `action_received`, `action`, `flags`, `dt`,
    `event_bits`, `rng_draws`, `reward`, `obs`, `metrics`, and `obs_u8` where the world has one. The first axis is
    the step, the second the seat; `t`, `dt`, `event_bits` and `rng_draws` are of the whole copy. `obs` is the
    observation the step led to, so on an ending step the last one of its episode.
    """

    def __init__(self) -> None:
        """Begin with no steps."""
        self._steps: list[_Step] = []

    def add(self, actions: I32, batch: Batch, record: StepRecord) -> None:
        """Append the step the batch has just taken."""
        obs, obs_u8 = batch.obs.copy(), batch.obs_u8.copy()
        terminated, truncated = batch.terminated.copy(), batch.truncated.copy()
        ended = (terminated | truncated).view(np.bool_)
        if ended.any():
            obs[ended], obs_u8[ended] = batch.final_obs[ended], batch.final_obs_u8[ended]
        dt, event_bits = int(batch.dt[0]), int(batch.events[0])
        self._steps.append(_Step(actions, record, terminated, truncated, dt, event_bits, obs, obs_u8))

    def save(self, path: Path, *, noop: tuple[int, ...]) -> None:
        """Write one array per field, over all steps, as a compressed `.npz`.

        Args:
            path: File to write.
            noop: Stands for the executed decision of seats that took none.
        """
        steps = self._steps
        arrays: dict[str, Any] = {
            "t": np.arange(len(steps), dtype=np.uint32),
            "action_received": np.array([step.actions for step in steps], np.int32),
            "action": np.array([[done or noop for done in step.record.effective] for step in steps], np.int32),
            "flags": np.array([_flags(step) for step in steps], np.uint8),
            "dt": np.array([step.dt for step in steps], np.uint16),
            "event_bits": np.array([step.event_bits for step in steps], np.uint64),
            "rng_draws": np.array([step.record.draws for step in steps], np.uint64),
            "reward": np.array([step.record.rewards for step in steps], np.float64),
            "obs": np.array([step.obs for step in steps], np.float32),
            "metrics": np.array([step.record.metrics for step in steps], np.float64),
        }
        obs_u8 = np.array([step.obs_u8 for step in steps], np.uint8)
        if obs_u8.size:
            arrays["obs_u8"] = obs_u8
        np.savez_compressed(path, **arrays)


def _flags(step: _Step) -> list[int]:
    invalid = (sent != done for sent, done in zip(step.record.received, step.record.effective, strict=True))
    return [
        FLAG_TERMINATED * terminated + FLAG_TRUNCATED * truncated + FLAG_INVALID * is_invalid
        for terminated, truncated, is_invalid in zip(
            step.terminated.tolist(), step.truncated.tolist(), invalid, strict=True
        )
    ]
