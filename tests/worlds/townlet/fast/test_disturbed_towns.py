"""Towns that operators have meddled with: the core takes every such state over and goes on as the readable tier."""

import random

import numpy as np
import pytest

from diorama.contracts.buffers import Buffers
from diorama.engine.reference_core import opening_snapshot
from diorama.worlds.townlet.codes import PRIMITIVE_NAMES
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.contract import describe
from diorama.worlds.townlet.fast import open_core
from diorama.worlds.townlet.reference.console.executing import apply_console
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.reference.words import snapshot_words, state_words
from diorama.worlds.townlet.tables.compiling import load_tables

OPTIONS = 8
TICKS_IN_PEACE = 2


def _config(level: str) -> TownletConfig:
    return TownletConfig.model_validate(
        {
            "features": {"stages": {"relationships": "C3", "social_rewards": "C3"}},
            "policy_runtime": {"action_level": level},
            "lifecycle": {"max_exits_per_day": 50, "exit_cooldown_ticks": 0},
            "queue_fairness": {"request_radius": 6},
        }
    )


def _meddle(town: Town, chance: random.Random) -> None:
    ids = [agent_id(town, citizen.number) for citizen in town.living()] or ["nobody"]
    who, other = chance.choice(ids), chance.choice(ids)
    name, args = chance.choice(
        [
            ("spawn", []),
            ("teleport", [who, chance.randrange(48), chance.randrange(48), True]),
            ("setneed", [who, "hunger", chance.choice([0.0, 0.02, 1.0])]),
            ("price", ["rent_per_day", chance.choice([0, 0.3, 1e6])]),
            ("force_chat", [who, other]),
            ("set_rel", [who, other, None, None, chance.random()]),
            ("arrange_meet", [[who, other], "park", chance.randrange(2), 20]),
            ("utility", ["water", chance.choice(["on", "off"]), 15]),
            ("perturbation_trigger", ["price_spike", chance.randrange(2), 4]),
            ("perturbation_cancel", [f"evt_{chance.randrange(1, 30)}"]),
            ("employment_exit", ["approve", who]),
            ("kill", [who]),
            ("possess", [who, "acquire"]),
            ("possess_act", [who, chance.choice(PRIMITIVE_NAMES)]),
            ("toggle_mortality", [chance.choice(["on", "off"])]),
        ]
    )
    apply_console(town, [{"name": name, "args": args, "cmd_id": f"c{town.tick}"}])


@pytest.mark.parametrize("level", ["option", "primitive"])
@pytest.mark.parametrize("rounds", [pytest.param(40, id="40"), pytest.param(800, id="800", marks=pytest.mark.slow)])
def test_what_operators_leave_behind_goes_on_alike(level: str, rounds: int) -> None:
    config = _config(level)
    spec, tables, chance = describe(config), load_tables(config), random.Random(rounds)
    size = OPTIONS if level == "option" else len(PRIMITIVE_NAMES)
    core, buffers = open_core(tables, config, copies=1, seed=0, threads=1), Buffers.allocate(spec, 1)
    town = open_town(tables, config, 5)
    begin_tick(town)

    for _ in range(rounds):
        _meddle(town, chance)
        core.restore(0, opening_snapshot(spec, config, town.seed, snapshot_words(town)), buffers)
        for _ in range(TICKS_IN_PEACE):
            actions = [chance.randrange(size) for _ in range(spec.agents)]
            finish_tick(town, dict(enumerate(actions)))
            begin_tick(town)
            town.events.clear()
            core.step(np.array(actions, np.int32)[:, None], buffers)
            np.testing.assert_array_equal(core.state_words(0), state_words(town), err_msg=f"tick {town.tick}")
