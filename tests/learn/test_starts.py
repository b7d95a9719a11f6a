"""Episodes of a training that begin in stored states: exact, reproducible, and worth something."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch

import diorama
from diorama.contracts.errors import ConfigError
from diorama.contracts.training_reports import StepView
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.callbacks import Callback
from diorama.learn.envs import TrainingEnvs
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.starts import StartSource
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.test_reproducibility import assert_same
from tests.learn.toys import Corridor, Recall, Voyage
from tests.refusals import refused

COPIES = 12
STARTS: dict[str, Any] = {
    "sources": ["rollouts"],
    "every_decisions": 5,
    "library_size": 40,
    "ordinary_share": 0.3,
    "sampling": "advantage",
}


def settings_of(arch: str = "mlp-32x32-tanh-v1", **changes: Any) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {"rollout_steps": 16, "num_minibatches": 3, "update_epochs": 2, "sequence_length": 8},
            "normalization": {"rewards": "return_std"},
            "starts": STARTS,
            **changes,
            "execution": {"threads": 1, "lane_copies": 5, "shard_rows": 50, **changes.get("execution", {})},
        }
    )


def prospector() -> TrainingEnvs:
    return diorama.make("prospector", copies=COPIES, config={"time_max": 60}, seed=11)


def trained(envs: TrainingEnvs, settings: TrainerSettings, updates: int, *callbacks: Callback) -> Trainer:
    trainer = Trainer(envs, settings, seed=5, callbacks=callbacks)
    for _ in range(updates):
        trainer.update()
    return trainer


@dataclass
class Watching(Callback):
    """Notes how episodes began, and what those from ordinary starts returned."""

    stored: int = 0
    ordinary: int = 0
    arrivals: list[float] = field(default_factory=list)

    def on_step(self, step: StepView) -> None:
        assert step.stored_starts is not None
        ended = (step.terminated | step.truncated) != 0
        self.stored += int((step.stored_starts[ended] != 0).sum())
        self.ordinary += int((step.stored_starts[ended] == 0).sum())
        self.arrivals += step.rewards[ended & (step.stored_starts == 0)].tolist()


class Opening(Callback):
    """Notes where the copies of a voyage are at the first decision of a rollout, and how they came there."""

    def on_rollout(self, rollout: RolloutBuffer) -> None:
        assert rollout.stored_starts is not None
        self.places = rollout.host["obs"][0].numpy().argmax(axis=1).tolist()
        self.stored = rollout.stored_starts[0].tolist()


@pytest.mark.parametrize("execution", [{"threads": 2}, {"lane_copies": 12}, {"threads": 3, "lane_copies": 1}], ids=str)
def test_threads_and_shards_change_nothing(execution: dict[str, int]) -> None:
    one = trained(prospector(), settings_of(), 6).state()
    other = trained(prospector(), settings_of(execution=execution), 6).state()

    assert_same(one, other)


@pytest.mark.parametrize("memory", ["empty", "stored"])
@pytest.mark.parametrize("world", ["prospector", "recall"])
def test_a_continued_training_equals_one_that_never_stopped(world: str, memory: str) -> None:
    settings = settings_of("mingru-16-v1", starts={**STARTS, "memory": memory, "every_decisions": 3})

    def envs() -> TrainingEnvs:
        return Recall(COPIES) if world == "recall" else prospector()

    whole = trained(envs(), settings, 7)
    halted = trained(envs(), settings, 4)
    continued = Trainer(envs(), settings, seed=99)
    continued.load_state(halted.state())
    assert_same(continued.state(), halted.state())
    for _ in range(3):
        continued.update()

    assert_same(continued.state(), whole.state())
    assert whole.starts is not None
    assert len(whole.starts.library) == 40


def test_episodes_begin_in_both_kinds_of_states() -> None:
    watching = Watching()
    trainer = trained(prospector(), settings_of(), 20, watching)

    assert watching.stored > 30
    assert watching.ordinary > 10
    assert trainer.starts is not None
    priorities = [state.priority for state in trainer.starts.library.states]
    assert len(set(priorities)) > 10
    assert min(priorities) >= 0.0


def test_with_a_share_of_one_everything_is_as_without() -> None:
    starts = {**STARTS, "ordinary_share": 1.0}
    plain, with_starts = (trained(prospector(), settings_of(starts=item), 5).state() for item in (None, starts))

    assert plain.snapshots == with_starts.snapshots
    for name, tensor in plain.tensors.items():
        assert torch.equal(tensor, with_starts.tensors[name]), name
    assert not any(name.startswith("starts.") for name in plain.tensors)


def test_the_first_episodes_begin_in_states_that_were_there_before() -> None:
    donor = Voyage(1)
    donor.reset()
    donor.table[0, 3] = 7
    for initial in (True, False):
        settings = settings_of(
            starts={**STARTS, "sources": ["demonstrations"], "ordinary_share": 0, "initial": initial}
        )
        opening = Opening()
        trainer = Trainer(Voyage(COPIES), settings, seed=5, callbacks=[opening])
        assert trainer.starts is not None
        trainer.starts.library.add(donor.snapshot(0), StartSource.DEMONSTRATIONS)
        trainer.update()

        assert opening.places == [7 if initial else 0] * COPIES
        assert opening.stored == [int(initial)] * COPIES


def test_a_started_row_opens_an_episode_and_its_predecessor_is_closed_as_ever() -> None:
    trainer = trained(Corridor(COPIES), settings_of(starts={**STARTS, "ordinary_share": 0.0}), 8)
    assert trainer.starts is not None
    host, starts = trainer.starts.rollout.host, trainer.starts
    ended = (host["terminated"][1:] | host["truncated"][1:]).numpy() != 0

    assert starts.flags[1:][ended].all()
    assert np.array_equal(host["episode_start"][1:].numpy() != 0, ended)
    # Somewhere else than where ordinary episodes begin.
    assert host["obs"][1:].numpy().argmax(axis=2)[ended].max() > 0


def test_stored_memory_continues_and_what_cannot_be_computed_again_has_no_weight() -> None:
    settings = settings_of(
        "mingru-16-v1", starts={**STARTS, "memory": "stored", "ordinary_share": 0.0, "every_decisions": 2}
    )
    trainer = Trainer(Recall(COPIES), settings, seed=5)
    for _ in range(6):
        trainer.update()
    assert trainer.starts is not None
    rollout = trainer.starts.rollout
    assert rollout.unlearned is not None
    unlearned, starts = rollout.unlearned.numpy(), rollout.host["episode_start"][1:].numpy()
    started = sorted(item for shard in trainer.starts._shards for item in shard.started)
    weights = trainer._backend.learning.experience.targets.policy_weights.view(16, -1).numpy()

    assert unlearned.any()
    assert not weights[unlearned].any()
    assert weights[~unlearned].all()
    for item in started:
        assert not starts[item.step - 1, item.copy], "the policy remembers"
        boundary = -(-item.step // 8) * 8
        assert unlearned[item.step : boundary, item.copy].all()


def test_what_has_a_weight_is_computed_again_as_it_was_decided() -> None:
    settings = settings_of(
        "mingru-16-v1",
        optimizer={"learning_rate": 0.0},
        starts={**STARTS, "memory": "stored", "ordinary_share": 0.0, "every_decisions": 2},
    )
    recording = RecordingCallback()
    trainer = Trainer(Recall(COPIES), settings, seed=5, callbacks=[recording])
    with torch.no_grad():
        for parameter in trainer.policy.heads.parameters():
            parameter.mul_(100.0)  # heads begin so flat that memory hardly matters
    for _ in range(6):
        trainer.update()

    # Weights that never change decide alike, from the same memory.
    assert max(abs(report.approx_kl_max) for report in recording.reports) < 1e-6


@pytest.mark.parametrize("demonstrated", [True, False], ids=["demonstrated", "not"])
def test_a_far_reward_is_learned_from_demonstrated_states_and_not_without(demonstrated: bool) -> None:
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-32-tanh-v1"},
            "ppo": {"rollout_steps": 32, "num_minibatches": 2, "update_epochs": 4, "gamma": 0.98},
            "optimizer": {"learning_rate": 0.01},
            "execution": {"threads": 1},
            "starts": {"sources": ["demonstrations"], "ordinary_share": 0.2}
            if demonstrated
            else {"ordinary_share": 1.0},
        }
    )
    watching = Watching()
    trainer = Trainer(Voyage(16), settings, seed=3, callbacks=[watching])
    if demonstrated:
        bot = Voyage(1)
        bot.reset()
        assert trainer.starts is not None
        for _ in range(Voyage.length - 2):
            bot.step(np.ones((1, 1), np.int32), bot.buffers)
            trainer.starts.library.add(bot.snapshot(0), StartSource.DEMONSTRATIONS)
    for _ in range(60):
        trainer.update()

    arrivals = watching.arrivals[-20:]
    assert np.mean(arrivals) > 0.9 if demonstrated else not any(arrivals)


def test_environments_that_cannot_are_refused() -> None:
    class Rigid:
        """A toy without `start_from`."""

        def __init__(self, envs: Corridor) -> None:
            self._envs = envs
            self.spec, self.copies = envs.spec, envs.copies

        def adopt(self, buffers: Any) -> None:
            self._envs.adopt(buffers)

        def split(self, parts: int) -> list[Any]:
            return [Rigid(self._envs)]

    with refused(ConfigError, "starts_unsupported", world="toy"):
        Trainer(Rigid(Corridor(COPIES)), settings_of(), seed=1)  # type: ignore[arg-type]
