"""Policies for rehearsals: trained for real, and small enough for a minute."""

from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Final

from diorama.cli.townlet.anneal_tables import AnnealReport, read_report
from diorama.cli.townlet.annealing import plan_annealing, usual_schedule
from diorama.cli.townlet.capturing import CaptureRequest, hold_capture, plan_capture
from diorama.cli.townlet.cloning import WORLD, shaping_of
from diorama.learn.errors import CloneRefused
from diorama.runs.clock import SystemClock
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.presets import DEFAULT, Layer, load_preset, settings_of
from diorama.training.run import train

# Next to nothing of PPO: enough to have been through it, too little to forget what was imitated.
_SHORT: Final[dict[str, object]] = {
    "steps": 1024,
    "copies": 8,
    "windows": {"env_steps": 1024},
    "checkpoints": {"every_windows": 1},
    "evaluation": {"replays_per_window": 0, "closing_episodes": 0, "max_steps_per_episode": 50},
    "optimizer": {"learning_rate": {"start": 1e-5, "end": 1e-5}},
    "execution": {"lane_copies": 4},
}
_IMITATION: Final[dict[str, object]] = {
    "cloning": {"decisions": 32000, "copies": 4, "rounds": 2, "epochs": 5, "minibatch_rows": 1024}
}
_ACCURACY: Final = 0.9
# Two days say what the script does, and too little of what it is worth.
_GATE: Final[dict[str, object]] = {"cloning": {"gate": {"value_error": 5.0}}}


def train_small(run_root: Path, run_id: str, seed: int) -> str:
    """Let a policy imitate the script and learn a little on its own; return what it is, in words."""
    layers = [
        load_preset(WORLD, DEFAULT),
        *(Layer(source="rehearsal", values=values) for values in (_SHORT, _IMITATION, {"seed": seed})),
        Layer(source="WORLD", values={"world": WORLD}),
    ]
    outcome = train(
        plan_training(settings_of(layers)), run_root, run_id, progress=NoProgress(), stop=Event(), clock=SystemClock()
    )
    return f"imitated the script, then {outcome.env_steps_total:,} steps of PPO"


def capture_small(root: Path) -> tuple[Path, str]:
    """Capture two ordinary days of the script; return the dataset's folder, and what it is in words."""
    plan = plan_capture(
        CaptureRequest(
            name="rehearsal",
            root=root,
            scenes=("ordinary_days",),
            rounds=1,
            push=0.0,
            overrides=shaping_of(DEFAULT),
            replaces=None,
        )
    )
    hold_capture(plan, lambda: None)
    return root / plan.request.name, f"{plan.ticks:,} ticks of {plan.scenes[0].scenario.name}"


def anneal_small(dataset: Path, run_root: Path, seed: int) -> AnnealReport:
    """Clone a dataset and hand over in two stages of one cycle; return what is kept of it."""
    short = {name: value for name, value in _SHORT.items() if name != "steps"}
    plan = plan_annealing(
        dataset,
        preset=DEFAULT,
        overrides=[("rehearsal", short), ("rehearsal", _GATE), ("rehearsal", {"seed": seed})],
        schedule=usual_schedule(stages=2, cycles=1, accuracy=_ACCURACY),
    )
    directory = run_root / "annealed"
    with suppress(CloneRefused):  # the report tells it, stage by stage
        train(plan, run_root, directory.name, progress=NoProgress(), stop=Event(), clock=SystemClock())
    report = read_report(directory)
    assert report is not None
    return report
