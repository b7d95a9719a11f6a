"""Trains the runs of a protocol and plays with their checkpoints."""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import torch

from diorama.contracts.values import F64, JsonObject, JsonValue
from diorama.engine.players import Contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.episodes import SilentProgress, play_episodes
from diorama.learn.evaluation.policy_player import policy_contender
from diorama.learn.evaluation.scores import ScoreRule, score_episodes, score_rule, scores_of
from diorama.runs.checkpoints.files import clone_path
from diorama.runs.clock import SystemClock
from diorama.runs.layout import run_layout
from diorama.runs.metadata import LatestCheckpoint
from diorama.training.callbacks.base import RunCallback
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import TrainingPlan, plan_training, validation_rule
from diorama.training.policy_files import load_policy
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import train
from harness.learning.protocols import LearningProtocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A policy file and the wall time of training after which it was written."""

    path: Path
    seconds: float
    env_steps: int


class _Times(RunCallback):
    """Notes when checkpoints are written."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.rows: list[dict[str, Any]] = []

    def on_checkpoint(self, checkpoint: LatestCheckpoint) -> None:
        seconds = time.perf_counter() - self._began
        self.rows.append({"path": checkpoint.path, "seconds": seconds, "env_steps": checkpoint.env_steps_total})


def plan_of(protocol: LearningProtocol, seed: int) -> TrainingPlan:
    """Return the plan of one training run; every checkpoint stays, and so does the clone."""
    kept = {
        "world": protocol.world,
        "seed": seed,
        "checkpoints": {"keep_newest": None, "keep_clone": True},
        "evaluation": {"replays_per_window": 0, "closing_episodes": 0},
    }
    return plan_training(
        settings_of(
            [
                load_preset(protocol.world, protocol.preset),
                Layer(source="protocol", values=protocol.overrides),
                Layer(source="benchmark", values=kept),
            ]
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Where policies are judged, and against whom.

    Attributes:
        label: Opponent and arena in tables; empty where neither is named.
        venue: The world in the configuration of the arena.
        rule: What the score of an episode is, with one opponent at most.
        floor: What every training seed must score; None without such a bar.
    """

    label: str
    venue: Venue
    rule: ScoreRule
    floor: float | None


def fields_of(protocol: LearningProtocol, plan: TrainingPlan) -> list[Field]:
    """Return every opponent in every arena, or every arena in a world without opponents."""
    if protocol.metric is not None:
        rule = score_rule(plan.venue, protocol.metric)
    elif protocol.opponents:
        rule = score_rule(plan.venue, scripts=protocol.opponents)
    else:
        rule = validation_rule(plan.venue, plan.settings)
    given = plan.venue.config.model_dump(exclude_unset=True)
    fields = []
    for arena in protocol.arenas:
        venue = open_venue(protocol.world, {**given, **arena.config}, tier=plan.venue.tier)
        parts = [replace(rule, scripts=(script,)) for script in rule.scripts] or [rule]
        for part in parts:
            label = " ".join([*part.scripts, *([f"({arena.title})"] if arena.title else [])])
            fields.append(Field(label=label, venue=venue, rule=part, floor=arena.floor))
    return fields


def train_run(plan: TrainingPlan, root: Path, run_id: str) -> JsonObject:
    """Train a run from its beginning, and return its checkpoints with their times."""
    # What an interrupted measurement has left would not be timed from its beginning.
    shutil.rmtree(run_layout(root, run_id).directory, ignore_errors=True)
    times = _Times()
    outcome = train(plan, root, run_id, progress=NoProgress(), stop=Event(), clock=SystemClock(), callbacks=[times])
    has_clone = clone_path(outcome.layout).exists()
    return {"checkpoints": times.rows, "env_steps": outcome.env_steps_total, "has_clone": has_clone}


def points_of(directory: Path, checkpoints: Sequence[Mapping[str, Any]], count: int) -> list[Point]:
    """Return so many checkpoints, evenly spread, the last one among them."""
    step = max(1, len(checkpoints) // count)
    chosen = list(reversed(list(reversed(checkpoints))[::step]))[-count:]
    return [Point(path=directory / row["path"], seconds=row["seconds"], env_steps=row["env_steps"]) for row in chosen]


def contender_of(path: Path, venue: Venue, name: str, *, deterministic: bool) -> Contender:
    """Return the policy of a checkpoint."""
    torch.set_num_threads(1)
    policy, _ = load_policy(path, venue.spec)
    return policy_contender(name, policy, deterministic=deterministic)


def play(fields: Sequence[Field], contender: Contender, first_seed: int, episodes: int) -> F64:
    """Return the score of every seed, fields × seeds."""
    seeds = range(first_seed, first_seed + episodes)
    return np.stack([_scores(item, contender, seeds) for item in fields])


def play_held_out(
    fields: Sequence[Field], contender: Contender, further: Sequence[str], first_seed: int, episodes: int
) -> JsonObject:
    """Return the score of every seed, fields × seeds, and what further metrics of the same episodes were."""
    seeds = range(first_seed, first_seed + episodes)
    if not further:
        return {"scores": play(fields, contender, first_seed, episodes).tolist(), "further": {}}
    (item,) = fields
    most = item.venue.world.evaluation.max_decisions
    records = play_episodes(item.venue, contender, seeds, max_decisions=most, progress=SilentProgress())
    beside: dict[str, JsonValue] = {metric: scores_of(records, metric, seeds).tolist() for metric in further}
    return {"scores": [scores_of(records, item.rule.metric, seeds).tolist()], "further": beside}


def _scores(item: Field, contender: Contender, seeds: Sequence[int]) -> F64:
    return score_episodes(
        item.venue,
        contender,
        item.rule,
        seeds,
        max_decisions=item.venue.world.evaluation.max_decisions,
        progress=SilentProgress(),
    )
