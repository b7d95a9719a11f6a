"""Short training runs inside this process."""

from collections.abc import Mapping
from pathlib import Path
from threading import Event
from typing import Final

from diorama.runs.clock import SystemClock
from diorama.training.callbacks.progress import NoProgress, ProgressReporter
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, settings_of
from diorama.training.run import TrainingOutcome, train

_WINDOW_STEPS: Final = 4096
_SMALL: Final[Mapping[str, object]] = {
    "copies": 32,
    "windows": {"env_steps": _WINDOW_STEPS},
    "checkpoints": {"every_windows": 1},
    "evaluation": {"replays_per_window": 1, "max_steps_per_episode": 256, "closing_episodes": 0},
    "policy": {"arch": "mlp-64x64-tanh-v1"},
    "ppo": {"rollout_steps": 128, "num_minibatches": 4, "update_epochs": 1},
    "telemetry": {"ppo_ndjson": False},
}


def train_shortly(
    run_root: Path,
    run_id: str,
    world: str,
    *,
    backend: str,
    windows: int,
    seed: int,
    progress: ProgressReporter | None = None,
) -> TrainingOutcome:
    """Train a run of so many windows, with a checkpoint and one evaluation replay for each.

    Raises:
        UnknownName: There is no such world.
        ConfigError: There is no such backend.
        RunConflict: There is a run of that id.
    """
    asked = {**_SMALL, "world": world, "backend": backend, "steps": windows * _WINDOW_STEPS, "seed": seed}
    plan = plan_training(settings_of([Layer(source="benchmark", values=asked)]))
    return train(plan, run_root, run_id, progress=progress or NoProgress(), stop=Event(), clock=SystemClock())
