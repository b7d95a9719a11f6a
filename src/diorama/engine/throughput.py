"""How many decisions a batch takes per second, with random valid actions from its masks."""

import time
from dataclasses import dataclass

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch

_WARM_UP_STEPS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppingThroughput:
    """What a measurement found; choosing the actions is timed apart from stepping.

    Attributes:
        decisions: Steps of single copies.
        ticks: Simulated time of all copies together.
        episodes: Copies that ended and were reset inside a step.
        stepping_seconds: Wall-clock time inside `Batch.step`.
        sampling_seconds: Wall-clock time spent choosing actions.
    """

    decisions: int
    ticks: int
    episodes: int
    stepping_seconds: float
    sampling_seconds: float

    @property
    def decisions_per_second(self) -> float:
        """Decisions by the time spent stepping."""
        return self.decisions / self.stepping_seconds

    @property
    def ticks_per_second(self) -> float:
        """Simulated ticks by the time spent stepping."""
        return self.ticks / self.stepping_seconds


class ValidActionSampler:
    """Draws uniformly among the valid options of every head and row, without a loop over rows."""

    def __init__(self, spec: WorldSpec, *, seed: int) -> None:
        """Begin a sequence of draws."""
        self._generator = np.random.default_rng(seed)
        self._noop = np.array(spec.noop, np.int32)
        ends = np.cumsum([len(head.options) for head in spec.heads]).tolist()
        self._heads = [slice(end - len(head.options), end) for end, head in zip(ends, spec.heads, strict=True)]

    def sample(self, masks: U8) -> I32:
        """Return one option per row and head; a head without a valid option takes its no-op."""
        chosen = np.empty((len(masks), len(self._heads)), np.int32)
        for head, options in enumerate(self._heads):
            reached = np.cumsum(masks[:, options] != 0, axis=1, dtype=np.uint16)
            wanted = (self._generator.random(len(masks)) * reached[:, -1]).astype(np.uint16)
            # The first option at which more valid ones than `wanted` have been passed.
            picked = np.sum(reached <= wanted[:, None], axis=1, dtype=np.int32)
            chosen[:, head] = np.where(reached[:, -1] == 0, self._noop[head], picked)
        return chosen


def measure_stepping(batch: Batch, *, seconds: float, seed: int) -> SteppingThroughput:
    """Step a batch with random valid actions for about `seconds` of stepping time.

    The batch is reset first, and the first steps, which touch memory for the first time, are not counted.
    """
    if seconds <= 0:
        raise ConfigError(f"seconds is {seconds}; use more than 0")
    sampler = ValidActionSampler(batch.spec, seed=seed)
    batch.reset()
    for _ in range(_WARM_UP_STEPS):
        batch.step(sampler.sample(batch.masks))
    steps = ticks = episodes = 0
    stepping = sampling = 0.0
    while stepping < seconds:
        began = time.perf_counter()
        actions = sampler.sample(batch.masks)
        chosen = time.perf_counter()
        batch.step(actions)
        stepping += time.perf_counter() - chosen
        sampling += chosen - began
        steps += 1
        ticks += int(batch.dt.sum(dtype=np.int64))
        episodes += int(np.count_nonzero(batch.episode_start)) // batch.spec.agents
    return SteppingThroughput(
        decisions=steps * batch.copies,
        ticks=ticks,
        episodes=episodes,
        stepping_seconds=stepping,
        sampling_seconds=sampling,
    )
