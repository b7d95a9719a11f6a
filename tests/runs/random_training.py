"""A run with random actions: the smallest thing that writes windows and checkpoints and can be resumed."""

from pathlib import Path

import numpy as np

from diorama.contracts.training_reports import StepView
from diorama.contracts.values import I32
from diorama.engine.batch import Batch
from diorama.engine.make import make
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.clock import Clock, timestamp
from diorama.runs.windows import WindowAggregator
from diorama.runs.writer import RunWriter, continue_run, create_run
from tests.runs.factories import metadata

COPIES = 5
WINDOW = 8
CONFIG = {"time_max": 40.0}


class RandomTraining:
    """Steps a batch with actions that depend on the seed and the number of the step alone."""

    def __init__(self, writer: RunWriter, clock: Clock) -> None:
        self.writer = writer
        self._clock = clock
        self._batch: Batch = make("prospector", copies=COPIES, config=CONFIG, seed=3, threads=1)
        self._batch.reset()
        self.steps = 0
        self._windows = WindowAggregator(
            self._batch.spec, run_id=writer.layout.run_id, copies=COPIES, window_env_steps=WINDOW, clock=clock
        )

    @classmethod
    def start(cls, runs_root: Path, run_id: str, clock: Clock) -> "RandomTraining":
        described = metadata(run_id, copies=COPIES, window_env_steps=WINDOW)
        return cls(create_run(runs_root, described, {"world": "prospector"}, clock), clock)

    @classmethod
    def resume(cls, runs_root: Path, run_id: str, clock: Clock) -> "RandomTraining":
        writer, point = continue_run(runs_root, run_id, clock)
        training = cls(writer, clock)
        for copy, snapshot in enumerate(point.training.snapshots):
            training._batch.restore(copy, snapshot)
        training.steps = point.training.values["steps"]
        training._windows.load_state(point.header.services["windows"])
        writer.continue_from(point, training._windows.totals, target_env_steps=1000)
        return training

    def run(self, until: int, *, checkpoint_every: int = 4) -> None:
        while self.steps < until:
            self._step()
            if self.steps % checkpoint_every == 0:
                self.checkpoint()

    def checkpoint(self) -> None:
        header = RandomCheckpoint(
            run_id=self.writer.layout.run_id,
            world="prospector",
            window_id=max(0, self._windows.totals.windows - 1),
            env_steps_total=self._windows.totals.env_steps,
            created_at=timestamp(self._clock.now()),
        )
        state = StoredTraining(
            tensors={}, values={"steps": self.steps}, snapshots=[self._batch.snapshot(copy) for copy in range(COPIES)]
        )
        self.writer.write_checkpoint(header, state, services={"windows": self._windows.state()})

    def close(self) -> None:
        """Let go of everything, as the end of the process would."""
        self.writer.close()
        self._batch.close()

    def _step(self) -> None:
        batch = self._batch
        alive, seen = batch.alive.copy(), batch.obs.copy()
        batch.step(self._actions())
        rows = self._windows.consume(
            StepView(
                first_copy=0,
                copies=COPIES,
                agents=1,
                rewards=batch.rewards,
                terminated=batch.terminated,
                truncated=batch.truncated,
                alive_before=alive,
                obs=lambda: seen,
                metrics=batch.metrics,
                dt=batch.dt,
                events=batch.events,
            )
        )
        self.writer.write_windows(rows, self._windows.totals)
        self.steps += 1

    def _actions(self) -> I32:
        dice = np.random.default_rng([3, self.steps])
        return np.array([dice.choice(mask.nonzero()[0]) for mask in self._batch.masks], np.int32)
