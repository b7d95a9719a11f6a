"""Keys that an environment does not let through: masked, and without effect where they are pressed all the same."""

from typing import Any

import numpy as np
import pytest
import torch

from diorama.contracts.errors import ConfigError
from diorama.worlds.gameboy.bots.floor import RandomKeys
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.device import DeviceEnv
from tests.worlds.gameboy.envs.batches import SHORT, WORLD, opened, play

B, DOWN, RIGHT = 2, 5, 7
WALKING = ("NOOP", "UP", "DOWN", "LEFT", "RIGHT")
TASK: dict[str, Any] = {"rom": "KEYDOOR", "kind": "gb_tasks", "keys": WALKING}


def test_the_mask_tells_the_keys_and_the_others_press_nothing() -> None:
    batch = opened(1, **TASK)
    assert batch.spec.has_mask
    assert batch.masks.tolist() == [[1, 0, 0, 0, 1, 1, 1, 1]]

    play(batch, [DOWN, DOWN, RIGHT])
    place = batch.render_state(0)["watch"]
    play(batch, [B])  # starts the game again where it is let through

    assert batch.render_state(0)["watch"] == place
    assert batch.step_record(0).received == ((B,),)
    assert batch.step_record(0).effective == ((0,),)
    assert batch.masks.tolist() == [[1, 0, 0, 0, 1, 1, 1, 1]]


def test_without_a_choice_of_keys_all_of_them_are_pressed() -> None:
    batch = opened(1, rom="KEYDOOR", kind="gb_tasks")
    at_first = batch.render_state(0)["watch"]

    play(batch, [DOWN, DOWN, RIGHT])
    play(batch, [B, 0, 0, 0, 0, 0, 0])

    assert not batch.spec.has_mask
    assert batch.render_state(0)["watch"] == at_first


def test_both_tiers_let_the_same_keys_through() -> None:
    batch = opened(1, **TASK)
    simulation = WORLD.simulate(GameboyConfig.model_validate({**SHORT, **TASK}))
    simulation.reset(batch.episode_seed(0))
    masks = np.zeros((1, 8), np.uint8)

    for key in (DOWN, B, RIGHT):
        batch.step([key])
        assert simulation.step([(key,)]) == batch.step_record(0)

    simulation.write_masks(masks)
    assert masks.tolist() == batch.masks.tolist()


def test_an_environment_of_tensors_lets_the_same_keys_through() -> None:
    config = GameboyConfig.model_validate({**SHORT, **TASK})
    env = DeviceEnv.open_env(config, 2, backend="rust", info="none", validate_actions=False)
    env.reset(seed=1)
    batch = opened(1, **TASK)

    for keys in ([DOWN, DOWN], [B, 99], [B, -1], [RIGHT, RIGHT]):
        seen, *_ = env.step(torch.tensor(keys, dtype=torch.int32))
        batch.step([keys[0]])
        assert isinstance(seen, dict)
        np.testing.assert_array_equal(seen["pixels"][0].numpy().reshape(-1), batch.obs_u8[0])
        torch.testing.assert_close(seen["pixels"][0], seen["pixels"][1])


def test_random_keys_are_drawn_among_those_let_through() -> None:
    batch = opened(1, **TASK)
    bot = RandomKeys()

    drawn = {bot.act(batch.obs[0], batch.obs_u8[0], batch.masks[0])[0] for _ in range(200)}

    assert drawn == {0, 4, 5, 6, 7}


@pytest.mark.parametrize(
    ("keys", "message"),
    [(["UP"], "NOOP must be among them"), (["NOOP", "SELECT"], "keys names 'SELECT'; keys are: NOOP, A, B")],
)
def test_keys_that_make_no_sense_are_refused(keys: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        opened(1, rom="KEYDOOR", kind="gb_tasks", keys=keys)
