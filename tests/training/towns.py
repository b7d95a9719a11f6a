"""Small towns to train in, and a dataset of their scripted controller."""

from collections.abc import Mapping
from pathlib import Path

from diorama.cli.townlet.capturing import CaptureRequest, hold_capture, plan_capture
from diorama.runs.layout import RunLayout
from diorama.training.plan import TrainingPlan
from tests.training.small_runs import StopAfter, resume_small, small_plan, train_small
from tests.worlds.townlet.small_scene import small_scene

UPDATE_STEPS = 16
_NO_MAP: Mapping[str, object] = {
    "features": {"systems": {"observations": "compact"}},
    "observations": {"compact": {"map_window": 0}},
}
_SMALL_TOWN: Mapping[str, object] = {
    "world": "townlet",
    "config": {**_NO_MAP, "world": {"seats": 3, "population": 3}, "perturbations": {"enabled": False}},
    "steps": 4 * UPDATE_STEPS,
    "windows": {"env_steps": UPDATE_STEPS},
    "copies": 2,
    "evaluation": {"closing_episodes": 0, "max_steps_per_episode": 2},
    "policy": {"arch": "mlp-8-tanh-v1"},
    "ppo": {"rollout_steps": 8, "num_minibatches": 1, "update_epochs": 1},
    "execution": {"threads": 1, "lane_copies": 2},
}


def town_plan(**changes: object) -> TrainingPlan:
    return small_plan(_SMALL_TOWN, **changes)


def trained(root: Path, run_id: str, plan: TrainingPlan, *, updates: int, is_resumed: bool = False) -> RunLayout:
    """Train a run up to an update before its end, or resume it up to there.

    A run that is complete records a last replay in a process of its own, which takes seconds to start.
    """
    assert updates * UPDATE_STEPS < plan.settings.steps
    watch = StopAfter(updates * UPDATE_STEPS)
    begin = resume_small if is_resumed else train_small
    return begin(root, run_id, plan, progress=watch, stop=watch.stop).layout


def captured(folder: Path, *, ticks: int = 40) -> Path:
    """Let the scripted controller play a scene of four citizens, and return the folder of the dataset."""
    (folder / "small.yaml").write_text(small_scene(ticks))
    request = CaptureRequest(
        name="first",
        root=folder,
        scenes=(str(folder / "small.yaml"),),
        rounds=1,
        push=0.0,
        overrides=_NO_MAP,
        replaces=None,
    )
    hold_capture(plan_capture(request), lambda: None)
    return folder / request.name
