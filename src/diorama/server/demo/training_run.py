"""A short training run, so that there are windows, checkpoints and replays of a policy."""

from pathlib import Path
from threading import Event
from typing import Final

from diorama.contracts.config import parse_config
from diorama.operate.live.deciding.opening import default_policy
from diorama.runs.clock import Clock
from diorama.runs.replays.index import read_index
from diorama.server.demo.tagging import tag_demo
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, preset_names, settings_of
from diorama.training.run import train
from diorama.training.settings import TrainingSettings
from diorama.worlds.registry import load_world

_OWN_PRESET: Final = "tour"
_PRESET: Final = "quick"
_MAIN_PRESET: Final = "default"


def can_train(world_id: str) -> bool:
    """Whether the world has a preset for this, or one that takes seconds."""
    return not {_OWN_PRESET, _PRESET}.isdisjoint(preset_names(world_id))


def train_demo(runs_root: Path, run_id: str, world_id: str, *, stop: Event, clock: Clock) -> None:
    """Train, and mark the replays.

    Raises:
        MissingExtra: There is no torch here.
        RunConflict: There is a run of that id.
        StorageError: The disk refuses.
    """
    plan = plan_training(demo_settings(world_id))
    outcome = train(plan, runs_root, run_id, progress=NoProgress(), stop=stop, clock=clock)
    for entry in read_index(outcome.layout).entries:
        tag_demo(outcome.layout, entry, clock)


def demo_settings(world_id: str) -> TrainingSettings:
    """Return how a world is trained for a first look."""
    named: dict[str, object] = {"world": world_id}
    if _OWN_PRESET in preset_names(world_id):
        return settings_of([load_preset(world_id, _OWN_PRESET), Layer(source="demo", values=named)])
    changes = Layer(source="demo", values={**named, **_changes(world_id)})
    return settings_of([load_preset(world_id, _PRESET), changes])


def _changes(world_id: str) -> dict[str, object]:
    changes: dict[str, object] = {
        "steps": 98_304,
        "checkpoints": {"every_windows": 6},
        "evaluation": {"replays_per_window": 3, "max_steps_per_episode": 400, "deterministic": False},
        "normalization": {"observations": True, "rewards": "return_std"},
    }
    teacher = _teacher(world_id)
    # A policy that begins as a copy of a bot shows what the world is about; one that begins from nothing does not.
    return changes if teacher is None else {**changes, "cloning": {"bot": teacher, "decisions": 60_000, "copies": 64}}


def _teacher(world_id: str) -> str | None:
    """Return whom the main training of a world copies, else who plays it where nobody is named; None without bots."""
    world = load_world(world_id)
    if _MAIN_PRESET in preset_names(world_id):
        cloning = load_preset(world_id, _MAIN_PRESET).values.get("cloning")
        if isinstance(cloning, dict):
            return str(cloning["bot"])
    return default_policy(world, parse_config(world.id, world.config_type, {})) if world.bots else None
