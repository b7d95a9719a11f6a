"""A run on the CPU is a function of its seed: for any number of threads, and across a save in another process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import diorama
from diorama.learn.envs import TrainingEnvs
from diorama.learn.settings import TrainerSettings
from diorama.learn.state import TrainerState
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Recall

COPIES = 24
STEPS_PER_UPDATE = 16 * COPIES

PROSPECTOR = {
    "policy": {"arch": "mlp-32x32-tanh-v1"},
    "ppo": {"rollout_steps": 16, "num_minibatches": 3, "update_epochs": 2},
    "optimizer": {"learning_rate": {"start": 1e-3, "end": 0.0, "env_steps": 10_000}},
    "normalization": {"observations": True, "rewards": "return_std", "values": True},
    "execution": {"threads": 1, "lane_copies": 7, "shard_rows": 50},
}
RECALL = {
    "policy": {"arch": "mingru-16-v1"},
    "ppo": {"rollout_steps": 16, "num_minibatches": 3, "update_epochs": 2, "sequence_length": 8},
    "execution": {"threads": 1, "lane_copies": 7, "shard_rows": 50},
}


STARTS = {
    **PROSPECTOR,
    "starts": {"every_decisions": 5, "library_size": 30, "ordinary_share": 0.3, "sampling": "advantage"},
}
SETTINGS = {"prospector": PROSPECTOR, "recall": RECALL, "starts": STARTS}


def source_of(kind: str) -> TrainingEnvs:
    if kind == "recall":
        return Recall(COPIES)
    return diorama.make("prospector", copies=COPIES, config={"reward_profile": "v2", "time_max": 60}, seed=11)


def trainer_of(kind: str, *, threads: int = 1, callback: RecordingCallback | None = None) -> Trainer:
    chosen = SETTINGS[kind]
    execution = {**chosen["execution"], "threads": threads}  # type: ignore[dict-item]
    settings = TrainerSettings.model_validate({**chosen, "execution": execution})
    return Trainer(source_of(kind), settings, seed=5, callbacks=[callback or RecordingCallback()])


def assert_same(one: TrainerState, other: TrainerState) -> None:
    assert one.values == other.values
    assert one.snapshots == other.snapshots
    assert one.tensors.keys() == other.tensors.keys()
    for name, tensor in one.tensors.items():
        assert tensor.dtype == other.tensors[name].dtype, name
        assert tensor.numpy().tobytes() == other.tensors[name].numpy().tobytes(), name


def save(state: TrainerState, folder: Path) -> None:
    torch.save(state.tensors, folder / "tensors.pt")
    (folder / "values.json").write_text(json.dumps(state.values))
    for copy, data in enumerate(state.snapshots):
        (folder / f"{copy}.snapshot").write_bytes(data)


def load(folder: Path) -> TrainerState:
    return TrainerState(
        tensors=torch.load(folder / "tensors.pt", weights_only=True),
        values=json.loads((folder / "values.json").read_text()),
        snapshots=[(folder / f"{copy}.snapshot").read_bytes() for copy in range(COPIES)],
    )


KINDS = pytest.mark.parametrize("kind", ["prospector", "starts", pytest.param("recall", marks=pytest.mark.slow)])


@KINDS
def test_the_number_of_threads_changes_nothing(kind: str) -> None:
    states, reports = [], []
    for threads in (1, 2, 5):
        callback = RecordingCallback()
        trainer = trainer_of(kind, threads=threads, callback=callback)
        trainer.run(3 * STEPS_PER_UPDATE)
        states.append(trainer.state())
        reports.append([(report.loss_total, report.grad_norm, report.approx_kl) for report in callback.reports])
        trainer.close()

    assert_same(states[0], states[1])
    assert_same(states[0], states[2])
    assert reports[0] == reports[1] == reports[2]


@KINDS
def test_torchs_own_number_of_threads_changes_nothing_and_is_left_alone(kind: str) -> None:
    before = torch.get_num_threads()
    states = []
    for torch_threads in (1, 2):
        torch.set_num_threads(torch_threads)
        trainer = trainer_of(kind)
        trainer.run(2 * STEPS_PER_UPDATE)
        states.append(trainer.state())
        assert torch.get_num_threads() == torch_threads
    torch.set_num_threads(before)

    assert_same(states[0], states[1])


def test_another_seed_gives_another_run() -> None:
    settings = TrainerSettings.model_validate(RECALL)
    weights = []
    for seed in (1, 2):
        trainer = Trainer(Recall(COPIES), settings, seed=seed, callbacks=[RecordingCallback()])
        trainer.run(STEPS_PER_UPDATE)
        weights.append(trainer.state().tensors["model_state_dict.value_head.weight"])

    assert not torch.equal(*weights)


@KINDS
def test_a_run_continued_in_another_process_equals_one_that_never_stopped(kind: str, tmp_path: Path) -> None:
    callback = RecordingCallback()
    uninterrupted = trainer_of(kind, callback=callback)
    uninterrupted.run(5 * STEPS_PER_UPDATE)
    first = trainer_of(kind)
    first.run(2 * STEPS_PER_UPDATE)
    save(first.state(), tmp_path)

    subprocess.run([sys.executable, "-m", "tests.learn.test_reproducibility", kind, str(tmp_path)], check=True)

    assert_same(uninterrupted.state(), load(tmp_path))
    reports = json.loads((tmp_path / "reports.json").read_text())
    assert reports == [[report.loss_total, report.entropy, report.ticks_total] for report in callback.reports[2:]]


def continue_run(kind: str, folder: Path) -> None:
    callback = RecordingCallback()
    trainer = trainer_of(kind, threads=2, callback=callback)
    trainer.load_state(load(folder))
    trainer.run(5 * STEPS_PER_UPDATE)
    save(trainer.state(), folder)
    reports = [[report.loss_total, report.entropy, report.ticks_total] for report in callback.reports]
    (folder / "reports.json").write_text(json.dumps(reports))


if __name__ == "__main__":
    continue_run(sys.argv[1], Path(sys.argv[2]))
