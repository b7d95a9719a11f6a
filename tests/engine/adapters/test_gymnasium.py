"""The Gymnasium faces, judged by Gymnasium's own checkers."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.env_checker import check_env as check_sb3_env

from diorama.contracts.errors import ConfigError, EpisodeOver
from diorama.engine.adapters.gymnasium_env import DioramaEnv
from diorama.engine.adapters.gymnasium_vector import DioramaVectorEnv
from diorama.rng import episode_seed

GYMNASIUM_ID = "diorama/Prospector-v1"


@pytest.fixture(params=["reference", "fast"])
def env(request: pytest.FixtureRequest) -> DioramaEnv:
    made = gymnasium.make(GYMNASIUM_ID, tier=request.param, info=("action_mask", "reward_terms")).unwrapped
    assert isinstance(made, DioramaEnv)
    return made


def test_the_environment_passes_gymnasiums_checker(env: DioramaEnv) -> None:
    check_env(env, skip_render_check=True)


def test_the_environment_passes_stable_baselines_checker(env: DioramaEnv) -> None:
    check_sb3_env(env)


def test_both_tiers_match_in_gymnasiums_own_comparison() -> None:
    check_environments_match(
        gymnasium.make(GYMNASIUM_ID, tier="reference"),
        gymnasium.make(GYMNASIUM_ID, tier="fast"),
        num_steps=60,
        seed=3,
    )


def test_reward_and_metrics_are_binary64(env: DioramaEnv) -> None:
    env.reset(seed=42)
    _, reward, _, _, info = env.step(0)

    assert reward == pytest.approx(-0.195404388, abs=5e-10)
    assert reward != float(np.float32(reward))
    assert sum(info["reward_terms"].values()) == pytest.approx(reward)
    assert info["fuel_used"] == pytest.approx(1000 - 953.006681, abs=1e-6)


def test_info_holds_every_key_of_the_specification(env: DioramaEnv) -> None:
    _, opening = env.reset(seed=42)
    *_, info = env.step(0)

    further = {
        "action", "action_received", "dt", "invalid_action", "terminated", "truncated", "destroyed", "stranded",
        "end_reason", "time_remaining", "ticks", "total_spend", "gross_revenue", "node_context", "seed", "events",
        "event_data", "action_mask", "reward_terms",
    }  # fmt: skip
    expected = further | set(env.contract.metric_keys)
    assert set(opening) == expected
    assert set(info) == expected
    assert (opening["action"], opening["action_received"], opening["dt"], opening["seed"]) == (-1, -1, 0, 42)
    assert (info["action"], info["dt"], info["events"]) == (0, 4, ["travel"])


def test_a_finished_episode_must_be_reset_and_shows_its_last_observation(env: DioramaEnv) -> None:
    env.reset(seed=9)
    obs, _, terminated, truncated, info = env.step(68)

    assert (terminated, truncated, info["end_reason"]) == (True, False, "cash_out")
    assert isinstance(obs, np.ndarray)
    assert obs[6] == np.float32(19999 / 20000)
    with pytest.raises(EpisodeOver, match="reset"):
        env.step(6)


def test_resets_without_a_seed_follow_the_sequence(env: DioramaEnv) -> None:
    env.reset(seed=9)
    seeds = []
    for ended in (True, False, True):
        if ended:
            env.step(68)
        seeds.append(env.reset()[1]["seed"])

    assert seeds == [episode_seed(9, 0, count) for count in (1, 2, 3)]


def test_a_snapshot_returns_to_the_moment(env: DioramaEnv) -> None:
    env.reset(seed=42)
    env.step(0)
    kept = env.snapshot()
    first = [env.step(action)[1] for action in (8, 12, 29)]

    env.restore(kept)

    assert [env.step(action)[1] for action in (8, 12, 29)] == first


def test_returned_arrays_are_copies(env: DioramaEnv) -> None:
    obs, _ = env.reset(seed=1)
    assert isinstance(obs, np.ndarray)
    kept = obs.copy()

    env.step(7)

    assert np.array_equal(obs, kept)


def test_a_number_that_is_no_integer_raises_type_error(env: DioramaEnv) -> None:
    env.reset(seed=1)

    with pytest.raises(TypeError, match="integers"):
        env.step(6.0)


def test_unknown_requests_are_refused(env: DioramaEnv) -> None:
    with pytest.raises(ConfigError, match="action_mask, reward_terms"):
        DioramaEnv("prospector", info=("mask",))
    with pytest.raises(ConfigError, match="no options"):
        env.reset(options={"node": 3})


def test_the_vector_environment_equals_single_environments() -> None:
    vector = gymnasium.make_vec(GYMNASIUM_ID, num_envs=3, vectorization_mode="vector_entry_point")
    singles = [gymnasium.make(GYMNASIUM_ID) for _ in range(3)]
    assert vector.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    obs, _ = vector.reset(seed=50)
    opened = [single.reset(seed=50 + copy)[0] for copy, single in enumerate(singles)]
    assert np.array_equal(obs, np.stack(opened))

    for actions in ([0, 6, 7], [8, 33, 68]):
        obs, rewards, terminated, _, info = vector.step(np.array(actions))
        outcomes = [single.step(action) for single, action in zip(singles, actions, strict=True)]
        assert rewards.tolist() == [float(np.float32(outcome[1])) for outcome in outcomes]
        assert terminated.tolist() == [outcome[2] for outcome in outcomes]

    assert terminated.tolist() == [False, False, True]
    assert np.array_equal(info["final_obs"][2], outcomes[2][0])
    assert info["final_obs"][0] is None
    assert info["final_info"]["survival"].tolist() == [0.0, 0.0, 1.0]
    assert info["_final_info"].tolist() == [False, False, True]
    assert np.array_equal(obs[2], singles[2].reset()[0][:]) is False  # copy 2 goes on with a sequence of its own index


def test_the_vector_environment_takes_a_seed_per_copy() -> None:
    vector = DioramaVectorEnv("prospector", num_envs=3, seed=4)

    vector.reset(seed=[7, None, 9])

    assert [vector.batch.episode_seed(copy) for copy in range(3)] == [7, episode_seed(4, 1, 1), 9]
