"""Walks through a world with allowed decisions, kept so that they can be taken again elsewhere."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.records import Decision
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch
from diorama.rng import Pcg32

WALK_STEPS: Final = 48
WALK_SECONDS: Final = 6.0  # a slow world is looked at for fewer steps
LONG_WALK_STEPS: Final = 320
LONG_WALK_SECONDS: Final = 0.8  # a quick world is looked at for more, so that what happens late is seen
_STREAM: Final = "conformance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What a copy shows after a step: everything that must come out the same elsewhere."""

    state_hash: int
    obs: bytes
    obs_u8: bytes
    masks: bytes
    rewards: bytes
    flags: bytes
    metrics: bytes
    happened: bytes

    def differs_in(self, other: "Moment") -> str:
        """Return the first thing that is not the same; empty where all is."""
        for name in ("rewards", "flags", "state_hash", "masks", "obs", "obs_u8", "metrics", "happened"):
            if getattr(self, name) != getattr(other, name):
                return name.replace("_", " ")
        return ""


class Chooser:
    """Draws among the options that the masks allow; rows that decide nothing carry the no-op."""

    def __init__(self, spec: WorldSpec, seed: int = 0) -> None:
        """Begin a stream of draws."""
        self._spec = spec
        self._rng = Pcg32.named(seed, _STREAM)

    def choose(self, batch: Batch) -> I32:
        """Return one decision per row."""
        rows = [self.decide(batch.masks[row]) if batch.alive[row] else self._spec.noop for row in range(batch.rows)]
        return np.array(rows, np.int32).reshape(batch.rows, len(self._spec.heads))

    def decide(self, mask: U8) -> Decision:
        """Return one allowed option per head; the no-op where a head allows none."""
        decision = []
        for head, (start, stop) in zip(self._spec.heads, head_spans(self._spec), strict=True):
            allowed = np.flatnonzero(mask[start:stop]).tolist()
            decision.append(allowed[self._rng.randint_exclusive(0, len(allowed))] if allowed else head.noop)
        return tuple(decision)


def head_spans(spec: WorldSpec) -> Iterator[tuple[int, int]]:
    """Yield where the options of each head begin and end in a mask row."""
    start = 0
    for head in spec.heads:
        yield start, start + len(head.options)
        start += len(head.options)


def moment_of(batch: Batch, copy: int = 0) -> Moment:
    """Return what a copy shows now."""
    rows = slice(copy * batch.spec.agents, (copy + 1) * batch.spec.agents)
    flags = (batch.terminated, batch.truncated, batch.alive)
    return Moment(
        state_hash=batch.state_hash(copy),
        obs=batch.obs[rows].tobytes(),
        obs_u8=batch.obs_u8[rows].tobytes(),
        masks=batch.masks[rows].tobytes(),
        rewards=batch.rewards[rows].tobytes(),
        flags=b"".join(flag[rows].tobytes() for flag in flags),
        metrics=batch.metrics[rows].tobytes(),
        happened=batch.dt[copy].tobytes() + batch.events[copy].tobytes(),
    )


def walk(batch: Batch, *, seed: int = 0) -> Iterator[I32]:
    """Step a batch with allowed decisions and yield them after each step: the quicker the world, the more of them."""
    chooser = Chooser(batch.spec, seed)
    for _ in paces():
        actions = chooser.choose(batch)
        batch.step(actions)
        yield actions


def short_walk(batch: Batch, *, steps: int, seconds: float = WALK_SECONDS) -> Iterator[I32]:
    """Walk so many steps, or fewer when the time is up."""
    started = time.monotonic()
    for _, actions in zip(range(steps), walk(batch), strict=False):
        yield actions
        if time.monotonic() - started > seconds:
            return


def paces() -> Iterator[int]:
    """Count the steps of a walk, for as long as it takes."""
    started = time.monotonic()
    for step in range(LONG_WALK_STEPS):
        yield step
        if time.monotonic() - started > (WALK_SECONDS if step + 1 < WALK_STEPS else LONG_WALK_SECONDS):
            return


def rows_of(actions: I32, batch: Batch, copy: int) -> I32:
    """Return the decisions of one copy of a batch."""
    return actions[copy * batch.spec.agents : (copy + 1) * batch.spec.agents]
