"""What other libraries reach on this machine with the same number of copies, in the same run.

Each peer steps CartPole, a world of four numbers and two actions: the lightest step there is. Against it
`prospector` moves 260 observations, 69 masks and 13 metrics a decision.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np

from harness.repeats import REPEATS

WARM_UP_STEPS = 3


@dataclass(frozen=True, slots=True)
class PeerRate:
    """Decisions per second of one peer at one size in its best repeat, or why it could not be measured."""

    name: str
    copies: int
    decisions_per_second: float | None
    skipped: str | None = None


def measure_peers(copies: int, *, seconds: float) -> Iterator[PeerRate]:
    """Measure every peer at one batch size."""
    for name, build in PEERS.items():
        if name.startswith("envpool") and find_spec("envpool") is None:
            yield PeerRate(name, copies, None, "envpool is not installed; `make bench` installs it")
            continue
        step, close = build(copies)
        yield PeerRate(name, copies, max(_rate(step, copies, seconds / REPEATS) for _ in range(REPEATS)))
        close()


def _rate(step: Callable[[], object], copies: int, seconds: float) -> float:
    for _ in range(WARM_UP_STEPS):
        step()
    steps, spent = 0, 0.0
    began = time.perf_counter()
    while spent < seconds:
        step()
        steps += 1
        spent = time.perf_counter() - began
    return steps * copies / spent


Stepper = tuple[Callable[[], object], Callable[[], None]]


def _gymnasium(vectorization_mode: str) -> Callable[[int], Stepper]:
    def build(copies: int) -> Stepper:
        envs: Any = gymnasium.make_vec("CartPole-v1", num_envs=copies, vectorization_mode=vectorization_mode)
        envs.reset(seed=0)
        actions = np.random.default_rng(0).integers(0, 2, copies)
        return lambda: envs.step(actions), envs.close

    return build


def _envpool(copies: int) -> Stepper:
    import envpool

    envs: Any = envpool.make_gymnasium("CartPole-v1", num_envs=copies, num_threads=1)
    envs.reset()
    actions = np.random.default_rng(0).integers(0, 2, copies).astype(np.int32)
    return lambda: envs.step(actions), envs.close


PEERS: dict[str, Callable[[int], Stepper]] = {
    "gymnasium numpy-vectorized CartPole": _gymnasium("vector_entry_point"),
    "gymnasium SyncVectorEnv CartPole": _gymnasium("sync"),
    "envpool CartPole (1 thread)": _envpool,
}
