"""The host's part of rollouts on a device."""

from typing import Any

import pytest
import torch

from diorama.contracts.training_reports import StepView
from diorama.learn.collector import rollout_shape
from diorama.learn.cuda.rollouts import STEP_INPUTS, DeviceRollout
from diorama.learn.policies.policy import build_policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor

COPIES, STEPS = 12, 8
SETTINGS: dict[str, Any] = {"policy": {"arch": "mlp-8-tanh-v1"}, "ppo": {"rollout_steps": STEPS, "num_minibatches": 3}}


class ObservationRecorder(RecordingCallback):
    """Records the observations of every step."""

    def __init__(self) -> None:
        super().__init__()
        self.observations: list[torch.Tensor] = []

    def on_step(self, step: StepView) -> None:
        super().on_step(step)
        self.observations.append(torch.from_numpy(step.obs().copy()))


def observations(**execution: Any) -> torch.Tensor:
    recorder = ObservationRecorder()
    settings = TrainerSettings.model_validate({**SETTINGS, "execution": {"threads": 1, "native": False, **execution}})
    trainer = Trainer(Corridor(COPIES), settings, seed=5, callbacks=[recorder])
    trainer.run(2 * COPIES * STEPS)
    trainer.close()
    return torch.stack(recorder.observations)


def rollout(twin: DeviceRollout | None = None) -> DeviceRollout:
    settings = TrainerSettings.model_validate(SETTINGS)
    envs = Corridor(COPIES)
    shape = rollout_shape(envs, build_policy(envs.spec, settings, seed=1), settings)
    return DeviceRollout(shape, torch.device("cpu"), twin)


def test_the_host_holds_one_step_of_the_inputs() -> None:
    found = rollout()

    assert all(len(found.host[name]) == COPIES for name in STEP_INPUTS)
    assert len(found.inputs["obs"]) == STEPS + 1
    found.buffers(0, 0, COPIES).obs[:] = 3.0
    assert (found.buffers(5, 0, COPIES).obs == 3.0).all()


def test_twin_rollouts_share_only_the_current_step() -> None:
    first = rollout()
    second = rollout(first)

    assert all(second.host[name] is first.host[name] for name in STEP_INPUTS)
    assert second.host["rewards"] is not first.host["rewards"]
    assert second.memory is first.memory
    assert second.inputs["obs"] is not first.inputs["obs"]


@pytest.mark.parametrize("threads", [1, 3])
def test_callbacks_get_the_observations_of_every_step(threads: int) -> None:
    assert torch.equal(observations(pipeline=True, lane_copies=5, threads=threads), observations(lane_copies=5))
