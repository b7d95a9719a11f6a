"""The three modes in which throughput is measured, and one measurement of one candidate in one of them."""

import time
import tracemalloc
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject
from diorama.engine.make import make
from diorama.engine.system_facts import usable_cores
from diorama.engine.throughput import measure_stepping
from diorama.runs.clock import SystemClock
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.run import train
from harness.stopwatch import Stopwatch

_ENDLESS_STEPS: Final = 1 << 40
_WINDOW_UPDATES: Final = 4
_EVALUATED_STEPS: Final = 256
_WARM_UP_SHARE: Final = 0.5  # of the measured time, before it


class Mode(StrEnum):
    """What is measured; figures of different modes are never mixed."""

    ENV_ONLY = "env_only"
    TRAINER = "trainer"
    TRAINER_EVAL = "trainer_eval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One way to run a world.

    Attributes:
        tier: `fast` or `reference`.
        backend: Who chooses actions, `ppo` or `random`; None where nobody trains.
        copies: Of the world.
        rollout_steps: Decisions per row between updates.
        minibatches: Of an update.
        arch: Of the policy.
    """

    world: str
    tier: str
    backend: str | None
    copies: int
    rollout_steps: int = 64
    minibatches: int = 4
    arch: str = "mlp-128-gelu-v1"

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One repeat; steps are decisions, never ticks."""

    env_steps: int
    wall_seconds: float
    cpu_seconds: float

    @property
    def steps_per_sec(self) -> float:
        """Decisions by wall-clock time."""
        return self.env_steps / self.wall_seconds

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report; utilization is of all cores."""
        return {
            "env_steps": self.env_steps,
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
            "utilization": self.cpu_seconds / (self.wall_seconds * usable_cores()),
            "steps_per_sec": self.steps_per_sec,
        }


def measure_mode(mode: Mode, candidate: Candidate, *, seconds: float, run_root: Path, run_id: str) -> Measurement:
    """Measure a candidate once.

    Args:
        mode: What is measured.
        candidate: How the world is run.
        seconds: For about so long.
        run_root: Where training writes its run.
        run_id: Of that run.

    Raises:
        DioramaError: The candidate cannot run here; the message says why.
    """
    if mode is Mode.ENV_ONLY:
        return _measure_stepping(candidate, seconds)
    plan, stop = _plan(mode, candidate), Event()
    watch = Stopwatch(warm_up_seconds=seconds * _WARM_UP_SHARE, seconds=seconds, on_time_up=stop.set)
    train(plan, run_root, run_id, progress=watch, stop=stop, clock=SystemClock())
    if not watch.env_steps:
        raise ConfigError(f"{run_id} made too few updates in {seconds:g} s; measure for longer")
    return Measurement(env_steps=watch.env_steps, wall_seconds=watch.wall_seconds, cpu_seconds=watch.cpu_seconds)


def heap_growth_mib(mode: Mode, candidate: Candidate, *, seconds: float, run_root: Path, run_id: str) -> float:
    """Return by how much the heap is larger after a measurement, in a pass of its own: tracing makes it slow."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        measure_mode(mode, candidate, seconds=seconds, run_root=run_root, run_id=run_id)
        return (tracemalloc.get_traced_memory()[0] - before) / (1 << 20)
    finally:
        tracemalloc.stop()


def _measure_stepping(candidate: Candidate, seconds: float) -> Measurement:
    batch = make(candidate.world, copies=candidate.copies, seed=1, tier=candidate.tier)
    began, busy = time.perf_counter(), time.process_time()
    measured = measure_stepping(batch, seconds=seconds, seed=1)
    share = measured.stepping_seconds / (time.perf_counter() - began)
    cpu_seconds = (time.process_time() - busy) * share
    batch.close()
    return Measurement(env_steps=measured.decisions, wall_seconds=measured.stepping_seconds, cpu_seconds=cpu_seconds)


def _plan(mode: Mode, candidate: Candidate) -> TrainingPlan:
    update = candidate.copies * candidate.rollout_steps
    asked: dict[str, object] = {
        "world": candidate.world,
        "tier": candidate.tier,
        "backend": candidate.backend,
        "copies": candidate.copies,
        "steps": _ENDLESS_STEPS,
        "windows": {"env_steps": _WINDOW_UPDATES * update},
        "checkpoints": {"every_windows": 1 if mode is Mode.TRAINER_EVAL else _ENDLESS_STEPS},
        "evaluation": {
            "replays_per_window": 1 if mode is Mode.TRAINER_EVAL else 0,
            "max_steps_per_episode": _EVALUATED_STEPS,
        },
        "policy": {"arch": candidate.arch},
        "ppo": {
            "rollout_steps": candidate.rollout_steps,
            "num_minibatches": candidate.minibatches,
            "update_epochs": 1,
            "shuffle": "blocks",
        },
    }
    return plan_training(settings_of([Layer(source="candidate", values=asked)]))
