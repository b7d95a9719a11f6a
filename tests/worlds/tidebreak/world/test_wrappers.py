from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_sb3_env

from diorama.engine.adapters.gymnasium_env import DioramaEnv
from diorama.worlds.tidebreak.contract import (
    EmissionsOrder,
    Head,
    LayerOrder,
    SupportOrder,
    WeaponOrder,
)
from diorama.worlds.tidebreak.wrappers import FlatContinuous, FlatDiscrete, OrderDictionary
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish
from tests.worlds.tidebreak.world.plain_ppo import Agent, train


def env(tier: str = "reference", **config: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make("diorama/Tidebreak-v1", tier=tier, config={"package": skirmish(), **config}).unwrapped


def test_the_plain_environment_passes_both_checkers() -> None:
    made = gymnasium.make(
        "diorama/Tidebreak-v1", tier="reference", config={"package": skirmish()}, render_mode="rgb_array"
    ).unwrapped

    check_env(made)
    check_sb3_env(made)


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version.*")
@pytest.mark.parametrize("wrapper", [FlatContinuous, FlatDiscrete, OrderDictionary])
def test_wrappers_pass_gymnasiums_checker(wrapper: type[gymnasium.ActionWrapper[Any, Any, Any]]) -> None:
    check_env(wrapper(env()), skip_render_check=True)


def test_a_box_becomes_a_decision() -> None:
    wrapped = FlatContinuous(env())
    wrapped.reset(seed=1)

    decision = wrapped.action(np.array([0.9, -0.05, -1.0, -1.0, -1.0, -1.0, -0.9, 1.0], np.float32))
    fire = wrapped.action(np.array([-1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.9, -1.0], np.float32))

    assert decision.tolist()[:4] == [5, 3, LayerOrder.DOWN, EmissionsOrder.ACTIVE]
    assert decision[Head.WEAPON] == WeaponOrder.HOLD
    assert fire.tolist()[:5] == [0, 6, LayerOrder.UP, EmissionsOrder.SILENT, WeaponOrder.FREE]


def test_a_flat_action_is_helm_and_one_order() -> None:
    wrapped = FlatDiscrete(env())
    wrapped.reset(seed=1)

    slow_right_gun = wrapped.action(1)
    flank_left_toggle = wrapped.action(71)

    assert isinstance(wrapped.action_space, gymnasium.spaces.Discrete)
    assert wrapped.action_space.n == 72
    assert slow_right_gun.tolist()[:5] == [2, 0, 0, 0, WeaponOrder.GUN]
    assert flank_left_toggle.tolist()[:5] == [6, 6, 0, EmissionsOrder.ACTIVE, 0]
    assert wrapped.action_masks().shape == (72,)
    assert wrapped.action_masks()[0::8].all()


def test_orders_by_name() -> None:
    wrapped = OrderDictionary(env())
    wrapped.reset(seed=1)

    decision = wrapped.action({"throttle": -1.0, "fire_torpedo": 1, "submerge": 1, "support": SupportOrder.DECOY})

    assert decision.tolist() == [0, 3, LayerOrder.DOWN, 0, WeaponOrder.TORPEDO, 0, SupportOrder.DECOY]
    with pytest.raises(ValueError, match="no order 'dive'; there are: "):
        wrapped.action({"dive": 1})


def test_a_sunk_ships_last_step_lasts_until_the_battle_ends() -> None:
    made = env(seats=1)
    assert isinstance(made, DioramaEnv)
    _, info = made.reset(seed=3)
    noop = np.array(made.contract.noop, np.int32)
    steps = 0

    while True:
        _, _, terminated, truncated, info = made.step(noop)
        steps += 1
        if terminated or truncated:
            break

    assert steps <= LIMIT_S
    assert info["tick"] == LIMIT_S
    assert set(info) >= {"tick", "reward_components", "invalid", "events", "battle_result", "win", "cost_margin"}


def test_a_frame_is_what_the_seat_may_see() -> None:
    made = gymnasium.make(
        "diorama/Tidebreak-v1", tier="reference", config={"package": skirmish()}, render_mode="frame"
    ).unwrapped
    made.reset(seed=1)

    frame: Any = made.render()

    assert frame["view"] == "blue"


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["ppo", "maskable"])
def test_stable_baselines_learns_from_it(algorithm: str) -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3 import PPO

    if algorithm == "ppo":
        model: Any = PPO("MlpPolicy", FlatContinuous(env("auto")), n_steps=256, batch_size=64, device="cpu")
    else:
        model = MaskablePPO("MlpPolicy", env("auto"), n_steps=256, batch_size=64, device="cpu")

    model.learn(total_timesteps=5_000)

    assert model.num_timesteps >= 5_000


@pytest.mark.slow
def test_a_plain_loop_over_a_vector_environment_learns_from_it() -> None:
    envs = gymnasium.make_vec(
        "diorama/Tidebreak-v1", num_envs=4, tier="auto", config={"package": skirmish()}, threads=1
    )
    space = envs.single_action_space
    assert isinstance(space, gymnasium.spaces.MultiDiscrete)
    assert isinstance(envs.single_observation_space, gymnasium.spaces.Box)
    torch.manual_seed(0)
    agent = Agent(envs.single_observation_space.shape[0], space.nvec.tolist())
    before = [values.clone() for values in agent.parameters()]

    losses = train(envs, agent, steps=5_120, rollout_steps=64, seed=1)

    assert len(losses) == 20
    assert np.isfinite(losses).all()
    assert all((values != old).any() for values, old in zip(agent.parameters(), before, strict=True))
