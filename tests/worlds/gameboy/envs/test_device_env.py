"""The environment of tensors against the batch of the platform, and its own refusals."""

from typing import Any

import numpy as np
import pytest
import torch

from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.device import DeviceEnv
from diorama.worlds.gameboy.envs.seeds import lane_seed, noop_steps
from tests.worlds.gameboy.envs.batches import SHORT, opened

LANES = 5
CONFIGS: dict[str, dict[str, Any]] = {
    "goal": {"k_consecutive": 1, "tau": 0.52},
    "packed-stack": {"observation": "packed2", "stack": 3},
    "tasks": {"kind": "gb_tasks", "rom": "KEYDOOR"},
    "curriculum": {"kind": "gb_curriculum", "k_consecutive": 1, "tau": 0.56},
    "ram": {"kind": "gb_pixels", "observation": "ram_v3"},
}


def env_of(name: str = "goal", *, num_envs: int = LANES, **settings: object) -> DeviceEnv:
    config = GameboyConfig.model_validate({**SHORT, "max_steps": 9, **CONFIGS[name], **settings})
    return DeviceEnv.open_env(config, num_envs, backend="rust", info="full")


@pytest.mark.parametrize("name", CONFIGS)
def test_tensors_are_what_the_batch_computes(name: str) -> None:
    env, batch = env_of(name), opened(LANES, max_steps=9, **CONFIGS[name])
    env.reset()

    for step in range(20):
        actions = np.random.default_rng(step).integers(0, 8, LANES).astype(np.int32)
        batch.step(actions)
        obs, rewards, terminated, truncated, info = env.step(torch.from_numpy(actions))
        seen = obs["pixels"] if isinstance(obs, dict) else obs
        np.testing.assert_array_equal(rewards.numpy(), batch.rewards)
        np.testing.assert_array_equal(terminated.numpy(), batch.terminated != 0)
        np.testing.assert_array_equal(truncated.numpy(), batch.truncated != 0)
        np.testing.assert_array_equal(seen.numpy().reshape(LANES, -1), batch.obs if name == "ram" else batch.obs_u8)
        np.testing.assert_array_equal(info["dist"].numpy(), batch.metrics[:, 1])
        if isinstance(obs, dict):
            np.testing.assert_array_equal(obs["senses"].numpy(), batch.obs)
        ended = (batch.terminated | batch.truncated) != 0
        np.testing.assert_array_equal(info["reset_mask"].numpy(), ended)
        if name != "ram" and ended.any():
            final = info["final_obs"].numpy().reshape(LANES, -1)
            np.testing.assert_array_equal(final[ended], batch.final_obs_u8[ended])


def test_starts_follow_from_lane_seed_and_episode_number() -> None:
    env = env_of("ram", noop_start_max=3)
    env.reset(seed=11)

    slots = [noop_steps(lane_seed(11, lane, env.rom_sha256), 0, 3) for lane in range(LANES)]

    assert (env.host.field("frame_count") - 24).tolist() == [4 * slot for slot in slots]
    assert env.get_cpu_state(2)["cycle_count"] == env.host.field("cycle_count")[2]
    assert env.get_cpu_state(0)["flags"].keys() == {"z", "n", "h", "c"}  # type: ignore[union-attr]


def test_statistics_are_told_over_all_lanes() -> None:
    config = GameboyConfig.model_validate({**SHORT, "max_steps": 1})
    env = DeviceEnv.open_env(config, 3, backend="rust")
    env.reset()

    _, _, _, _, info = env.step(torch.zeros(3, dtype=torch.int32))

    assert float(info["trunc_rate"]) == float(info["reset_rate"]) == 1.0
    assert float(info["done_rate"]) == 0.0
    assert float(info["dist_p50"]) == pytest.approx(float(info["dist_mean"]))


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        pytest.param(torch.zeros(LANES), TypeError, "they must be torch.int32", id="type"),
        pytest.param(torch.zeros(LANES, 1, dtype=torch.int32), ValueError, r"they must be \(5,\)", id="shape"),
        pytest.param(torch.zeros(2 * LANES, dtype=torch.int32)[::2], ValueError, "contiguous", id="stride"),
        pytest.param(torch.full((LANES,), 8, dtype=torch.int32), ValueError, "outside 0..7", id="no-key"),
    ],
)
def test_wrong_actions_are_refused(actions: torch.Tensor, error: type[Exception], message: str) -> None:
    env = env_of()
    with pytest.raises(RuntimeError, match="has not been reset"):
        env.step(torch.zeros(LANES, dtype=torch.int32))
    env.reset()

    with pytest.raises(error, match=message):
        env.step(actions)


def test_a_console_can_be_looked_into_and_put_back() -> None:
    env = env_of("tasks")
    env.reset()
    saved = env.save_state(1)

    env.step(torch.full((LANES,), 7, dtype=torch.int32))
    moved = env.read_memory(1, 0xC0F0, 0xC0F2)
    env.load_state(1, saved)

    assert (moved, env.read_memory(1, 0xC0F0, 0xC0F2)) == (bytes((3, 3)), bytes((2, 3)))
    assert env.read_frame(0).shape == (72, 80)
    assert (env.num_actions, env.action_spec.options[7], env.frames_per_step) == (8, "RIGHT", 4)
    assert [item.name for item in env.obs_spec] == ["pixels", "senses"]


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["py", "warp_cpu"])
def test_every_backend_gives_the_same_tensors(backend: str) -> None:
    if backend == "warp_cpu":
        pytest.importorskip("warp")
    config = GameboyConfig.model_validate({**SHORT, "max_steps": 5, **CONFIGS["tasks"]})
    envs = [DeviceEnv.open_env(config, 3, backend=name, info="full") for name in ("rust", backend)]
    for env in envs:
        env.reset(seed=2)

    for step in range(8):
        actions = torch.from_numpy(np.random.default_rng(step).integers(0, 8, 3).astype(np.int32))
        (obs, rewards, *flags, _), (other, other_rewards, *other_flags, _) = (env.step(actions) for env in envs)
        assert isinstance(obs, dict)
        assert isinstance(other, dict)
        assert all(torch.equal(obs[name], other[name]) for name in ("pixels", "senses", "events"))
        assert torch.equal(rewards, other_rewards)
        assert all(torch.equal(flag, other_flag) for flag, other_flag in zip(flags, other_flags, strict=True))
