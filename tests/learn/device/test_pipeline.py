"""Copies that step beside a device: the same decisions and the same learning as lane by lane, led by one or many."""

from typing import Any

import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.learn.settings import TrainerSettings
from diorama.learn.trainer import Trainer
from tests.learn.listening import Ear
from tests.learn.toys import Corridor, Recall, Salary, ToySource

COPIES, STEPS, UPDATES = 12, 8, 4
SETTINGS: dict[str, Any] = {
    "policy": {"arch": "mlp-8-tanh-v1"},
    "ppo": {"rollout_steps": STEPS, "num_minibatches": 3, "update_epochs": 2},
    "optimizer": {"learning_rate": {"start": 1e-2, "end": 0.0, "env_steps": 2000}},
    "normalization": {"observations": True, "rewards": "return_std", "values": True},
}
LANES = {"threads": 1, "lane_copies": 5, "shard_rows": 10_000, "native": False}
SLICES = {"threads": 1, "lane_copies": 5, "pipeline": True}


def opened(source: ToySource, execution: dict[str, Any], **others: Any) -> tuple[Trainer, Ear]:
    ear = Ear()
    settings = TrainerSettings.model_validate({**SETTINGS, **others, "execution": execution})
    return Trainer(source, settings, seed=5, callbacks=[ear]), ear


def trained(
    source: ToySource, execution: dict[str, Any], *, updates: int = UPDATES, **others: Any
) -> tuple[Trainer, Ear]:
    trainer, ear = opened(source, execution, **others)
    trainer.train_until(updates * COPIES * STEPS)
    trainer.close()
    return trainer, ear


def weights(trainer: Trainer) -> torch.Tensor:
    return torch.cat([tensor.detach().flatten() for tensor in trainer.policy.parameters()])


@pytest.mark.parametrize(
    ("source", "others"),
    [
        pytest.param(Corridor, {}, id="single-decisions"),
        pytest.param(Corridor, {"ppo": {**SETTINGS["ppo"], "shuffle": "blocks"}}, id="blocks"),
        pytest.param(Salary, {}, id="cut-off-episodes"),
        pytest.param(
            Recall,
            {"policy": {"arch": "mingru-8-v1"}, "ppo": {**SETTINGS["ppo"], "sequence_length": 4}},
            id="memory",
        ),
        pytest.param(Corridor, {"ppo": {**SETTINGS["ppo"], "target_kl": 1e-9}}, id="passes-that-stop"),
    ],
)
def test_slices_decide_and_learn_as_lanes_do(source: type[ToySource], others: dict[str, Any]) -> None:
    by_lanes, heard = trained(source(COPIES), LANES, **others)
    by_slices, heard_too = trained(source(COPIES), SLICES, **others)

    assert heard_too.mean_rewards == heard.mean_rewards
    assert [report.epochs_done for report in heard_too.reports] == [report.epochs_done for report in heard.reports]
    assert by_slices.agent_steps_total == by_lanes.agent_steps_total
    torch.testing.assert_close(weights(by_slices), weights(by_lanes), rtol=0, atol=2e-6)


def test_it_does_not_matter_how_many_threads_lead_the_slices() -> None:
    alone, _ = trained(Recall(COPIES), SLICES, policy={"arch": "mingru-8-v1"})
    together, _ = trained(Recall(COPIES), {**SLICES, "threads": 3}, policy={"arch": "mingru-8-v1"})

    assert weights(alone).equal(weights(together))


def test_a_policy_with_memory_learns_alike_from_recorded_and_from_single_steps() -> None:
    ppo = {**SETTINGS["ppo"], "sequence_length": 4}
    recorded, heard = trained(Recall(COPIES), SLICES, policy={"arch": "mingru-8-v1"}, ppo=ppo)
    # Whether a step may be skipped must be looked at, so nothing is recorded.
    singly, heard_too = trained(Recall(COPIES), SLICES, policy={"arch": "mingru-8-v1"}, ppo={**ppo, "skips_allowed": 1})

    assert heard_too.mean_rewards == heard.mean_rewards
    torch.testing.assert_close(weights(singly), weights(recorded), rtol=0, atol=2e-6)


def test_a_pipelined_run_continues_bit_for_bit() -> None:
    whole, _ = trained(Recall(COPIES), SLICES, policy={"arch": "mingru-8-v1"})
    first, _ = trained(Recall(COPIES), SLICES, updates=2, policy={"arch": "mingru-8-v1"})
    second, _ = trained(Recall(COPIES), SLICES, updates=0, policy={"arch": "mingru-8-v1"})

    second.load_state(first.state())
    second.train_until(UPDATES * COPIES * STEPS)

    assert weights(second).equal(weights(whole))


def test_with_overlap_decisions_are_one_update_old_and_every_rollout_is_learned_from_once() -> None:
    strict, heard = trained(Corridor(COPIES), SLICES)
    overlapping, heard_too = trained(Corridor(COPIES), {**SLICES, "overlap": True})

    assert heard_too.steps == heard.steps == UPDATES * STEPS
    assert overlapping.env_steps_total == strict.env_steps_total
    # The first two rollouts are decided by the first weights; the second is told with the second update.
    assert heard_too.mean_rewards[0] == heard.mean_rewards[0]
    assert heard_too.reports[0].loss_policy == heard.reports[0].loss_policy
    assert heard_too.reports[1].approx_kl > heard.reports[1].approx_kl


def test_an_overlapping_run_goes_on_from_a_saved_state() -> None:
    saved, _ = trained(Corridor(COPIES), {**SLICES, "overlap": True}, updates=3)
    second, heard = opened(Corridor(COPIES), {**SLICES, "overlap": True})
    second.train_until(COPIES * STEPS)

    second.load_state(saved.state())
    second.train_until(6 * COPIES * STEPS)
    second.close()

    assert second.updates == 6
    assert heard.steps == 4 * STEPS


def test_overlap_without_a_pipeline_is_refused() -> None:
    with pytest.raises(ValueError, match=r"execution\.overlap needs execution\.pipeline"):
        TrainerSettings.model_validate({"execution": {"overlap": True}})


def test_snapshots_of_other_copies_are_refused() -> None:
    trainer, _ = trained(Corridor(COPIES), SLICES, updates=1)
    other, _ = trained(Corridor(COPIES - 1), SLICES, updates=1)

    with pytest.raises(ConfigError, match="11 snapshots for 12 copies"):
        trainer.load_state(other.state())
