"""The PettingZoo face of a world whose seats change hands, judged by PettingZoo's own tests and by its own rules."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import diorama
from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver, UnknownAgent, UnknownName
from diorama.engine.adapters.cast_env import CastParallelEnv
from tests.worlds.townlet.platform.restless import RESTLESS


def town_env(**config: object) -> CastParallelEnv:
    env = diorama.parallel_env("townlet", config=config, tier="reference")
    assert isinstance(env, CastParallelEnv)
    return env


def restless_env() -> CastParallelEnv:
    return town_env(**RESTLESS)


def random_step(env: CastParallelEnv, infos: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    return env.step({agent: env.action_space(agent).sample(infos[agent]["action_mask"]) for agent in env.agents})


def test_pettingzoos_test_is_passed() -> None:
    parallel_api_test(town_env(), num_cycles=20)


def test_pettingzoos_test_is_passed_while_agents_come_and_go() -> None:
    parallel_api_test(restless_env(), num_cycles=40)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["full", "compact"])
def test_pettingzoos_test_is_passed_for_a_thousand_cycles(variant: str) -> None:
    parallel_api_test(town_env(features={"systems": {"observations": variant}}, **RESTLESS), num_cycles=1000)


def test_equal_seeds_give_equal_episodes() -> None:
    parallel_seed_test(town_env, num_cycles=15)


def test_the_spaces_are_those_of_the_contract() -> None:
    env = town_env()
    observations, infos = env.reset(seed=4)

    assert env.metadata["name"] == "townlet_v1"
    assert (env.possible_agents[0], env.possible_agents[-1]) == ("citizen_000", "citizen_255")
    assert env.agents == list(observations) == list(infos) == [f"citizen_{number:03d}" for number in range(8)]
    assert all(env.observation_space(agent).contains(observations[agent]) for agent in env.agents)
    shapes = {name: block.shape for name, block in observations["citizen_003"].items()}
    assert shapes == {"map": (4, 11, 11), "features": (128,), "action_mask": (8,)}
    assert np.array_equal(observations["citizen_003"]["features"], env.batch.obs[3, 484:])


def test_an_agent_is_told_what_the_contract_says() -> None:
    env = town_env()
    _, opened = env.reset(seed=4)
    _, rewards, _, _, infos = env.step({"citizen_002": 5})

    told = infos["citizen_002"]
    assert opened["citizen_002"]["new_citizen"] is True
    assert (told["tick"], told["seat"], told["embedding_slot"], told["option"]) == (1, 2, 2, 5)
    assert (told["new_citizen"], told["invalid_action"], told["commit_enforced"]) == (False, False, False)
    assert told["display_name"] == "Cleo"
    assert told["reward_breakdown"]["total"] == rewards["citizen_002"]
    parts = [value for name, value in told["reward_breakdown"].items() if name != "total"]
    assert sum(parts) == pytest.approx(rewards["citizen_002"], abs=1e-12)
    assert "exit_reason" not in told


def test_who_leaves_is_told_once_and_who_arrives_is_somebody_new() -> None:
    env = restless_env()
    _, infos = env.reset(seed=1)
    seen = set(env.agents)
    gone: set[str] = set()
    for _ in range(60):
        before = list(env.agents)
        observations, rewards, terminated, truncated, infos = random_step(env, infos)
        assert set(observations) == set(rewards) == set(terminated) == set(truncated) == set(infos)
        left = {agent for agent, has_left in terminated.items() if has_left}
        arrived = set(observations) - set(before)
        assert not left & set(env.agents)
        assert not arrived & seen
        assert all(infos[agent]["exit_reason"] == "faint" for agent in left)
        assert all(observations[agent]["features"][16] == 1.0 for agent in left | arrived)  # ctx_reset_flag
        assert all(infos[agent]["new_citizen"] and rewards[agent] == 0.0 for agent in arrived)
        seen |= arrived
        gone |= left
    assert len(gone) > 5
    assert not gone & set(env.agents)


def test_a_town_that_has_lost_everybody_waits_for_the_next_one() -> None:
    env = town_env(**{**RESTLESS, "world": {"seats": 2, "population": 1}})
    _, infos = env.reset(seed=1)
    for _ in range(6):
        _, _, terminated, _, infos = random_step(env, infos)

    assert terminated == {"citizen_000": True, "citizen_001": False}
    assert env.agents == ["citizen_001"]


def test_the_time_limit_ends_it_for_everybody() -> None:
    env = town_env()
    env.reset(seed=4, options={"episode_ticks": 3})
    for _ in range(3):
        _, _, terminated, truncated, _ = env.step({})

    assert all(truncated.values())
    assert not any(terminated.values())
    assert env.agents == []
    with pytest.raises(EpisodeOver):
        env.step({})
    env.reset(seed=4)
    env.step({})
    assert len(env.agents) == 8


def test_an_unknown_agent_is_refused_and_a_missing_one_takes_the_no_op() -> None:
    env = town_env()
    env.reset(seed=4)

    with pytest.raises(UnknownAgent, match="citizen_042"):
        env.step({"citizen_042": 0})
    with pytest.raises(ValueError, match="citizen_042"):
        env.step({"citizen_042": 0})
    _, _, _, _, infos = env.step({"citizen_001": 5})
    assert (infos["citizen_000"]["option"], infos["citizen_001"]["option"]) == (0, 5)


def test_the_state_holds_all_seats_and_the_town() -> None:
    env = town_env()
    env.reset(seed=4)
    for _ in range(5):
        env.step({})

    state = env.state()

    assert env.state_space.contains(state)
    assert state.shape == (16 * 128 + 16,)
    assert np.array_equal(state[: 16 * 128].reshape(16, 128), env.batch.obs[:, 484:])
    scalars = state[-16:]
    assert scalars[0] == pytest.approx(np.sin(2 * np.pi * 5 / 1000), abs=1e-6)
    assert scalars[2:9] == pytest.approx([0.5, 1 / 3, 1 / 3, 1 / 3, 1 / 3, 1.0, 1.0])
    assert scalars[11] == pytest.approx(env.batch.obs[:8, 484].mean(), abs=1e-6)
    assert scalars[15] == 0.0


def test_a_scenario_opens_with_its_citizens() -> None:
    env = town_env()
    env.reset(seed=4, options={"scenario": "queue_conflict"})

    assert env.agents == ["citizen_000", "citizen_001", "citizen_002"]
    env.step({})
    env.reset(seed=4)
    assert len(env.agents) == 8


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        pytest.param({"scenario": "siege"}, UnknownName, "no scenario is called 'siege'", id="scenario"),
        pytest.param({"episode_ticks": 0}, ConfigError, "reset options: episode_ticks: 0 is wrong", id="ticks"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        town_env().reset(options=options)


def test_a_world_whose_seats_keep_their_owners_has_no_cast() -> None:
    with pytest.raises(ContractError, match="keeps it"):
        CastParallelEnv("prospector", tier="reference")
