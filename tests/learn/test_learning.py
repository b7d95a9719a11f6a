"""Worlds with a known solution are solved."""

import pytest

import diorama
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor, Cues, Picture, Recall, ToyEnvs, Workshop

QUICK = {"rollout_steps": 16, "num_minibatches": 2, "update_epochs": 2, "gamma": 0.95}
FAST_ADAM = {"learning_rate": 5e-3}
THREADS = {"threads": 2, "lane_copies": 32, "shard_rows": 256}

WORKSHOP_HEADS = {
    "slot": {
        "inputs": ("op",),
        "hidden": (8,),
        "relevance": {"given": "op", "options": ("op1", "op2")},
        "placeholder": "slot0",
        "conditional_mask": {"given": "op", "extra": "slot_by_op"},
        "exploration": 0.05,
    },
    "op": {"exploration": 0.1},
}


@pytest.mark.parametrize(
    ("envs", "changes", "updates", "wanted"),
    [
        pytest.param(Cues(64), {"policy": {"arch": "mlp-32-tanh-v1"}}, 40, 0.9, id="factored-heads"),
        pytest.param(
            Cues(64),
            {"policy": {"arch": "mlp-32-relu-separate-v1"}, "ppo": {**QUICK, "ratio": "per_head"}},
            40,
            0.9,
            id="a-ratio-per-head",
        ),
        pytest.param(Corridor(64), {"policy": {"arch": "mlp-32-relu-v1"}}, 40, 0.11, id="masked-corridor"),
        pytest.param(Recall(64), {"policy": {"arch": "mingru-16-v1"}}, 60, 0.22, id="mingru-remembers"),
        pytest.param(
            Recall(64), {"policy": {"arch": "lstm-16-v1"}}, 60, 0.22, id="lstm-remembers", marks=pytest.mark.slow
        ),
        pytest.param(Picture(64), {"policy": {"arch": "cnn-v1"}}, 8, 0.9, id="pixels"),
        pytest.param(
            Workshop(64),
            {
                "policy": {"arch": "mlp-16-relu-v1", "heads": WORKSHOP_HEADS},
                "ppo": {**QUICK, "ratio": "per_head", "normalized_entropy": True, "forced_policy_weight": 0.0},
            },
            40,
            0.85,
            id="dependent-heads-with-conditional-masks",
        ),
    ],
)
def test_a_small_world_is_solved(envs: ToyEnvs, changes: dict[str, object], updates: int, wanted: float) -> None:
    settings = TrainerSettings.model_validate({"ppo": QUICK, "optimizer": FAST_ADAM, "execution": THREADS, **changes})
    callback = RecordingCallback()
    trainer = Trainer(envs, settings, seed=1, callbacks=[callback])

    trainer.run(updates * 16 * envs.copies)

    assert callback.mean_rewards[-1] >= wanted
    assert callback.mean_rewards[0] < wanted
    trainer.close()


def test_a_policy_without_memory_cannot_recall() -> None:
    callback = RecordingCallback()
    settings = TrainerSettings.model_validate(
        {"ppo": QUICK, "optimizer": FAST_ADAM, "execution": THREADS, "policy": {"arch": "mlp-16-relu-v1"}}
    )
    trainer = Trainer(Recall(64), settings, seed=1, callbacks=[callback])

    trainer.run(60 * 16 * 64)

    assert callback.mean_rewards[-1] < 0.15
    trainer.close()


@pytest.mark.slow
def test_the_return_of_a_real_world_improves() -> None:
    callback = RecordingCallback()
    batch = diorama.make("prospector", copies=128, config={"reward_profile": "v2"}, seed=3, threads=1)
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": "mlp-64-tanh-v1"},
            "ppo": {"rollout_steps": 32, "num_minibatches": 4, "update_epochs": 1},
            "optimizer": {"learning_rate": 2e-3},
            "execution": {"threads": 2, "lane_copies": 64},
        }
    )
    trainer = Trainer(batch, settings, seed=1, callbacks=[callback])

    trainer.run(200_000)

    first, last = callback.mean_rewards[:12], callback.mean_rewards[-12:]
    assert sum(last) / 12 > sum(first) / 12 + 0.02
    trainer.close()
