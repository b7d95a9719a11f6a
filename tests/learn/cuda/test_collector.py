"""The pipeline for a device: the same actions and the same learning as on the host, with any number of threads."""

from typing import Any

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.recording_callback import RecordingCallback
from tests.learn.toys import Corridor, Recall, Salary, ToyEnvs
from tests.refusals import refused

COPIES, STEPS, UPDATES = 12, 8, 4
SETTINGS: dict[str, Any] = {
    "policy": {"arch": "mlp-8-tanh-v1"},
    "ppo": {"rollout_steps": STEPS, "num_minibatches": 3, "update_epochs": 2},
    "optimizer": {"learning_rate": {"start": 1e-2, "end": 0.0, "env_steps": 2000}},
    "normalization": {"observations": True, "rewards": "return_std", "values": True},
}
HOST = {"threads": 1, "lane_copies": 5, "shard_rows": 10_000, "native": False}
PIPELINE = {"threads": 1, "lane_copies": 5, "pipeline": True}


def opened(envs: ToyEnvs, execution: dict[str, Any], **others: Any) -> tuple[Trainer, RecordingCallback]:
    callback = RecordingCallback()
    settings = TrainerSettings.model_validate({**SETTINGS, **others, "execution": execution})
    return Trainer(envs, settings, seed=5, callbacks=[callback]), callback


def trained(
    envs: ToyEnvs, execution: dict[str, Any], *, updates: int = UPDATES, **others: Any
) -> tuple[Trainer, RecordingCallback]:
    trainer, callback = opened(envs, execution, **others)
    trainer.run(updates * COPIES * STEPS)
    trainer.close()
    return trainer, callback


def weights(trainer: Trainer) -> torch.Tensor:
    return torch.cat([tensor.detach().flatten() for tensor in trainer.policy.parameters()])


@pytest.mark.parametrize(
    ("envs", "others"),
    [
        pytest.param(Corridor, {}, id="single-decisions"),
        pytest.param(Corridor, {"ppo": {**SETTINGS["ppo"], "shuffle": "blocks"}}, id="blocks"),
        pytest.param(Salary, {}, id="truncated-episodes"),
        pytest.param(
            Recall,
            {"policy": {"arch": "mingru-8-v1"}, "ppo": {**SETTINGS["ppo"], "sequence_length": 4}},
            id="memory",
        ),
        pytest.param(Corridor, {"ppo": {**SETTINGS["ppo"], "target_kl": 1e-9}}, id="early-stop"),
    ],
)
def test_the_pipeline_acts_and_learns_as_the_host_does(envs: type[ToyEnvs], others: dict[str, Any]) -> None:
    on_host, expected = trained(envs(COPIES), HOST, **others)
    pipelined, callback = trained(envs(COPIES), PIPELINE, **others)

    assert callback.mean_rewards == expected.mean_rewards
    assert [report.epochs_done for report in callback.reports] == [report.epochs_done for report in expected.reports]
    assert pipelined.agent_steps_total == on_host.agent_steps_total
    torch.testing.assert_close(weights(pipelined), weights(on_host), rtol=0, atol=2e-6)


def test_the_number_of_threads_changes_nothing() -> None:
    one, _ = trained(Recall(COPIES), PIPELINE, policy={"arch": "mingru-8-v1"})
    many, _ = trained(Recall(COPIES), {**PIPELINE, "threads": 3}, policy={"arch": "mingru-8-v1"})

    assert weights(one).equal(weights(many))


def test_a_recurrent_policy_learns_alike_with_and_without_recorded_steps() -> None:
    ppo = {**SETTINGS["ppo"], "sequence_length": 4}
    recorded, callback = trained(Recall(COPIES), PIPELINE, policy={"arch": "mingru-8-v1"}, ppo=ppo)
    # Skipping steps needs results of the device, so no graph is recorded.
    singly, other_callback = trained(
        Recall(COPIES), PIPELINE, policy={"arch": "mingru-8-v1"}, ppo={**ppo, "skips_allowed": 1}
    )

    assert other_callback.mean_rewards == callback.mean_rewards
    torch.testing.assert_close(weights(singly), weights(recorded), rtol=0, atol=2e-6)


def test_a_pipelined_run_continues_bit_for_bit() -> None:
    whole, _ = trained(Recall(COPIES), PIPELINE, policy={"arch": "mingru-8-v1"})
    first, _ = trained(Recall(COPIES), PIPELINE, updates=2, policy={"arch": "mingru-8-v1"})
    second, _ = trained(Recall(COPIES), PIPELINE, updates=0, policy={"arch": "mingru-8-v1"})

    second.load_state(first.state())
    second.run(UPDATES * COPIES * STEPS)

    assert weights(second).equal(weights(whole))


def test_with_overlap_actions_are_one_update_old_and_every_rollout_is_used_once() -> None:
    strict, callback = trained(Corridor(COPIES), PIPELINE)
    overlapping, other_callback = trained(Corridor(COPIES), {**PIPELINE, "overlap": True})

    assert other_callback.steps == callback.steps == UPDATES * STEPS
    assert overlapping.env_steps_total == strict.env_steps_total
    # The initial weights act in the first two rollouts.
    assert other_callback.mean_rewards[0] == callback.mean_rewards[0]
    assert other_callback.reports[0].loss_policy == callback.reports[0].loss_policy
    assert other_callback.reports[1].approx_kl > callback.reports[1].approx_kl


def test_an_overlapping_run_continues_from_a_saved_state() -> None:
    saved, _ = trained(Corridor(COPIES), {**PIPELINE, "overlap": True}, updates=3)
    second, callback = opened(Corridor(COPIES), {**PIPELINE, "overlap": True})
    second.run(COPIES * STEPS)

    second.load_state(saved.state())
    second.run(6 * COPIES * STEPS)
    second.close()

    assert second.updates == 6
    assert callback.steps == 4 * STEPS


def test_overlap_without_a_pipeline_is_refused() -> None:
    with pytest.raises(ValueError, match=r"execution\.overlap needs execution\.pipeline"):
        TrainerSettings.model_validate({"execution": {"overlap": True}})


def test_snapshots_of_other_copies_are_refused() -> None:
    trainer, _ = trained(Corridor(COPIES), PIPELINE, updates=1)
    other, _ = trained(Corridor(COPIES - 1), PIPELINE, updates=1)

    with refused(ConfigError, "snapshot_count_mismatch", snapshots=COPIES - 1, copies=COPIES):
        trainer.load_state(other.state())
