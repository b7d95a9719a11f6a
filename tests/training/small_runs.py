"""Small training runs, and comparisons of two of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event

import numpy as np

from diorama.runs.checkpoints.files import checkpoint_paths
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.clock import SystemClock
from diorama.runs.documents import RawObject
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run
from diorama.runs.windows.row import PHASE_FIELDS
from diorama.telemetry.ppo.fields import PPO_LOG_FILE
from diorama.telemetry.ppo.log_files import parse_line, read_log
from diorama.training.callbacks.base import RunCallback
from diorama.training.callbacks.progress import NoProgress, ProgressReporter
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.run import TrainingOutcome, resume, train
from tests.runs.kept_policies import kept_tensors

WALL_CLOCK_FIELDS = ("wall_seconds", "steps_per_sec", "created_at", "run_id", *PHASE_FIELDS)
SMALL: Mapping[str, object] = {
    "world": "prospector",
    "config": {"reward_profile": "v2", "time_max": 300.0},
    "steps": 4096,
    "copies": 16,
    "windows": {"env_steps": 1000},
    "checkpoints": {"every_windows": 2},
    "evaluation": {"max_steps_per_episode": 16, "closing_episodes": 1},
    "policy": {"arch": "mlp-16-tanh-v1"},
    "ppo": {"rollout_steps": 16, "num_minibatches": 2, "update_epochs": 2},
    "normalization": {"observations": True, "rewards": "return_std"},
    "execution": {"lane_copies": 8, "shard_rows": 64},
    "telemetry": {"jsonl": True},
}

SMALL_MATCHES: Mapping[str, object] = {
    "world": "tidebreak",
    "config": {"stage": 1, "seats": 2, "observation": "compact"},
    "steps": 1536,
    "copies": 4,
    "windows": {"env_steps": 512},
    "checkpoints": {"every_windows": 1},
    "evaluation": {"max_steps_per_episode": 4, "closing_episodes": 0},
    "policy": {"arch": "mingru-8-v1"},
    "ppo": {"rollout_steps": 32, "num_minibatches": 1, "update_epochs": 1},
    "execution": {"lane_copies": 2},
    "self_play": {"pool_every": 3, "pool_size": 2, "self_share": 0.2, "scripts": ["idle"]},
}


class StopAfter(NoProgress):
    """Stops a run once it has taken so many env steps."""

    def __init__(self, env_steps: int) -> None:
        self.stop = Event()
        self._env_steps = env_steps

    def advance(self, env_steps: int) -> None:
        if env_steps >= self._env_steps:
            self.stop.set()


class AfterChecks(Event):
    """A stop event that is set once it has been asked so many times."""

    def __init__(self, checks: int) -> None:
        super().__init__()
        self._left = checks

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


def small_plan(small: Mapping[str, object] = SMALL, /, **changes: object) -> TrainingPlan:
    return plan_training(settings_of([Layer(source="small", values=small), Layer(source="test", values=changes)]))


def train_small(
    root: Path,
    run_id: str,
    plan: TrainingPlan,
    *,
    progress: ProgressReporter | None = None,
    stop: Event | None = None,
    callbacks: Sequence[RunCallback] = (),
) -> TrainingOutcome:
    return train(
        plan,
        root,
        run_id,
        progress=progress or NoProgress(),
        stop=stop or Event(),
        clock=SystemClock(),
        callbacks=callbacks,
    )


def resume_small(
    root: Path,
    run_id: str,
    plan: TrainingPlan,
    *,
    steps: int | None = None,
    progress: ProgressReporter | None = None,
    stop: Event | None = None,
    callbacks: Sequence[RunCallback] = (),
) -> TrainingOutcome:
    return resume(
        plan,
        root,
        run_id,
        steps=steps or plan.settings.steps,
        progress=progress or NoProgress(),
        stop=stop or Event(),
        clock=SystemClock(),
        callbacks=callbacks,
    )


def rows_without_wall_clock(layout: RunLayout) -> list[RawObject]:
    return [{key: value for key, value in row.items() if key not in WALL_CLOCK_FIELDS} for row in Run(layout).windows()]


def assert_same_training(one: RunLayout, other: RunLayout) -> None:
    """Weights, optimizer, counters, environments, windows, updates and replays are equal bit for bit."""
    assert rows_without_wall_clock(one) == rows_without_wall_clock(other)
    assert _updates(one) == _updates(other)
    first, second = newest_resume_point(one), newest_resume_point(other)
    assert first.training.values == second.training.values
    assert first.training.snapshots == second.training.snapshots
    assert {name: tensor.numpy().tobytes() for name, tensor in first.training.tensors.items()} == {
        name: tensor.numpy().tobytes() for name, tensor in second.training.tensors.items()
    }
    assert _stripped(first.header.services["windows"]) == _stripped(second.header.services["windows"])
    assert _replays(one) == _replays(other)


def assert_same_policies(one: RunLayout, other: RunLayout) -> None:
    """Every checkpoint of one run holds the tensors of the same checkpoint of the other."""
    assert [path.name for path in checkpoint_paths(one)] == [path.name for path in checkpoint_paths(other)]
    for first, second in zip(checkpoint_paths(one), checkpoint_paths(other), strict=True):
        ours, theirs = kept_tensors(first), kept_tensors(second)
        assert all(np.array_equal(ours[name].numpy(), theirs[name].numpy()) for name in ours | theirs)


def _updates(layout: RunLayout) -> list[RawObject]:
    """Return the records of the PPO log; `epoch` counts from the last start, which is another one after a kill."""
    lines = read_log(layout.telemetry / PPO_LOG_FILE)
    records = [dict(parse_line(line.data)) for line in lines]
    return [
        {key: value for key, value in record.items() if key not in ("epoch", "epoch_duration_sec")}
        for record in records
    ]


def _stripped(service: RawObject) -> RawObject:
    return {key: value for key, value in service.items() if key not in ("wall_seconds", "phase_seconds")}


def _replays(layout: RunLayout) -> list[tuple[int, int, float, int]]:
    entries = Run(layout).replay_index().entries
    return [(entry.window_id, entry.seed, entry.return_total, entry.steps) for entry in entries]
