"""Rollout buffers: shared memory, time order, bootstrap values and recurrent states."""

import numpy as np
import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.values import I32
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from diorama.learn.collector import Collector
from diorama.learn.experience import sequence_count, sequence_decisions
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings, TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from tests.learn.toys import Corridor, Recall, Salary, ToyEnvs

PARAMS = SamplingParams(seed=1, update=0, exploration=(0.0,), use_masks=False)


def collected(envs: ToyEnvs, arch: str, steps: int = 16) -> tuple[Collector, Policy]:
    settings = TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {"rollout_steps": steps, "sequence_length": steps // 2},
            "execution": {"threads": 1, "lane_copies": 3},
        }
    )
    policy = Policy(envs.spec, settings.policy, settings.normalization, seed=1)
    collector = Collector(envs, policy, settings, Workers(1))
    collector.reset()
    collector.collect(policy, PARAMS)
    return collector, policy


def test_the_buffers_of_a_step_share_memory_with_the_rollout() -> None:
    shape = RolloutShape(spec=Corridor.spec, copies=5, steps=4, sequence_length=1, memory_width=0, extras={})
    rollout = RolloutBuffer(shape, torch.device("cpu"))

    buffers = rollout.buffers(3, first_copy=2, copies=2)
    buffers.check(Corridor.spec, 2)
    buffers.obs[:] = 7.0

    assert rollout.host["obs"][3, 2:4].eq(7.0).all()
    assert rollout.host["obs"].sum() == 7.0 * 2 * 8
    assert rollout.inputs["obs"] is rollout.host["obs"]
    assert np.shares_memory(buffers.final_obs, rollout.buffers(0, 2, 2).final_obs)


def test_every_step_holds_the_observation_and_the_outcome_of_the_step_before() -> None:
    collector, _ = collected(Salary(8), "mlp-8-tanh-v1")
    host = collector.rollout.host

    assert host["metrics"][1:, 0, 0].tolist() == [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 1, 2]
    assert host["truncated"][:, 0].nonzero()[:, 0].tolist() == [7, 14]
    assert host["episode_start"][:, 0].nonzero()[:, 0].tolist() == [0, 7, 14]


def test_only_truncated_steps_have_a_bootstrap_value_that_of_the_final_observation() -> None:
    collector, policy = collected(Salary(8), "mlp-8-tanh-v1")
    rollout = collector.rollout

    truncated = rollout.host["truncated"][1:] != 0
    value = rollout.values[0, 0]
    torch.testing.assert_close(rollout.bootstrap[truncated], value.expand(int(truncated.sum())))
    assert (rollout.bootstrap[~truncated] == 0).all()
    assert rollout.values.shape == (17, 8)
    torch.testing.assert_close(rollout.values, value.expand(17, 8))
    assert policy.memory_width == 0


class Patience(Recall):
    """Truncated before the cue is asked for."""

    def advance(self, actions: I32, buffers: Buffers) -> None:
        buffers.truncated[:] = self.steps > self.delay


def test_the_bootstrap_value_uses_the_recurrent_state_of_the_truncated_episode() -> None:
    collector, policy = collected(Patience(6), "mingru-8-v1")
    rollout = collector.rollout
    step = 3

    with torch.no_grad():
        features, memory = policy.features(
            rollout.host["obs"][: step + 1].flatten(0, 1),
            rollout.host["obs_u8"][: step + 1].flatten(0, 1),
            torch.zeros(6, policy.memory_width),
            rollout.host["episode_start"][: step + 1],
        )
        final_obs = rollout.host["final_obs"]  # the same at every truncation of this world
        no_bytes = torch.zeros(6, 0, dtype=torch.uint8)
        after, _ = policy.features(final_obs, no_bytes, memory, torch.zeros(1, 6))

    assert rollout.host["truncated"][step + 1].all()
    torch.testing.assert_close(policy.values(features).view(step + 1, 6), rollout.values[: step + 1])
    torch.testing.assert_close(policy.values(after), rollout.bootstrap[step])


def test_the_recurrent_state_is_stored_at_the_start_of_each_sequence() -> None:
    collector, policy = collected(Recall(6), "mingru-8-v1")
    rollout = collector.rollout

    with torch.no_grad():
        _, memory = policy.features(
            rollout.host["obs"][:8].flatten(0, 1),
            rollout.host["obs_u8"][:8].flatten(0, 1),
            rollout.chunk_memory[0],
            rollout.host["episode_start"][:8],
        )

    assert rollout.chunk_memory.shape == (2, 6, 8)
    assert (rollout.chunk_memory[0] == 0).all()
    torch.testing.assert_close(rollout.chunk_memory[1], memory)


def test_the_next_rollout_starts_where_the_last_one_ended() -> None:
    collector, policy = collected(Corridor(8), "mlp-8-tanh-v1")
    rollout = collector.rollout
    last = {name: rollout.host[name][-1].clone() for name in ("obs", "masks", "alive", "episode_start")}

    rollout.carry_last_step()

    for name, array in last.items():
        assert torch.equal(rollout.host[name][0], array), name
    collector.collect(policy, PARAMS)
    assert torch.equal(rollout.host["obs"][0], last["obs"])


def test_sequences_cover_every_decision_once() -> None:
    steps, rows, length = 12, 5, 4
    count = sequence_count(steps, rows, length)

    indices = sequence_decisions(torch.arange(count), rows=rows, length=length)

    assert count == 15
    assert indices.shape == (length, count)
    assert sorted(indices.flatten().tolist()) == list(range(steps * rows))
    # Sequence 7 is chunk 1 of row 2: decisions of row 2 at steps 4 to 7.
    assert indices[:, 7].tolist() == [4 * rows + 2, 5 * rows + 2, 6 * rows + 2, 7 * rows + 2]


def test_shards_of_any_size_hold_the_same_copies() -> None:
    starts = []
    for lane_copies in (2, 8):
        settings = TrainerSettings.model_validate(
            {"ppo": {"rollout_steps": 2}, "execution": {"threads": 1, "lane_copies": lane_copies}}
        )
        policy = Policy(Recall.spec, PolicySettings(arch="mlp-8-tanh-v1"), NormalizationSettings(), seed=1)
        collector = Collector(Recall(8), policy, settings, Workers(1))
        collector.reset()
        starts.append(collector.rollout.host["obs"][0].clone())

    assert torch.equal(*starts)
