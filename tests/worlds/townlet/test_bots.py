import numpy as np
import pytest

import diorama
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
        advice = batch.expert_actions()
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


def test_the_scripted_bot_finds_its_way_where_it_chooses_primitives() -> None:
    config = {
        "policy_runtime": {"action_level": "primitive"},
        "world": {"seats": 8},
        "perturbations": {"enabled": False},
        "features": {"systems": {"observations": "compact"}},
        "observations": {"compact": {"map_window": 0}},
    }
    batch = diorama.make("townlet", seed=3, config=config)
    batch.reset()
    bots = [BOTS["scripted"]() for _ in range(8)]
    for _ in range(700):
        rows = [bot.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) for row, bot in enumerate(bots)]
        assert all(batch.masks[row, action] for row, (action,) in enumerate(rows))
        batch.step(np.array(rows, np.int32))

    metrics = dict(zip(batch.spec.metric_keys, batch.metrics.mean(axis=0).tolist(), strict=True))
    assert not batch.terminated.any()
    # Who stands still has needs of 0.1 by now, and was never at work.
    assert metrics["mean_need"] > 0.3
    assert metrics["wages_earned"] > 0.0
