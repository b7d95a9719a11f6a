from typing import Any

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError, EpisodeOver
from diorama.engine.reference_core import ReferenceCore
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.contract import METRICS, VARIANTS, describe
from diorama.worlds.townlet.layout import observation_width
from diorama.worlds.townlet.reference.simulation import TownletSimulation

NOTHING: dict[str, Any] = {"perturbations": {"enabled": False}}


def _batch(copies: int, **config: Any) -> tuple[ReferenceCore, Buffers]:
    configured = TownletConfig.model_validate({**NOTHING, **config})
    core = ReferenceCore.build(load_world("townlet"), configured, copies=copies, seed=5)
    buffers = Buffers.allocate(describe(configured), copies)
    core.reset(range(copies), None, buffers)
    return core, buffers


@pytest.mark.parametrize("variant", [{}, *VARIANTS.values()], ids=["hybrid", *VARIANTS])
def test_the_contract_follows_from_the_configuration(variant: dict[str, Any]) -> None:
    config = TownletConfig.model_validate(variant)

    spec = describe(config)

    assert spec.obs_width == observation_width(config)
    assert spec.agents == 16
    assert len(spec.events) == 52
    assert len(spec.option_names) == (12 if config.policy_runtime.action_level == "primitive" else 8)
    assert spec.metric_keys[0] == "self_sufficiency"
    assert len(spec.metrics) == len(METRICS) == 12


def test_rows_of_free_seats_are_dead_and_the_others_decide() -> None:
    core, buffers = _batch(1)

    core.step(np.zeros((16, 1), dtype=np.int32), buffers)

    assert buffers.alive.tolist() == [1] * 8 + [0] * 8
    assert buffers.masks[8:].tolist() == [[1] + [0] * 7] * 8
    assert not buffers.obs[8:].any()
    assert (buffers.rewards[:8] != 0.0).all()
    assert not buffers.rewards[8:].any()


def test_who_leaves_is_terminated_once_with_a_last_observation_and_replaced() -> None:
    core, buffers = _batch(1, lifecycle={"spawn_delay_ticks": [0, 0]})
    simulation = core._copies[0].simulation
    assert isinstance(simulation, TownletSimulation)
    simulation.town.citizen(2).decline.kill_requested = True
    actions = np.zeros((16, 1), dtype=np.int32)

    core.step(actions, buffers)

    record = core.step_record(0)
    assert [seat for seat in range(16) if buffers.terminated[seat]] == [2]
    assert buffers.alive[2] == 0
    assert buffers.final_obs[2, 4 * 121 + 16] == 1.0  # ctx_reset_flag
    assert not buffers.obs[2].any()
    assert "agent_exit" in record.events
    assert record.info["exits"] == [{"seat": 2, "agent_id": "citizen_002", "exit_reason": "killed"}]
    assert record.metrics[2][9] > 0.5
    assert buffers.alive[8] == 1  # the seat that was left is seen empty once, so the newcomer takes another
    starts = np.zeros(16, dtype=np.uint8)
    simulation.write_episode_starts(starts)
    assert starts.tolist() == [0] * 8 + [1] + [0] * 7
    seats = record.info["seats"]
    assert isinstance(seats, list)
    assert (seats[8]["agent_id"], seats[8]["new_citizen"]) == ("citizen_008", True)
    core.step(actions, buffers)
    assert (buffers.alive[2], buffers.terminated[2]) == (0, 0)


def test_an_episode_is_truncated_for_everybody_and_begins_again() -> None:
    core, buffers = _batch(1, episode_ticks=3)
    actions = np.zeros((16, 1), dtype=np.int32)
    seed = core.episode_seed(0)
    for _ in range(3):
        core.step(actions, buffers)

    assert buffers.truncated.tolist() == [1] * 8 + [0] * 8
    assert buffers.episode_start.all()
    assert core.episode_seed(0) != seed
    core.step(actions, buffers)
    assert not buffers.truncated.any()


def test_copies_do_not_see_one_another_and_snapshots_go_on_alike() -> None:
    core, buffers = _batch(2)
    alone = TownletSimulation(TownletConfig.model_validate(NOTHING))
    alone.reset(core.episode_seed(1))
    chance = np.random.default_rng(3)
    for _ in range(30):
        actions = chance.integers(0, 8, (32, 1)).astype(np.int32)
        core.step(actions, buffers)
        alone.step([(int(action),) for action in actions[16:, 0]])
    assert (core.state_words(1) == alone.state_words()).all()
    data = core.snapshot(1)
    hashes = []
    for _ in range(2):
        core.restore(1, data, buffers)
        for _ in range(5):
            core.step(np.ones((32, 1), dtype=np.int32), buffers)
        hashes.append(core.state_hash(1))

    assert hashes[0] == hashes[1]


def test_a_finished_episode_is_not_stepped() -> None:
    simulation = TownletSimulation(TownletConfig.model_validate({**NOTHING, "episode_ticks": 1}))
    simulation.step([(0,)] * 16)

    with pytest.raises(EpisodeOver, match="tick 1"):
        simulation.step([(0,)] * 16)


def test_hooks_that_cannot_run_in_a_batch_are_refused() -> None:
    with pytest.raises(ConfigError, match="deferred"):
        TownletSimulation(
            TownletConfig.model_validate({"affordances": {"hook_modules": ["tests.worlds.townlet.custom_hooks"]}})
        )


def test_asking_for_an_opening_changes_nothing() -> None:
    simulation = TownletSimulation(TownletConfig.model_validate(NOTHING))
    simulation.step([(0,)] * 16)
    shown = simulation.render_state()

    opening = simulation.opening_record()

    assert opening.rewards == (0.0,) * 16
    assert simulation.render_state() == shown
