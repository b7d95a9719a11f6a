"""A recorded sweep: two trials that ended, and a third that was running when the sweep was left."""

import time
from contextlib import suppress
from pathlib import Path

from diorama.runs.checkpoints.files import checkpoint_paths
from diorama.runs.layout import run_layout
from diorama.scale.cluster import LOCAL, cluster
from diorama.scale.sweeps.report import SweepRequest, TrialRow
from diorama.scale.sweeps.running import run_sweep
from diorama.scale.sweeps.spec import SweepSpec

SPEC = SweepSpec.model_validate(
    {
        "world": "prospector",
        "preset": "quick",
        "settings": {
            "config.time_max": 300.0,
            "steps": 8192,
            "copies": 2,
            "windows.env_steps": 2048,
            "checkpoints.every_windows": 1,
            "evaluation.replays_per_window": 0,
            "evaluation.closing_episodes": 0,
            "execution.threads": 1,
            "telemetry.jsonl": False,
            "telemetry.ppo_ndjson": False,
        },
        "space": {
            "ppo.gamma": {"low": 0.9, "high": 0.99},
            "ppo.update_epochs": {"low": 1, "high": 2, "integer": True},
            "policy.arch": ["mlp-8-tanh-v1", "mlp-8-gelu-v1"],
        },
        "objective": {"metric": "reward_mean", "last_windows": 2},
        "stopping": "never",
        "trials": 3,
        "seed": 5,
    }
)
_PATIENCE_SECONDS = 60.0


class _Left(Exception):
    """Whoever watched the sweep has gone."""


def recorded_sweep(folder: Path, spec: SweepSpec = SPEC) -> SweepRequest:
    """Return the sweep of a folder: what is known of it and its runs are below."""
    return SweepRequest(spec=spec, name="search", root=folder, run_root=folder / "runs", parallel=1)


def record_sweep(folder: Path) -> None:
    """Leave a sweep while its last trial trains."""
    request = recorded_sweep(folder)

    def leave_the_last_trial(rows: list[TrialRow]) -> None:
        if len(rows) == SPEC.trials:
            _wait_for_a_checkpoint(request.run_root, rows[-1].run_id)
            raise _Left

    with cluster(LOCAL, cpus=1), suppress(_Left):
        run_sweep(request, told=leave_the_last_trial)


def _wait_for_a_checkpoint(run_root: Path, run_id: str) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not checkpoint_paths(run_layout(run_root, run_id)):
        assert time.monotonic() < deadline, f"{run_id} does not come to a checkpoint"
        time.sleep(0.01)
