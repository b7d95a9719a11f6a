import numpy as np
import pytest

import diorama
from diorama.contracts.errors import ContractError
from diorama.worlds.townlet.bots import BOTS
from diorama.worlds.townlet.bots.view import View


@pytest.mark.parametrize("ticks", [120, pytest.param(1500, marks=pytest.mark.slow)])
def test_the_scripted_bot_decides_like_the_controller(ticks: int) -> None:
    """It reads rows of float32, so a need right at its threshold may tip the other way."""
    batch = diorama.make("townlet", copies=1, seed=3, tier="reference")
    batch.reset()
    bot = BOTS["scripted"]()
    same, asked = 0, 0
    for _ in range(ticks):
        advice = batch.advise()
        deciding = np.flatnonzero((batch.masks.sum(axis=1) > 1) & (batch.alive != 0))
        for row in deciding:
            asked += 1
            same += bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) == tuple(advice[row].tolist())
        batch.step(advice)

    assert asked > ticks
    assert same / asked > 0.99


def test_a_row_is_read_in_the_units_of_the_rules() -> None:
    batch = diorama.make("townlet", seed=3, tier="reference")
    batch.reset()
    for _ in range(7):
        batch.step(np.zeros((16, 1), np.int32))

    view = View(batch.obs[0])

    assert view.tod == 7
    assert view.ticks_to_shift == 270 - 7
    assert (view.food_raw, view.home_meals) == (1, 2)
    assert 0 < view.steps_to_work < 60


@pytest.mark.parametrize("level", ["option", "primitive"])
@pytest.mark.parametrize("name", ["idle", "random_valid"])
def test_the_floor_plays_options_and_primitives(name: str, level: str) -> None:
    batch = diorama.make("townlet", seed=3, tier="reference", config={"policy_runtime": {"action_level": level}})
    batch.reset()
    bots = [BOTS[name]() for _ in range(8)]
    for bot in bots:
        bot.reset(3)
    for _ in range(10):
        rows = [bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) for row, bot in enumerate(bots)]
        assert all(batch.masks[row, action] for row, (action,) in enumerate(rows))
        batch.step(np.array([*rows, *[(0,)] * 8], np.int32))


def test_the_scripted_bot_refuses_a_town_of_primitives() -> None:
    with pytest.raises(ContractError, match="action_level to option"):
        BOTS["scripted"]().act(np.zeros(612, np.float32), np.zeros(0, np.uint8), np.ones(12, np.uint8))
