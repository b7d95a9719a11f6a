"""Mistakes of users, each of which ends with an error of the package `training`."""

import json
import shutil
from pathlib import Path
from threading import Event
from typing import Any

import msgspec

from diorama.learn.distributed import Team
from diorama.learn.imitation.anneal import AnnealProgress
from diorama.learn.imitation.validation import Agreement
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.learn.state import prefixed
from diorama.learn.trainer import Trainer
from diorama.runs.checkpoints.files import newest_checkpoint, write_checkpoint
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.layout import RunLayout
from diorama.runs.run import open_run
from diorama.training.callbacks.anneal import AnnealCallback
from diorama.training.callbacks.base import RunCallbacks
from diorama.training.callbacks.curriculum import CurriculumCallback
from diorama.training.callbacks.progress import NoProgress
from diorama.training.callbacks.rounds import RoundCallback
from diorama.training.distributed import LeadingLearner
from diorama.training.envs import ReplaceableEnvs, training_batch
from diorama.training.imitation import load_weights
from diorama.training.learner import PpoLearner
from diorama.training.plan import TrainingPlan, check_processes, check_workers, plan_training
from diorama.training.policy_files import policy_checkpoint
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.random_play import RandomLearner
from diorama.training.run_directory import check_target, stored_settings
from tests.training.small_runs import small_plan
from tests.training.towns import captured, town_plan

RUN = "dice"
ANNEAL = {"stages": [{"cycle": 0, "mode": "ppo", "epochs": 2}]}
GATED = {"stages": [{"cycle": 0, "mode": "bc"}, {"cycle": 1, "mode": "ppo", "epochs": 4}], "accuracy_threshold": 1.0}
POOR_CLONE = Agreement(decisions=10, accuracy=0.5, frames={}, recalls={}, value_error=0.0)


def plan(world: str = "prospector", **values: object) -> TrainingPlan:
    return plan_training(settings_of([Layer(source="test", values={"world": world, **values})]))


def ramp(**length: object) -> TrainingPlan:
    return plan(optimizer={"learning_rate": {"start": 1e-3, "end": 0.0, **length}})


def town(**values: object) -> TrainingPlan:
    short: dict[str, object] = {"copies": 2, "steps": 64, "ppo": {"rollout_steps": 16}}
    return plan("townlet", **{**short, **values})


def train_in_processes(**values: object) -> None:
    check_processes(plan(**{"copies": 4, **values}), 2)  # type: ignore[arg-type]


def train_with_workers(**values: object) -> None:
    check_workers(plan(**{"copies": 4, **values}), 2)  # type: ignore[arg-type]


def read_preset(folder: Path, text: str) -> None:
    (folder / "mine.yaml").write_text(text)
    load_preset("prospector", str(folder / "mine.yaml"))


def store_policy(folder: Path, **header: Any) -> Path:
    """Write a checkpoint of a policy, with other values in its header."""
    spec, settings, plain = plan().spec, PolicySettings(arch="mlp-8-tanh-v1"), NormalizationSettings()
    stored = policy_checkpoint(spec, settings, plain, run_id="mine", window_id=0, env_steps_total=64, created_at="then")
    layout = RunLayout(folder / "mine")
    tensors = prefixed("model_state_dict", Policy(spec, settings, plain, seed=1).state_dict())
    write_checkpoint(layout, msgspec.structs.replace(stored, **header), tensors)
    return newest_checkpoint(layout)


def start_from_stored(folder: Path, arch: str, **normalization: object) -> None:
    own = plan()
    policy = Policy(own.spec, PolicySettings(arch=arch), NormalizationSettings.model_validate(normalization), seed=1)
    load_weights(policy, own, str(store_policy(folder)))


def read_changed_settings(root: Path) -> None:
    shutil.copytree(root / RUN, root / "changed", dirs_exist_ok=True)
    config = RunLayout(root / "changed").config
    config.write_text(json.dumps({**json.loads(config.read_text()), "copies": 0}))
    stored_settings(open_run(root, "changed"))


def target(root: Path, steps: int | None, **changes: object) -> None:
    run = open_run(root, RUN)
    check_target(run, stored_settings(run).model_copy(update=changes), steps)


def load_of_a_trainer() -> None:
    own = plan(copies=2)
    learner = RandomLearner(training_batch(own), 1, RunCallbacks([]))
    learner.load(StoredTraining(tensors={}, values={"env_steps_total": 5}, snapshots=[]))


def load_without_course() -> None:
    own = town_plan(course={"last": "M1"})
    callback = CurriculumCallback(own, ReplaceableEnvs(training_batch(own)), NoProgress())
    callback.load(None, StoredTraining(tensors={}, values={"course": None}, snapshots=[]))


def load_without_rounds(folder: Path) -> None:
    own = plan("morphogenesis", copies=2, ppo={"diagnosed": True})
    RoundCallback(own, ReplaceableEnvs(training_batch(own)), RunLayout(folder / "run")).after_restore(None)


def miss_the_gate(folder: Path) -> None:
    own = town_plan(anneal=GATED, cloning={"dataset": str(captured(folder))})
    assert own.settings.anneal is not None
    schedule = AnnealCallback(own, own.settings.anneal, folder, NoProgress())
    learner = PpoLearner(own, training_batch(own), RunCallbacks([schedule]))
    learner.prepare(NoProgress(), Event())
    try:
        learner.advance()
    finally:
        learner.close()


def continue_after_the_gate(folder: Path) -> None:
    own = town_plan(anneal=GATED, cloning={"dataset": "first"})
    assert own.settings.anneal is not None
    failed = AnnealProgress(own.settings.anneal)
    failed.end_bc_stage(POOR_CLONE, ["accuracy is 0.500; at least 1 is required"])
    schedule = AnnealCallback(own, own.settings.anneal, folder, NoProgress())
    schedule.load(failed.state(), StoredTraining(tensors={}, values={}, snapshots=[]))
    trainer = Trainer(training_batch(own), own.settings.trainer, seed=1)
    try:
        schedule.before_update(trainer)
    finally:
        trainer.close()


def lose_the_launcher() -> None:
    own = small_plan(copies=4, normalization={"observations": False, "rewards": "none"})
    learner = LeadingLearner(own, training_batch(own), RunCallbacks([]), Team(rank=0, size=1, local_size=1))
    learner._launcher = 0
    try:
        learner.advance()
    finally:
        PpoLearner.close(learner)
