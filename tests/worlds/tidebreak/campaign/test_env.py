"""The campaign as a Gymnasium environment."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.worlds.tidebreak.campaign.env import CampaignEnv
from diorama.worlds.tidebreak.campaign.learning.templates import TEMPLATES
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight


def make(last_day: int = 10) -> CampaignEnv:
    return CampaignEnv(last_day=last_day, fight=quick_fight)


def test_it_passes_gymnasiums_checker_under_its_registered_name() -> None:
    env = gymnasium.make("diorama/TidebreakCampaign-v1", last_day=8, fight=quick_fight)

    check_env(env.unwrapped, skip_render_check=True)

    assert env.action_space == gymnasium.spaces.Discrete(64)
    assert env.observation_space.shape == (160,)


def test_templates_have_names_of_their_own() -> None:
    assert len({name for name, _ in TEMPLATES}) == len(TEMPLATES) == 64


def test_rewards_add_up_to_the_change_of_the_score() -> None:
    env = make()
    _, info = env.reset(seed=2)
    start, total, ended = info["score"], 0.0, False

    while not ended:
        _, reward, ended, _, info = env.step(np.int64(0))
        total += reward

    assert total == pytest.approx(info["score"] - start)
    assert info["day"] == 10
    with pytest.raises(EpisodeOver):
        env.step(np.int64(0))


def test_masked_in_orders_are_taken_and_masked_out_ones_are_waiting() -> None:
    env = make(40)
    _, info = env.reset(seed=2)
    chance = np.random.default_rng(0)

    for _ in range(30):
        allowed = chance.choice(np.flatnonzero(info["action_mask"]))
        *_, info = env.step(allowed)
        assert not info["invalid"]
    forbidden = np.flatnonzero(info["action_mask"] == 0)[0]
    *_, info = env.step(forbidden)
    assert info["invalid"]


def test_the_same_seed_gives_the_same_episode() -> None:
    rows = []
    for _ in range(2):
        env = make()
        first, _ = env.reset(seed=9)
        rows.append(np.stack([first, *(env.step(np.int64(3))[0] for _ in range(5))]))

    assert np.array_equal(rows[0], rows[1])
    assert float(np.abs(rows[0]).max()) <= 1.0


def test_it_must_be_reset_first() -> None:
    with pytest.raises(ContractError, match="call reset"):
        make().step(np.int64(0))
