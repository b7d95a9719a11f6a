"""Half precision: training gives similar results, and saved tensors are in full precision."""

from typing import Any

import pytest
import torch

from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor

COPIES, STEPS, UPDATES = 16, 16, 24


def trained(**execution: Any) -> tuple[Trainer, RecordingCallback]:
    callback = RecordingCallback()
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-32-tanh-v1"},
            "ppo": {"rollout_steps": STEPS, "num_minibatches": 2, "update_epochs": 2},
            "optimizer": {"learning_rate": 3e-3},
            "execution": {"threads": 1, "native": False, **execution},
        }
    )
    trainer = Trainer(Corridor(COPIES), settings, seed=3, callbacks=[callback])
    trainer.run(UPDATES * COPIES * STEPS)
    trainer.close()
    return trainer, callback


@pytest.mark.parametrize("is_pipelined", [False, True], ids=["host", "pipeline"])
def test_a_run_in_half_precision_learns_what_one_in_full_precision_learns(is_pipelined: bool) -> None:
    _, in_full = trained(pipeline=is_pipelined)
    _, in_half = trained(pipeline=is_pipelined, precision="bfloat16")

    begun, learned = in_full.mean_rewards[0], sum(in_full.mean_rewards[-4:]) / 4
    assert learned > begun + 0.1
    assert in_half.reports[0].loss_value != in_full.reports[0].loss_value, "the products were not in half precision"
    assert in_half.reports[0].loss_value == pytest.approx(in_full.reports[0].loss_value, rel=0.05)
    assert sum(in_half.mean_rewards[-4:]) / 4 == pytest.approx(learned, abs=0.2 * (learned - begun))


def test_what_is_saved_of_a_run_in_half_precision_is_in_full_precision() -> None:
    trainer, _ = trained(precision="bfloat16")

    saved = trainer.state().tensors
    learned = [saved[f"model_state_dict.{name}"] for name, _ in trainer.policy.named_parameters()]
    momenta = [saved[f"optimizer_state_dict.{name}"] for name in ("exp_avg", "exp_avg_sq")]

    assert {tensor.dtype for tensor in [*learned, *momenta]} == {torch.float32}
    # Numbers of half precision have zeros in their last 16 bits; weights that were stepped in full precision have not.
    weights = torch.cat([tensor.flatten() for tensor in learned])
    assert not weights.equal(weights.bfloat16().float())
